import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { accountTable } from '../../shared/accounts/account-table.ts';
import {
  IN_PROGRESS,
  MISS_LIMIT,
  missesAt,
  ORGANISATION_MISS_LIMIT,
} from '../../shared/accounts/guess-limit.ts';
import { MAX_NETWORKS } from '../../shared/accounts/key-usage.ts';
import { keyUsageTable } from '../../shared/accounts/key-usage-table.ts';
import type { RateLimit } from '../../shared/accounts/organisation.ts';
import { rateLimitTable } from '../../shared/accounts/rate-limit-table.ts';
import { total } from '../../shared/accounts/windowed-counter.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { operatorClient } from './tables.ts';

/** Tests the rate limiter with real conditional writes, at times that the tests choose. */

/** Returns limiters with separate memory, like separate function instances. */
const instances = (count: number) =>
  Array.from({ length: count }, () => rateLimitTable(operatorClient, process.env['API_KEYS_TABLE'] ?? ''));
/** Returns a request with empty rows, as if nothing had been counted yet. */
const ask = (keyHash: string, rate: RateLimit) => ({
  ...{ keyHash, rate, row: {}, organisationRow: {}, isGuessLimited: false },
});
const START_MS = Date.parse('2026-11-21T12:00:00Z');

describe('the rate limiter', () => {
  test.each([
    { burst: 1, perSecond: 1 },
    { burst: 10, perSecond: 5 },
    { burst: 60, perSecond: 0.1 },
  ])('allows exactly $burst of 200 simultaneous calls from 10 instances', async (limit: RateLimit) => {
    const key = randomUUID();
    const calls = instances(10).flatMap((limiter) =>
      Array.from({ length: 20 }, () => limiter.take(ask(key, limit), () => START_MS)),
    );
    const decisions = await Promise.all(calls);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit.burst);
    for (const { allowed, retryAfterSeconds } of decisions)
      if (!allowed) expect(retryAfterSeconds).toBe(Math.max(1, Math.ceil(1 / limit.perSecond)));
  });

  test('allows the expected number of calls at 40 calls per second, within 2%', async () => {
    const limit = { burst: 10, perSecond: 5 };
    const [seconds, offered] = [10, 40];
    const [key, limiters] = [randomUUID(), instances(4)];
    let admitted = 0;
    for (let call = 0; call < seconds * offered; call += 1) {
      const nowMs = START_MS + (call * 1000) / offered;
      const decision = await limiters[call % limiters.length]?.take(ask(key, limit), () => nowMs);
      if (decision?.allowed) admitted += 1;
    }
    // The whole burst at once, then one call every 200 ms.
    const lastMs = ((seconds * offered - 1) * 1000) / offered;
    const theory = limit.burst + Math.floor((lastMs * limit.perSecond) / 1000);
    expect(Math.abs(admitted - theory) / theory).toBeLessThanOrEqual(0.02);
  });

  test('allows a call that was delayed while other calls used the limit', async () => {
    const limit = { burst: 10_000, perSecond: 10_000 };
    const [key, [quick, heldUp]] = [randomUUID(), instances(2)];
    await quick?.take(ask(key, limit), () => START_MS + 1_500);
    const readings = [START_MS, START_MS + 1_500];
    const clock = () => readings.shift() ?? START_MS + 1_500;
    expect((await heldUp?.take(ask(key, limit), clock))?.allowed).toBe(true);
  });

  test('counts look-ups and networks for the key, and misses for the key and its organisation', async () => {
    const [keyHash, organisationId] = [randomUUID(), randomUUID().slice(0, 10)];
    const wallet = { env: 'live', organisationId } as const;
    const [limiter] = instances(1);
    const usage = keyUsageTable(operatorClient, process.env['API_KEYS_TABLE'] ?? '');
    const accounts = accountTable(operatorClient, process.env['API_KEYS_TABLE'] ?? '');
    for (let day = 0; day < 20; day += 1) {
      const startedAtMs = START_MS + day * DAY_MS;
      const { limits } = await accounts.readAccount({ env: 'live', organisationId, hash: keyHash });
      const network = `203.0.${day}.0/24`;
      const more = { row: limits.key, organisationRow: limits.organisation, isGuessLimited: true, network };
      await limiter?.take({ ...ask(keyHash, { burst: 20, perSecond: 10 }), ...more }, () => startedAtMs);
      await limiter?.recordMiss({ keyHash, startedAtMs, wallet, rows: limits }, startedAtMs + 1000);
    }
    const nowMs = START_MS + 19 * DAY_MS + 2000;
    const { limits } = await accounts.readAccount({ env: 'live', organisationId, hash: keyHash });
    const used = (await usage.readKeyUsage([keyHash], nowMs)).get(keyHash);

    expect(used).toMatchObject({ network: '203.0.19.0/24', lookUpsToday: 1, missesToday: 1 });
    expect(used?.earlierLookUps.size).toBe(14);
    expect(Object.keys(Object(limits.key['networks']))).toHaveLength(MAX_NETWORKS);
    expect(total(IN_PROGRESS, limits.key, nowMs)).toBe(0);
    expect(missesAt(Number(limits.key['missTatMs']), nowMs, MISS_LIMIT)).toBeCloseTo(0.9);
    expect(missesAt(Number(limits.organisation['missTatMs']), nowMs, ORGANISATION_MISS_LIMIT)).toBeCloseTo(
      0.7,
    );
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { accountTable } from '../../shared/accounts/account-table.ts';
import { MISS_LIMIT, missesOf, ORGANISATION_MISS_LIMIT } from '../../shared/accounts/guess-limit.ts';
import { MAX_NETWORKS } from '../../shared/accounts/key-usage.ts';
import { keyUsageTable } from '../../shared/accounts/key-usage-table.ts';
import type { RateLimit } from '../../shared/accounts/organisation.ts';
import { rateLimitTable } from '../../shared/accounts/rate-limit-table.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { operatorClient } from './tables.ts';

/** Tests the rate limiter with real conditional writes, at times that the tests choose. */

/** Returns limiters with separate memory, like separate function instances. */
const instances = (count: number) =>
  Array.from({ length: count }, () => rateLimitTable(operatorClient, process.env['API_KEYS_TABLE'] ?? ''));
/** Returns a request with empty rows, as if nothing had been counted yet. */
const ask = (keyHash: string, rate: RateLimit) => ({
  ...{ keyHash, rate, rows: { key: {}, organisation: {} }, isLiveLookUp: false },
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
      const nowMs = START_MS + day * DAY_MS;
      const { limits } = await accounts.readAccount({ env: 'live', organisationId, hash: keyHash });
      const network = `203.0.${day}.0/24`;
      const more = { rows: limits, isLiveLookUp: true, network };
      await limiter?.take({ ...ask(keyHash, { burst: 20, perSecond: 10 }), ...more }, () => nowMs);
      await limiter?.recordMiss({ keyHash, wallet, rows: limits }, nowMs + 1000);
    }
    const nowMs = START_MS + 19 * DAY_MS + 2000;
    const { limits } = await accounts.readAccount({ env: 'live', organisationId, hash: keyHash });
    const used = (await usage.readKeyUsage([keyHash], nowMs)).get(keyHash);

    expect(used).toMatchObject({ network: '203.0.19.0/24', lookUpsToday: 1, missesToday: 1 });
    expect(used?.earlierLookUps.size).toBe(14);
    expect(Object.keys(Object(limits.key['networks']))).toHaveLength(MAX_NETWORKS);
    expect(missesOf(limits.key, MISS_LIMIT, nowMs)).toBeCloseTo(0.9);
    expect(missesOf(limits.organisation, ORGANISATION_MISS_LIMIT, nowMs)).toBeCloseTo(0.7);
  });

  test('takes back half a miss for each record found, down to half of the limit', async () => {
    const [keyHash, organisationId] = [randomUUID(), randomUUID().slice(0, 10)];
    const key = { env: 'live', organisationId, hash: keyHash } as const;
    const [limiter] = instances(1);
    const accounts = accountTable(operatorClient, process.env['API_KEYS_TABLE'] ?? '');
    /** Counts ends of look-ups with the rows as they are, and returns the misses of the key and its organisation. */
    const count = async (end: 'recordMiss' | 'recordFound', times: number) => {
      const { limits: rows } = await accounts.readAccount(key);
      const ended = { keyHash, rows, wallet: { env: 'live', organisationId } as const };
      await Promise.all(Array.from({ length: times }, () => limiter?.[end](ended, START_MS)));
      const { limits } = await accounts.readAccount(key);
      const misses = [
        missesOf(limits.key, MISS_LIMIT, START_MS),
        missesOf(limits.organisation, ORGANISATION_MISS_LIMIT, START_MS),
      ];
      return misses.map((one) => Number(one.toFixed(2)));
    };

    expect(await count('recordMiss', 1)).toEqual([1, 1]);
    for (let sent = 0; sent < 43; sent += 1) await count('recordMiss', 1);
    expect(await count('recordFound', 10)).toEqual([39, 44]);
    expect(await count('recordFound', 100)).toEqual([30, 44]);
    expect(await count('recordFound', 10)).toEqual([30, 44]);
  });
});

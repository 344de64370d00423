import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { newApiKeyText } from '../../shared/accounts/api-key.ts';
import { MAX_NETWORKS } from '../../shared/accounts/key-usage.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { apiKeyKey } from '../../shared/core/keys.ts';
import { logger } from '../../shared/core/logger.ts';
import { captureOutput } from '../support/captured-output.ts';
import type { Caller, EventInput } from './in-process.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll, verifyNin } from './routes-in-memory.ts';

/**
 * What is known about the use of a key: when, from where and how often. It helps to detect stolen keys and guessing.
 */

const START_MS = Date.parse('2026-11-21T12:00:00Z');

afterEach(() => {
  jest.restoreAllMocks();
});

async function start() {
  const service = memoryService();
  service.clock.nowMs = START_MS;
  service.registry.lookUp = findsAll;
  const who = await service.newCaller(10_000, 'live');
  const lines = jest.spyOn(logger, 'info');
  /** Moves the clock by a minute, sends a request, and returns the fields of its log line. */
  const send = async (more: EventInput = {}, from: Caller = who) => {
    service.clock.nowMs += MINUTE_MS;
    await verifyNin(service, from, more);
    return lines.mock.lastCall?.[1] as Readonly<Record<string, unknown>>;
  };
  return { service, who, send };
}

async function usageOf(service: MemoryService, { account }: Caller) {
  const hash = account.key?.hash ?? '';
  return (await service.usage.readKeyUsage([hash], service.clock.nowMs)).get(hash);
}

const limiterRowsOf = ({ writes }: MemoryService) => writes.filter(({ pk }) => pk.startsWith('RATE#'));

describe('the use of a key', () => {
  test('is stored with its last time and network, in the one write of the limiter', async () => {
    const { service, who, send } = await start();
    await send({ sourceIp: '203.0.113.7' });
    await send({ sourceIp: '203.0.113.99' });

    expect(await usageOf(service, who)).toMatchObject({
      usedAtMs: START_MS + 2 * MINUTE_MS,
      network: '203.0.113.0/24',
    });
    expect(limiterRowsOf(service)).toHaveLength(2);
    expect(JSON.stringify(service.writes)).not.toContain('203.0.113.99');
  });

  test("includes today's look-ups and misses, and the look-ups on each of the 14 days before", async () => {
    const { service, who, send } = await start();
    for (let day = 0; day < 20; day += 1) {
      for (let sent = 0; sent <= day; sent += 1) await send();
      service.clock.nowMs = START_MS + (day + 1) * DAY_MS;
    }
    service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
    await send();
    await send();
    const usage = await usageOf(service, who);

    expect(usage).toMatchObject({ lookUpsToday: 2, missesToday: 2 });
    expect([...(usage?.earlierLookUps.values() ?? [])].sort((a, b) => a - b)).toEqual([
      7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    ]);
  });
});

describe('a network from which a key was never used', () => {
  test('is in the log line once, unless it is the first one', async () => {
    const { service, who, send } = await start();
    const found: unknown[] = [];
    for (const sourceIp of ['203.0.113.7', '203.0.113.8', '198.51.100.1', '198.51.100.2', '203.0.113.7'])
      found.push((await send({ sourceIp }))['new_network']);

    expect(found).toEqual([undefined, undefined, '198.51.100.0/24', undefined, undefined]);
    expect(await usageOf(service, who)).toMatchObject({
      network: '203.0.113.0/24',
      newNetwork: '198.51.100.0/24',
      newNetworkAtMs: START_MS + 3 * MINUTE_MS,
    });
  });

  test('is counted for the alarm only if no other was new in the last 24 hours', async () => {
    const { service, send } = await start();
    const output = captureOutput();
    try {
      await send({ sourceIp: '203.0.113.7' });
      for (let hour = 1; hour <= 50; hour += 1) {
        service.clock.nowMs = START_MS + hour * HOUR_MS;
        expect((await send({ sourceIp: `198.51.${hour}.1` }))['new_network']).toBeDefined();
      }
      expect(output.stdout.match(/"newNetworks":1/g)).toHaveLength(1);
      service.clock.nowMs += DAY_MS;
      await send({ sourceIp: '192.0.2.1' });
      expect(output.stdout.match(/"newNetworks":1/g)).toHaveLength(2);
    } finally {
      output.restore();
    }
  });

  test('replaces the least recently used network, so that the row stays below 1 KB', async () => {
    const { service, send } = await start();
    const seen: unknown[] = [];
    for (let day = 0; day < 30; day += 1) {
      service.clock.nowMs = START_MS + day * DAY_MS;
      await send({ sourceIp: '2001:db8:1::1' });
      seen.push((await send({ sourceIp: `2001:db8:f${100 + day}::1` }))['new_network']);
    }
    const row = limiterRowsOf(service).at(-1)?.row ?? {};

    expect(seen).not.toContain(undefined);
    expect((await send({ sourceIp: '2001:db8:1::1' }))['new_network']).toBeUndefined();
    expect(Object.keys(Object(row['networks']))).toHaveLength(MAX_NETWORKS);
    expect(JSON.stringify(row).length).toBeLessThan(1024);
  });
});

describe('rejected keys', () => {
  test('that name an organisation are counted for it, with one write for every ten', async () => {
    const { service, who, send } = await start();
    const organisationId = who.account.organisation?.id ?? '';
    const wallet = { env: 'live', organisationId } as const;
    const details = new Set<unknown>();
    for (let sent = 0; sent < 25; sent += 1) {
      const line = await send({}, { ...who, text: newApiKeyText('live', organisationId) });
      expect(line).toMatchObject({ status: 401, organisation_of_bad_key: organisationId });
      details.add(line['detail']);
      service.clock.nowMs -= MINUTE_MS;
    }

    expect([...details]).toEqual(['unknown-key']);
    expect(limiterRowsOf(service)).toHaveLength(2);
    expect(await service.usage.readRejections([wallet], service.clock.nowMs)).toEqual([20]);
    expect(await service.usage.readRejections([wallet], service.clock.nowMs + 20 * MINUTE_MS)).toEqual([0]);
  });

  test('that are malformed or name an unknown organisation cause no write', async () => {
    const { service, who, send } = await start();
    for (let sent = 0; sent < 30; sent += 1) {
      const unknown = await send({}, { ...who, text: newApiKeyText('live', 'aaaaaaaaaa') });
      const malformed = await send({}, { ...who, text: 'idv_live_x' });
      expect([unknown['detail'], malformed['detail']]).toEqual(['unknown-key', 'malformed-key']);
      expect(unknown).not.toHaveProperty('organisation_of_bad_key');
    }

    expect(limiterRowsOf(service)).toEqual([]);
  });

  test.each([
    ['revoked-key', { status: 'REVOKED' as const }],
    ['expired-key', { notAfter: '2026-11-20T00:00:00.000Z' }],
    ['address-not-allowed', { addressRanges: ['192.0.2.0/24'] }],
  ])('have their reason in the log line: %s', async (detail, key) => {
    const { service, send } = await start();
    const other = await service.newCaller(1, 'live', { key });
    const line = await send({}, other);

    expect(line).toMatchObject({
      ...{ status: 401, code: 'INVALID_API_KEY', detail },
      organisation_of_bad_key: other.account.organisation?.id,
    });
  });

  test.each([
    ['revoked', { status: 'REVOKED' as const }],
    ['expired', { notAfter: '2026-11-20T00:00:00.000Z' }],
    ['not allowed from this address', { addressRanges: ['192.0.2.0/24'] }],
  ])(
    'are not counted by the rate limiter, even if this instance has just served the key: %s',
    async (_, change) => {
      const { service, who, send } = await start();
      const { organisation, key } = who.account;
      await send();
      const before = limiterRowsOf(service).filter(({ pk }) => pk.includes(key?.hash ?? '?'));
      const row = { ...apiKeyKey(organisation?.id ?? '', key?.hash ?? ''), ...key, ...change };
      await service.client.send(new PutCommand({ TableName: 'ApiKeys', Item: row }));
      const line = await send();
      const after = limiterRowsOf(service).filter(({ pk }) => pk.includes(key?.hash ?? '?'));

      expect(line).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
      expect(before).toHaveLength(1);
      expect(after).toEqual(before);
    },
  );
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../shared/accounts/api-key.ts';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import type { Published, ServiceEvent } from '../../../shared/events/event.ts';
import { publishEvents } from '../../../shared/events/publish-events.ts';
import type { Health } from '../../../shared/registries/breaker.ts';

/** One run after the other over a world that changes, and what operators' systems hear of it. */

const DAY_MS = 24 * 3600_000;
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

const HOLD = { requestId: 'r', service: 'nin-basic', keyLabel: 'k', numberTag: 't', expiresAtMs: NOW_MS };

let published: Map<string, Published>;
let available: number[];
let held: number;
let credited: number;
let status: Health;
let lowBalanceCredits: number | undefined;
let keys: ApiKey[];
let nowMs: number;
let heard: ServiceEvent[];
let isBusDown: boolean;

beforeEach(() => {
  published = new Map();
  available = [500, 500];
  held = 0;
  credited = 1_000;
  status = 'up';
  lowBalanceCredits = undefined;
  keys = [];
  nowMs = NOW_MS;
  heard = [];
  isBusDown = false;
});

/** The types of the events of one run. */
async function run(): Promise<string[]> {
  heard = [];
  nowMs += 60_000;
  const wallet = { env: 'live', organisationId: 'made-up-bank' } as const;
  await publishEvents({
    published: {
      listPublished: async () => [...published.values()],
      recordPublished: async (next, seen) => {
        expect(seen).toEqual(published.get(next.subject));
        published.set(next.subject, next);
        return true;
      },
    },
    shards: {
      listShards: async () => available.map((_, shard) => ({ wallet, shard })),
      getShards: async (places) =>
        places.map(({ shard }) => ({
          wallet,
          row: {
            shard,
            available: available[shard] ?? 0,
            credited: shard === 0 ? credited : 0,
            holds: held > 0 && shard === 0 ? { hold: { ...HOLD, cost: held } } : {},
          },
        })),
    },
    organisations: {
      getOrganisations: async (ids) =>
        ids.map((id) => ({ ...newOrganisation('Made-up Bank', new Date(NOW_MS)), id, lowBalanceCredits })),
    },
    keys: { listApiKeys: async () => keys },
    readRegistries: async () => [
      { name: 'prembly', displayName: 'Prembly', environment: 'live', status, sinceMs: undefined },
      { name: 'sandbox', displayName: 'Sandbox', environment: 'test', status: 'down', sinceMs: undefined },
    ],
    send: async (events) => {
      if (isBusDown) throw new Error('The bus does not answer.');
      heard.push(...events);
    },
    nowMs: () => nowMs,
    lowBelow: 100,
  });
  return heard.map(({ type }) => type);
}

describe('a balance', () => {
  test('is told once when it becomes low, over all shards together, and once when it is empty', async () => {
    expect(await run()).toEqual([]);
    available = [99, 1];
    expect(await run()).toEqual([]);
    available = [60, 39];
    expect(await run()).toEqual(['Balance Low']);
    expect(heard[0]?.detail).toEqual({ organisation: 'made-up-bank', available: 99, low_below: 100 });
    available = [0, 12];
    expect(await run()).toEqual([]);
    available = [0, 0];
    expect(await run()).toEqual(['Wallet Empty']);
    expect(await run()).toEqual([]);
  });

  test('counts what is held as left: it does not flap while requests take the last credits and bring them back', async () => {
    [available, held] = [[99, 0], 1];
    expect(await run()).toEqual([]);
    [available, held] = [[0, 0], 3];
    expect(await run()).toEqual(['Balance Low']);
    expect(heard[0]?.detail).toMatchObject({ available: 0 });
    [available, held] = [[3, 0], 0];
    expect(await run()).toEqual([]);
    available = [0, 0];
    expect(await run()).toEqual(['Wallet Empty']);
  });

  test("is low below the organisation's own number where it has one, and the stage's where not", async () => {
    lowBalanceCredits = 2_000;
    expect(await run()).toEqual(['Balance Low']);
    expect(heard[0]?.detail).toMatchObject({ available: 1_000, low_below: 2_000 });
    lowBalanceCredits = undefined;
    expect(await run()).toEqual([]);
    [available, lowBalanceCredits] = [[30, 20], 10];
    expect(await run()).toEqual([]);
    available = [9, 0];
    expect(await run()).toEqual(['Balance Low']);
  });

  test('is told again after a top-up has ended the last time', async () => {
    available = [0, 0];
    expect(await run()).toEqual(['Wallet Empty']);
    available = [200, 0];
    expect(await run()).toEqual([]);
    available = [20, 0];
    expect(await run()).toEqual(['Balance Low']);
  });

  test('of a wallet that never had credit is nobody to wake for', async () => {
    [available, credited] = [[0, 0], 0];
    expect(await run()).toEqual([]);
  });
});

describe('a registry', () => {
  test('is told down and up, once each, and not while it is merely unwell', async () => {
    status = 'degraded';
    expect(await run()).toEqual([]);
    status = 'down';
    expect(await run()).toEqual(['Registry Down']);
    expect(heard[0]?.detail).toEqual({ registry: 'prembly', name: 'Prembly' });
    status = 'degraded';
    expect(await run()).toEqual([]);
    status = 'up';
    expect(await run()).toEqual(['Registry Up']);
    expect(await run()).toEqual([]);
  });
});

describe('an API key', () => {
  const key: ApiKey = {
    organisationId: 'made-up-bank',
    hash: 'a'.repeat(64),
    env: 'live',
    status: 'ACTIVE',
    label: 'till 4',
    lastFour: 'wxyz',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const endingIn = (ms: number) => ({ ...key, notAfter: new Date(NOW_MS + ms).toISOString() });

  test('is told once, a week before its end, by its label and never by its hash', async () => {
    keys = [key, endingIn(8 * DAY_MS)];
    expect(await run()).toEqual([]);
    keys = [endingIn(6 * DAY_MS)];
    expect(await run()).toEqual(['API Key Expiring']);
    expect(heard[0]?.detail).toEqual({
      organisation: 'made-up-bank',
      environment: 'live',
      label: 'till 4',
      last_four: 'wxyz',
      not_after: '2026-11-27T12:00:00.000Z',
    });
    expect(JSON.stringify(heard)).not.toContain(key.hash);
    expect(await run()).toEqual([]);
  });

  test('that is revoked, or has ended, is told no more', async () => {
    keys = [{ ...endingIn(DAY_MS), status: 'REVOKED' }, endingIn(-DAY_MS)];
    expect(await run()).toEqual([]);
  });
});

describe('an event', () => {
  test('that the bus did not take is sent by the next run', async () => {
    isBusDown = true;
    status = 'down';
    await expect(run()).rejects.toThrow('The bus does not answer.');
    isBusDown = false;
    expect(await run()).toEqual(['Registry Down']);
  });

  test('that is sent twice has the same id, and the next one another', async () => {
    status = 'down';
    await run();
    const [first] = heard;
    published.clear();
    await run();
    expect(heard[0]?.id).toBe(first?.id);
    status = 'up';
    await run();
    expect(heard[0]?.id).not.toBe(first?.id);
  });
});

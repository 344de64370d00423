import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../shared/accounts/api-key.ts';
import type { KeyUsage } from '../../../shared/accounts/key-usage.ts';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import type {
  CreditedTopUp,
  PublishedState,
  PublishedWallet,
  ServiceEvent,
} from '../../../shared/events/event.ts';
import { type PublishReport, publishEvents } from '../../../shared/events/publish-events.ts';
import type { WalletChange } from '../../../shared/events/publish-soon.ts';
import { publishChange } from '../../../shared/events/publish-wallet.ts';
import type { Disabling, Health } from '../../../shared/registries/breaker.ts';

/** Consecutive runs while wallets, registries and keys change, and the events that they publish. */

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

const NO_HISTORY = { sinceMs: undefined, disabled: undefined };
const DOJAH = { name: 'dojah', displayName: 'Dojah', environment: 'live' } as const;
const SANDBOX = { name: 'sandbox', displayName: 'Sandbox', environment: 'test' } as const;
const HOLD = { requestId: 'r', service: 'nin-basic', keyLabel: 'k', numberTag: 't', expiresAtMs: NOW_MS };

const newWorld = () => ({
  published: new Map<string, PublishedState | PublishedWallet>(),
  available: [500, 500],
  held: 0,
  credited: 1_000,
  moved: [] as number[],
  isBusy: false,
  status: 'up' as Health,
  disabled: undefined as Disabling | undefined,
  dojah: 'up' as Health,
  lowBalanceCredits: undefined as number | undefined,
  keys: [] as ApiKey[],
  areKeysUnreadable: false,
  usage: new Map<string, KeyUsage>(),
  rejections: 0,
  nowMs: NOW_MS,
  sent: [] as ServiceEvent[],
  isBusDown: false,
  topUps: [] as CreditedTopUp[],
  onStore: () => {},
  report: {} as Partial<PublishReport>,
});

let w = newWorld();
beforeEach(() => {
  w = newWorld();
});

const wallet = { env: 'live', organisationId: 'made-up-bank' } as const;

/** Runs once, a minute later. Returns the types of the events that were sent. */
async function run(): Promise<string[]> {
  w.sent = [];
  w.nowMs += 60_000;
  w.report = { ...(await publishEvents(dependencies())) };
  return w.sent.map(({ type }) => type);
}

/** Runs for a changed wallet. */
async function runFor(change: Partial<WalletChange> = {}): Promise<string[]> {
  w.sent = [];
  w.nowMs += 1_000;
  await publishChange({ wallet, atMs: w.nowMs, ...change }, dependencies());
  return w.sent.map(({ type }) => type);
}

function dependencies(): Parameters<typeof publishEvents>[0] {
  const rows = () =>
    w.available.map((credits, shard) => ({
      shard,
      available: credits,
      credited: shard === 0 ? w.credited : 0,
      holds: w.held > 0 && shard === 0 ? { hold: { ...HOLD, cost: w.held } } : {},
      moved: w.moved[shard],
    }));
  return {
    published: {
      getWallet: async (subject) => {
        const stored = (w.published.get(subject) ?? {}) as Partial<PublishedWallet>;
        const { state = 'normal', publishedAtMs = 0, sequence = 0, unsent = [] } = stored;
        return { subject, state, publishedAtMs, sequence, unsent };
      },
      storeWallet: async (after, before) => {
        w.onStore();
        if ((w.published.get(after.subject)?.publishedAtMs ?? 0) !== before.publishedAtMs) return false;
        w.published.set(after.subject, after);
        return true;
      },
      markSent: async ({ unsent: _, ...row }) => void w.published.set(row.subject, row),

      listPublished: async () => [...w.published.values()],
      recordPublished: async (next, seen) => {
        expect(seen).toEqual(w.published.get(next.subject));
        w.published.set(next.subject, next);
        return true;
      },
    },
    shards: {
      listShards: async () => w.available.map((_, shard) => ({ wallet, shard })),
      snapshot: async () => (w.isBusy ? undefined : rows()),
      getShards: async () => rows().map((row) => ({ wallet, row })),
      withoutSpentHolds: async (_, all) => [...all],
    },
    organisations: {
      getOrganisations: async (ids) =>
        ids.map((id) => ({
          ...newOrganisation('Made-up Bank', new Date(NOW_MS)),
          id,
          lowBalanceCredits: w.lowBalanceCredits,
        })),
    },
    keys: {
      listObservedKeys: async () => {
        if (w.areKeysUnreadable) throw new Error('The row of an API key is not valid.');
        return w.keys;
      },
    },
    usage: { readKeyUsage: async () => w.usage, readRejections: async () => [w.rejections] },
    readRegistries: async () => [
      {
        ...NO_HISTORY,
        name: 'prembly',
        displayName: 'Prembly',
        environment: 'live',
        idType: 'NIN',
        status: w.status,
        disabled: w.disabled,
      },
      ...(['NIN', 'BVN'] as const).map(
        (idType) => ({ ...DOJAH, ...NO_HISTORY, idType, status: w.dojah }) as const,
      ),
      { ...NO_HISTORY, ...SANDBOX, idType: 'NIN', status: 'down' },
    ],
    send: async (events) => {
      if (w.isBusDown) throw new Error('The bus is unavailable.');
      w.sent.push(...events);
    },
    topUps: {
      listCredited: async () => [...w.topUps],
      getCredited: async (one) => w.topUps.find(({ reference }) => reference === one.reference),
      markPublished: async (one) => {
        w.topUps = w.topUps.filter(({ reference }) => reference !== one.reference);
      },
    },
    nowMs: () => w.nowMs,
    pause: async () => undefined,
    random: () => 0,
    lowBalanceCredits: 100,
  };
}

describe('a top-up', () => {
  const topUp = {
    organisationId: 'made-up-bank',
    env: 'test',
    reference: 'TOPUP-1',
    credits: 500,
    invoice: 'TEST-2026-000001',
  } as const;

  test('causes one event, which has the same ID if it is sent again', async () => {
    w.topUps = [topUp];
    expect(await run()).toEqual(['Top-Up Credited']);
    const [first] = w.sent;
    expect(first?.detail).toEqual({
      organisation: 'made-up-bank',
      environment: 'test',
      reference: 'TOPUP-1',
      credits: 500,
      invoice: 'TEST-2026-000001',
      available: 1_000,
      sequence: 1,
    });
    expect(await run()).toEqual([]);
    w.topUps = [topUp];
    await run();
    expect(w.sent[0]?.id).toBe(first?.id);
  });

  test('is published by the next run if the bus does not respond', async () => {
    w.topUps = [topUp];
    w.isBusDown = true;
    await expect(run()).rejects.toThrow('The bus is unavailable.');
    w.isBusDown = false;
    expect(await run()).toEqual(['Top-Up Credited']);
  });
});

describe('an approval', () => {
  test('causes one event, and another one only if the organisation is approved again', async () => {
    const subject = 'ORGANISATION#kBDG57GjU9';
    w.published.set(subject, { subject, state: 'approved', publishedAtMs: NOW_MS });
    expect(await run()).toEqual(['Organisation Approved']);
    expect(w.sent[0]?.detail).toEqual({ organisation: 'kBDG57GjU9' });
    const [first] = w.sent;
    expect(await run()).toEqual([]);
    w.published.set(subject, { subject, state: 'approved', publishedAtMs: w.nowMs });
    expect(await run()).toEqual(['Organisation Approved']);
    expect(w.sent[0]?.id).not.toBe(first?.id);
  });
});

describe('a balance', () => {
  test('causes one event when the sum of all shards becomes low, and one when it becomes 0', async () => {
    expect(await run()).toEqual([]);
    w.available = [99, 1];
    expect(await run()).toEqual([]);
    w.available = [60, 39];
    expect(await run()).toEqual(['Balance Low']);
    expect(w.sent[0]?.detail).toEqual({
      organisation: 'made-up-bank',
      available: 99,
      low_below: 100,
      sequence: 1,
    });
    w.available = [0, 12];
    expect(await run()).toEqual([]);
    w.available = [0, 0];
    expect(await run()).toEqual(['Wallet Empty']);
    expect(await run()).toEqual([]);
  });

  test('causes its event even if the API keys of an organisation cannot be read', async () => {
    w.areKeysUnreadable = true;
    w.available = [60, 39];
    expect(await run()).toEqual(['Balance Low']);
    w.areKeysUnreadable = false;
  });

  test('includes held credits, so that events do not repeat while requests hold and release the last credits', async () => {
    [w.available, w.held] = [[99, 0], 1];
    expect(await run()).toEqual([]);
    [w.available, w.held] = [[0, 0], 3];
    expect(await run()).toEqual(['Balance Low']);
    expect(w.sent[0]?.detail).toMatchObject({ available: 0 });
    [w.available, w.held] = [[3, 0], 0];
    expect(await run()).toEqual([]);
    w.available = [0, 0];
    expect(await run()).toEqual(['Wallet Empty']);
  });

  test("is low below the organisation's own threshold, or otherwise the stage's threshold", async () => {
    w.lowBalanceCredits = 2_000;
    expect(await run()).toEqual(['Balance Low']);
    expect(w.sent[0]?.detail).toMatchObject({ available: 1_000, low_below: 2_000 });
    w.lowBalanceCredits = undefined;
    expect(await run()).toEqual([]);
    [w.available, w.lowBalanceCredits] = [[30, 20], 10];
    expect(await run()).toEqual([]);
    w.available = [9, 0];
    expect(await run()).toEqual(['Balance Low']);
  });

  test('causes an event again after a top-up', async () => {
    w.available = [0, 0];
    expect(await run()).toEqual(['Balance Low', 'Wallet Empty']);
    w.available = [200, 0];
    expect(await run()).toEqual([]);
    w.available = [20, 0];
    expect(await run()).toEqual(['Balance Low']);
  });

  test('causes no event if credits move between shards while it is read', async () => {
    w.isBusy = true;
    // The first shard was read after 450 credits had left it, and the second before they arrived.
    [w.available, w.moved] = [
      [50, 0],
      [-450, 0],
    ];
    expect(await run()).toEqual([]);
    [w.available, w.moved] = [[50, 0], []];
    expect(await run()).toEqual(['Balance Low']);
  });

  test('of a wallet that never had credits causes no event', async () => {
    [w.available, w.credited] = [[0, 0], 0];
    expect(await run()).toEqual([]);
  });
});

describe('the events of a wallet', () => {
  const topUp = { ...wallet, reference: 'TOPUP-2', credits: 500, invoice: 'IDV-2026-000002' };
  const sequences = () => w.sent.map(({ detail }) => detail['sequence']);

  test('have rising sequence numbers and the balance', async () => {
    w.available = [9, 0];
    expect(await run()).toEqual(['Balance Low']);
    w.available = [0, 0];
    expect(await runFor()).toEqual(['Wallet Empty']);
    expect(sequences()).toEqual([2]);
    [w.available, w.topUps] = [[20, 0], [topUp]];
    expect(await runFor({ reference: topUp.reference })).toEqual(['Top-Up Credited']);
    expect(w.sent[0]?.detail).toMatchObject({ credits: 500, available: 20, sequence: 3 });
    expect(await run()).toEqual([]);
    w.available = [0, 0];
    await runFor();
    expect(sequences()).toEqual([4]);
  });

  test('include a state that had ended when the publisher ran', async () => {
    expect(await runFor({ atMost: 0 })).toEqual(['Balance Low', 'Wallet Empty']);
    expect(w.sent.map(({ detail }) => detail['available'])).toEqual([0, 0]);
    expect(sequences()).toEqual([1, 2]);
    expect(await run()).toEqual([]);
  });

  test('include the state before a top-up, and come before it', async () => {
    w.topUps = [topUp];
    expect(await runFor({ atMost: 0, reference: topUp.reference })).toEqual([
      'Balance Low',
      'Wallet Empty',
      'Top-Up Credited',
    ]);
  });

  test('do not repeat a state that is already published, if the publisher is started late', async () => {
    const atMs = w.nowMs;
    w.available = [0, 0];
    await runFor();
    w.available = [500, 0];
    await runFor();
    expect(await runFor({ atMs, atMost: 0 })).toEqual([]);
  });

  test('are sent after an outage of the bus, even if the state has ended', async () => {
    [w.isBusDown, w.available] = [true, [9, 0]];
    await expect(runFor()).rejects.toThrow('The bus is unavailable.');
    [w.isBusDown, w.available] = [false, [900, 0]];
    expect(await run()).toEqual(['Balance Low']);
    expect(w.sent[0]?.detail).toMatchObject({ available: 9, sequence: 1 });
    expect(await run()).toEqual([]);
  });

  test('of two concurrent runs never share a sequence number', async () => {
    w.available = [9, 0];
    const other = { subject: 'WALLET#made-up-bank', state: 'low', publishedAtMs: 1, sequence: 1 } as const;
    w.onStore = () => {
      w.onStore = () => {};
      w.published.set(other.subject, { ...other, unsent: [] });
      w.available = [0, 0];
    };
    expect(await runFor()).toEqual(['Wallet Empty']);
    expect(sequences()).toEqual([2]);
  });

  test('of a threshold of 0 are only about an empty wallet', async () => {
    [w.available, w.lowBalanceCredits] = [[0, 0], 0];
    expect(await runFor()).toEqual(['Wallet Empty']);
  });
});

describe('a registry', () => {
  test('causes one event when it goes down and one when it is up again, but none when it is degraded', async () => {
    w.status = 'degraded';
    expect(await run()).toEqual([]);
    w.status = 'down';
    expect(await run()).toEqual(['Registry Down']);
    expect(w.sent[0]?.detail).toEqual({ registry: 'prembly', name: 'Prembly' });
    w.status = 'degraded';
    expect(await run()).toEqual([]);
    w.status = 'up';
    expect(await run()).toEqual(['Registry Up']);
    expect(await run()).toEqual([]);
  });
});

describe('a disabled registry', () => {
  test('does not count as down, so that no alarm fires', async () => {
    w.status = 'down';
    expect(await run()).toEqual(['Registry Down']);
    expect(w.report.registriesDown).toBe(1);
    w.disabled = { actor: 'ada', reason: 'wrong records', atMs: NOW_MS };
    await run();
    expect(w.report.registriesDown).toBe(0);
    w.disabled = undefined;
    w.status = 'up';
    expect(await run()).toEqual(['Registry Up']);
  });
});

describe('the look-ups of an ID type', () => {
  test('are unavailable when all of its providers are down, and available when one is up again', async () => {
    w.status = 'down';
    expect(await run()).toEqual(['Registry Down']);
    w.dojah = 'down';
    expect(await run()).toEqual(['Registry Down', 'Look-Ups Unavailable', 'Look-Ups Unavailable']);
    expect(w.sent.slice(1).map(({ detail }) => detail)).toEqual([{ id_type: 'NIN' }, { id_type: 'BVN' }]);
    w.dojah = 'degraded';
    expect(await run()).toEqual([]);
    w.status = 'up';
    expect(await run()).toEqual(['Registry Up', 'Look-Ups Available']);
    expect(w.sent[1]?.detail).toEqual({ id_type: 'NIN' });
    w.dojah = 'up';
    expect(await run()).toEqual(['Registry Up', 'Look-Ups Available']);
    expect(w.sent[1]?.detail).toEqual({ id_type: 'BVN' });
  });
});

const key: ApiKey = {
  organisationId: 'made-up-bank',
  hash: 'a'.repeat(64),
  env: 'live',
  status: 'ACTIVE',
  label: 'till 4',
  lastFour: 'wxyz',
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('an API key', () => {
  const endingIn = (ms: number) => ({ ...key, notAfter: new Date(NOW_MS + ms).toISOString() });

  test('causes one event 30 days before its expiry, and another 7 days before', async () => {
    w.keys = [endingIn(31 * DAY_MS)];
    expect(await run()).toEqual([]);
    w.nowMs += 2 * DAY_MS;
    expect(await run()).toEqual(['API Key Expiring']);
    expect(w.sent[0]?.detail).toMatchObject({ days_left: 29 });
    expect(await run()).toEqual([]);
    w.nowMs += 21 * DAY_MS;
    expect(await run()).toEqual([]);
    w.nowMs += DAY_MS;
    expect(await run()).toEqual(['API Key Expiring']);
    expect(w.sent[0]?.detail).toMatchObject({ days_left: 7 });
    expect(await run()).toEqual([]);
  });

  test('causes only one event if its expiry is set to less than 7 days ahead, with its label and without its hash', async () => {
    w.keys = [key];
    expect(await run()).toEqual([]);
    w.keys = [endingIn(6 * DAY_MS)];
    expect(await run()).toEqual(['API Key Expiring']);
    expect(w.sent[0]?.detail).toEqual({
      organisation: 'made-up-bank',
      environment: 'live',
      label: 'till 4',
      last_four: 'wxyz',
      not_after: '2026-11-27T12:00:00.000Z',
      days_left: 6,
    });
    expect(JSON.stringify(w.sent)).not.toContain(key.hash);
    expect(await run()).toEqual([]);
  });

  test('that is revoked, expired or replaced by a rotation causes no event', async () => {
    const replaced = { ...endingIn(DAY_MS), replacedAt: '2026-11-20T12:00:00.000Z' };
    w.keys = [{ ...endingIn(DAY_MS), status: 'REVOKED' }, endingIn(-DAY_MS), replaced];
    expect(await run()).toEqual([]);
  });
});

describe('the use of a live key', () => {
  const earlier = (...counts: number[]) => new Map(counts.map((count, day) => [`d${day}`, count]));
  const QUIET = { lookUpsToday: 0, missesToday: 0, earlierLookUps: earlier(100, 80, 120) };
  const use = (changes: Partial<KeyUsage>, hash = key.hash) => w.usage.set(hash, { ...QUIET, ...changes });

  beforeEach(() => {
    w.keys = [key];
  });

  test('from a new network causes one event for each new network', async () => {
    use({ network: '203.0.113.0/24' });
    expect(await run()).toEqual([]);
    use({ network: '198.51.100.0/24', newNetwork: '198.51.100.0/24', newNetworkAtMs: w.nowMs });
    expect(await run()).toEqual(['Key Used From New Network']);
    expect(w.sent[0]?.detail).toEqual({
      organisation: 'made-up-bank',
      label: 'till 4',
      last_four: 'wxyz',
      network: '198.51.100.0/24',
      last_network: '198.51.100.0/24',
    });
    const [first] = w.sent;
    expect(await run()).toEqual([]);
    use({ network: '203.0.113.0/24', newNetwork: '192.0.2.0/24', newNetworkAtMs: w.nowMs });
    expect(await run()).toEqual(['Key Used From New Network']);
    expect(w.sent[0]?.id).not.toBe(first?.id);
    expect(JSON.stringify(w.sent)).not.toContain(key.hash);
  });

  test('with many misses causes one event a day, and is counted as unusual until misses return to normal', async () => {
    const misses = (lookUpsToday: number, missesToday: number) =>
      use({ lookUpsToday, missesToday, earlierLookUps: earlier(1000) });
    misses(251, 50);
    expect(await run()).toEqual([]);
    misses(250, 50);
    expect(await run()).toEqual(['Misses High']);
    expect(w.sent[0]?.detail).toMatchObject({ label: 'till 4', look_ups: 250, misses: 50 });
    expect(await run()).toEqual([]);
    expect(w.report).toMatchObject({ withManyMisses: 1, withManyLookUps: 0, withManyRejections: 0 });
    use({});
    await run();
    expect(w.report.withManyMisses).toBe(0);
    misses(60, 60);
    expect(await run()).toEqual(['Misses High']);
  });

  test.each([
    ['twice as many look-ups as on the busiest of the last 14 days', { lookUpsToday: 240 }, []],
    ['more than twice as many', { lookUpsToday: 241 }, ['Look-Ups High']],
    ['few look-ups', { lookUpsToday: 99, earlierLookUps: earlier(1, 1, 1) }, []],
    ['fewer than 3 earlier days', { lookUpsToday: 5000, earlierLookUps: earlier(1, 1) }, []],
  ])('with %s causes %j', async (_, changes, events) => {
    use(changes);
    expect(await run()).toEqual(events);
    expect(w.report.withManyLookUps).toBe(events.length);
  });

  test('that replaced another is compared with the earlier days of the organisation', async () => {
    const old = { ...key, hash: 'b'.repeat(64), status: 'REVOKED' as const };
    w.keys = [old, key];
    use({}, old.hash);
    use({ lookUpsToday: 241, earlierLookUps: earlier() });
    expect(await run()).toEqual(['Look-Ups High']);
    expect(w.sent[0]?.detail).toEqual({
      organisation: 'made-up-bank',
      label: '',
      last_four: '',
      look_ups: 241,
      busiest_day: 120,
    });
  });

  test('that is revoked, or of a test key, causes no event', async () => {
    const changes = {
      newNetwork: '192.0.2.0/24',
      newNetworkAtMs: w.nowMs,
      lookUpsToday: 900,
      missesToday: 900,
    };
    for (const one of [
      { ...key, status: 'REVOKED' as const },
      { ...key, env: 'test' as const },
    ]) {
      w.keys = [one];
      use(changes);
      expect(await run()).toEqual([]);
    }
  });
});

describe('rejected keys that name an organisation', () => {
  test('cause one event when there are many', async () => {
    w.rejections = 49;
    expect(await run()).toEqual([]);
    w.rejections = 50;
    expect(await run()).toEqual(['Rejected Keys High']);
    expect(w.sent[0]?.detail).toEqual({ organisation: 'made-up-bank', rejections: 50 });
    expect(await run()).toEqual([]);
    expect(w.report.withManyRejections).toBe(1);
  });
});

describe('an event', () => {
  test('that could not be sent is sent by the next run', async () => {
    w.isBusDown = true;
    w.status = 'down';
    await expect(run()).rejects.toThrow('The bus is unavailable.');
    w.isBusDown = false;
    expect(await run()).toEqual(['Registry Down']);
  });

  test('has the same ID when it is sent again, and the next event has a different ID', async () => {
    w.status = 'down';
    await run();
    const [first] = w.sent;
    w.published.clear();
    await run();
    expect(w.sent[0]?.id).toBe(first?.id);
    w.status = 'up';
    await run();
    expect(w.sent[0]?.id).not.toBe(first?.id);
  });
});

import { InternalServerError, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SCHEDULES } from '../../../infra/routes.ts';
import type { ShardRef, WalletId } from '../../../shared/core/keys.ts';
import type { LedgerTables } from '../../../shared/ledger/dependencies.ts';
import type { Charge } from '../../../shared/ledger/rows/charge.ts';
import type { Hold } from '../../../shared/ledger/rows/wallet.ts';
import {
  type FoundHold,
  SWEEP_WITHIN_MS,
  type SweepReport,
  sweepHolds,
} from '../../../shared/ledger/sweep.ts';

/**
 * Tests the sweeper's pace, and the report from which its metrics are published. test/ledger tests its effects on
 * holds.
 */

const REQUESTED_MS = Date.parse('2026-11-21T12:00:00.000Z');
const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;
const HOLD_ID = '01KAJ0000000000000000000AA.0';

/**
 * Returns a sweeper over one shard with one hold and the given charge row. If `charge` is an error, reading the row
 * throws it.
 */
function sweeperOf(charge: Charge | Error) {
  const hold: Hold = {
    requestId: 'req_000000000001',
    cost: 2,
    service: 'nin-basic',
    keyLabel: 'server',
    numberTag: 'tag',
    expiresAtMs: REQUESTED_MS + 40_000,
  };
  const holds: Record<string, Hold> = { [HOLD_ID]: hold };
  const logged: string[] = [];
  const logError: { current: Error | undefined } = { current: undefined };
  const tables = {
    shards: {
      listShards: async (env: string) => (env === 'live' ? [{ wallet: WALLET, shard: 0 }] : []),
      getShards: async (refs: readonly unknown[]) =>
        refs.map(() => ({
          wallet: WALLET,
          row: { shard: 0, available: 8, credited: 10, holds: { ...holds } },
        })),
    },
    charges: {
      getCharge: async () => {
        if (charge instanceof Error) throw charge;
        return charge;
      },
    },
    log: {
      writeUnlessErased: async ({ operationId }: { operationId: string }) => {
        if (logError.current) throw logError.current;
        logged.push(operationId);
        return 'logged';
      },
    },
    wallets: {
      clearHolds: async (_wallet: unknown, _shard: number, ids: readonly string[]) => {
        for (const id of ids) delete holds[id];
      },
      releaseHold: async (_wallet: unknown, { holdId }: { holdId: string }) => delete holds[holdId],
      countSweepFailure: async () => {
        holds[HOLD_ID] = { ...hold, sweepFailures: (holds[HOLD_ID]?.sweepFailures ?? 0) + 1 };
      },
    },
  } as unknown as LedgerTables;
  const failures: FoundHold[] = [];
  const failLog = (error: Error | undefined) => {
    logError.current = error;
  };
  const sweep = (minutes: number): Promise<SweepReport> => {
    const nowMs = () => REQUESTED_MS + minutes * 60_000;
    const clock = { nowMs, pause: async () => {}, random: () => 0 };
    return sweepHolds(tables, clock, (_error, found) => failures.push(found));
  };
  return { sweep, holds, logged, failures, failLog };
}

function errorNamed(name: string, more: object = {}): Error {
  return Object.assign(new Error('made up'), { name, $metadata: {}, ...more });
}

function cancelled(...codes: string[]): Error {
  const reasons = codes.map((Code) => ({ Code }));
  return new TransactionCanceledException({ message: 'x', $metadata: {}, CancellationReasons: reasons });
}

const UNREADABLE = errorNamed('ValiError');

const VOID = { state: 'VOID', operationId: '01KAJ0000000000000000000AA' } as Charge;

describe('a sweep reports', () => {
  test('the age and five failures of a hold that cannot be settled, and then its quarantine', async () => {
    const { sweep, failures, holds } = sweeperOf(UNREADABLE);
    for (let minute = 1; minute <= 5; minute += 1)
      expect(await sweep(minute)).toMatchObject({ failed: 1, quarantined: 0, oldestHoldMs: minute * 60_000 });
    expect(await sweep(6)).toMatchObject({ failed: 0, quarantined: 1, oldestHoldMs: 360_000 });
    const failed = { wallet: WALLET, hold: { shard: 0, holdId: HOLD_ID } };
    expect(failures).toMatchObject(Array(5).fill(failed));
    expect(Object.keys(holds)).toEqual([HOLD_ID]);
  });

  test('a hold that it released, and an age of 0 if no hold is left', async () => {
    const { sweep, holds, logged } = sweeperOf(VOID);
    expect(await sweep(1)).toEqual({
      shards: 1,
      open: 0,
      settled: 0,
      released: 1,
      failed: 0,
      quarantined: 0,
      postponed: 0,
      oldestHoldMs: 0,
    });
    expect(holds).toEqual({});
    expect(logged).toEqual([VOID.operationId]);
  });

  test('a hold as open while its request is still running, and does not change it', async () => {
    const { sweep, holds } = sweeperOf(VOID);
    expect(await sweep(0.5)).toMatchObject({ open: 1, released: 0, oldestHoldMs: 30_000 });
    expect(Object.keys(holds)).toEqual([HOLD_ID]);
  });
});

describe('a hold whose log row cannot be written for ten sweeps is retried every minute and settled afterwards:', () => {
  test.each([
    ['transaction conflicts', cancelled('TransactionConflict', 'None')],
    ['a throttled transaction', cancelled('None', 'ThrottlingError')],
    ['conflicts with a transaction', errorNamed('TransactionConflictException')],
    ['a transaction that is still in progress', errorNamed('TransactionInProgressException')],
    ['throttling', errorNamed('ProvisionedThroughputExceededException')],
    ['timeouts', errorNamed('TimeoutError')],
    ['no connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a disabled key', errorNamed('AccessDeniedException', { $metadata: { httpStatusCode: 400 } })],
    ['500', new InternalServerError({ message: 'x', $metadata: { httpStatusCode: 500 } })],
    ['503', errorNamed('ServiceUnavailable', { $metadata: { httpStatusCode: 503 } })],
    ['an error that may be retried', errorNamed('Unheard', { $retryable: {} })],
  ])('%s', async (_name, error) => {
    const { sweep, failLog, failures, holds, logged } = sweeperOf(VOID);
    failLog(error);
    for (let minute = 1; minute <= 10; minute += 1)
      expect(await sweep(minute)).toMatchObject({ failed: 1, quarantined: 0, oldestHoldMs: minute * 60_000 });
    expect(failures.length).toBe(10);
    expect(holds[HOLD_ID]?.sweepFailures).toBeUndefined();
    failLog(undefined);
    expect(await sweep(11)).toMatchObject({ released: 1, failed: 0, oldestHoldMs: 0 });
    expect(logged).toEqual([VOID.operationId]);
  });
});

test.each([
  ['a rejected call', errorNamed('ValidationException', { $metadata: { httpStatusCode: 400 } })],
  ['a rejected item of a transaction', cancelled('None', 'ValidationError')],
  ['a rejected item and a conflict', cancelled('TransactionConflict', 'ValidationError')],
  ['a transaction cancelled without a reason', cancelled('None', 'None')],
  ['an error in the code', new TypeError('x is undefined')],
])('a hold is quarantined after five sweeps with %s', async (_name, error) => {
  const { sweep, failLog, holds } = sweeperOf(VOID);
  failLog(error);
  for (let minute = 1; minute <= 5; minute += 1) expect(await sweep(minute)).toMatchObject({ failed: 1 });
  failLog(undefined);
  expect(await sweep(6)).toMatchObject({ quarantined: 1, released: 0 });
  expect(holds[HOLD_ID]?.sweepFailures).toBe(5);
});

/** Returns a sweeper over 20 wallets of one shard each. Each call to charges, logs and holds takes `callMs`. */
function busySweeper(callMs: number) {
  const stale = new Map<string, { readonly ref: ShardRef; readonly hold: Hold }>();
  const inFlight = { now: 0, most: 0 };
  /** Counts the log rows that are being written for each number of a wallet, and keeps the largest count. */
  const writing = { now: new Map<string, number>(), mostOfOneNumber: 0 };
  const begun: string[] = [];
  const slow = async <T>(result: T): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, callMs));
    return result;
  };
  const refs = Array.from({ length: 20 }, (_, index) => ({
    wallet: { env: 'live', organisationId: `organisation${index}` } as const,
    shard: 0,
  }));
  const holdsOf = (ref: ShardRef) =>
    Object.fromEntries([...stale].flatMap(([id, one]) => (one.ref === ref ? [[id, one.hold]] : [])));
  const tables = {
    shards: {
      listShards: async (env: string) => (env === 'live' ? refs : []),
      getShards: async (asked: readonly ShardRef[]) =>
        asked.map((ref) => ({ wallet: ref.wallet, row: { shard: 0, holds: holdsOf(ref) } })),
    },
    charges: {
      getCharge: (_: unknown, operationId: string) => {
        begun.push(operationId);
        inFlight.now += 1;
        inFlight.most = Math.max(inFlight.most, inFlight.now);
        return slow(undefined);
      },
      decide: (_: unknown, row: Charge) => slow(row),
    },
    log: {
      writeUnlessErased: async ({ wallet, numberTag }: { wallet: WalletId; numberTag: string }) => {
        const number = `${wallet.organisationId} ${numberTag}`;
        const now = (writing.now.get(number) ?? 0) + 1;
        writing.now.set(number, now);
        writing.mostOfOneNumber = Math.max(writing.mostOfOneNumber, now);
        await slow(undefined);
        writing.now.set(number, (writing.now.get(number) ?? 0) - 1);
        return 'logged';
      },
    },
    wallets: {
      releaseHold: async (_: unknown, { holdId }: { holdId: string }) => {
        await slow(undefined);
        inFlight.now -= 1;
        return stale.delete(holdId);
      },
    },
  } as unknown as LedgerTables;
  /** Adds holds to all wallets in turn, each for a different number or all for the same one. */
  const addHolds = (name: string, count: number, expiresAtMs: number, sameNumber?: string) => {
    for (let index = 0; index < count; index += 1) {
      const ref = refs[index % refs.length];
      const hold = { ...STALE, numberTag: sameNumber ?? `${name}${index}`, expiresAtMs: expiresAtMs + index };
      if (ref) stale.set(`${name}${index}.0`, { ref, hold });
    }
  };
  /** Sweeps once. Returns the report, and the time that the sweep took. */
  const sweep = async () => {
    const clock = { nowMs: Date.now, pause: async () => undefined, random: () => 0 };
    const startMs = Date.now();
    const ended = { atMs: 0 };
    const sweeping = sweepHolds(tables, clock, () => undefined).finally(() => {
      ended.atMs = Date.now();
    });
    await jest.advanceTimersByTimeAsync(60_000);
    return { report: await sweeping, tookMs: ended.atMs - startMs };
  };
  return { addHolds, sweep, stale, begun, inFlight, writing };
}

const STALE: Omit<Hold, 'expiresAtMs' | 'numberTag'> = {
  requestId: 'req_000000000001',
  cost: 1,
  service: 'nin-basic',
  keyLabel: 'server',
};

describe('many stale holds', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: REQUESTED_MS });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('are settled 32 at a time: 2,000 of them within a second, at 3 ms per call', async () => {
    const { addHolds, sweep, stale, inFlight } = busySweeper(3);
    addHolds('hold', 2_000, REQUESTED_MS - 100_000);
    const { report, tookMs } = await sweep();

    expect(report).toMatchObject({ released: 2_000, postponed: 0, oldestHoldMs: 0 });
    expect(stale.size).toBe(0);
    expect(inFlight.most).toBe(32);
    expect(tookMs).toBeLessThan(1_000);
  });

  test('of the same number in a wallet are settled one after another, oldest first, while others are settled in parallel', async () => {
    const { addHolds, sweep, stale, begun, inFlight, writing } = busySweeper(3);
    addHolds('same', 200, REQUESTED_MS - 200_000, 'tag');
    addHolds('other', 500, REQUESTED_MS - 100_000);
    const { report, tookMs } = await sweep();

    expect(report).toMatchObject({ released: 700, failed: 0, postponed: 0 });
    expect(stale.size).toBe(0);
    expect(writing.mostOfOneNumber).toBe(1);
    expect(inFlight.most).toBe(32);
    expect(tookMs).toBeLessThan(1_000);
    // In each of the 20 wallets, holds of one number wait for each other. Holds of other numbers do not wait.
    const first = begun.slice(0, 32);
    expect(first.filter((id) => id.startsWith('same'))).toEqual(
      Array.from({ length: 20 }, (_, n) => `same${n}`),
    );
    expect(first.filter((id) => id.startsWith('other'))).toEqual(
      Array.from({ length: 12 }, (_, n) => `other${n}`),
    );
    const ofOneWallet = begun.filter((id) => /^same\d*[02468]7$|^same7$/.test(id));
    expect(ofOneWallet).toEqual([
      'same7',
      ...[27, 47, 67, 87, 107, 127, 147, 167, 187].map((n) => `same${n}`),
    ]);
  });

  test('are settled in several sweeps if time runs out, and the next sweep begins with those that were not reached', async () => {
    const { addHolds, sweep, stale, begun } = busySweeper(300);
    addHolds('old', 2_000, REQUESTED_MS - 100_000);
    const first = await sweep();
    const left = new Set([...stale.keys()].map((holdId) => holdId.slice(0, -2)));

    expect(first.tookMs).toBeLessThanOrEqual(SWEEP_WITHIN_MS);
    expect(left.size).toBeGreaterThan(500);
    expect(first.report).toMatchObject({ released: 2_000 - left.size, postponed: left.size });
    expect(first.report.oldestHoldMs).toBeGreaterThan(100_000);

    begun.length = 0;
    addHolds('new', 100, REQUESTED_MS - 50_000);
    const second = await sweep();

    expect(new Set(begun.slice(0, left.size))).toEqual(left);
    expect(second.report.postponed).toBe(0);
    expect(stale.size).toBe(0);
  });

  test("do not extend the sweep beyond its function's timeout if a table stops responding", async () => {
    const { addHolds, sweep } = busySweeper(10_000_000);
    addHolds('hold', 1, REQUESTED_MS - 100_000);
    const { timeoutSeconds = 0 } = SCHEDULES.find(({ name }) => name === 'sweep-holds') ?? {};

    expect(SWEEP_WITHIN_MS).toBeLessThan(timeoutSeconds * 1000);
    expect((await sweep()).report).toMatchObject({ released: 0, postponed: 1 });
  });
});

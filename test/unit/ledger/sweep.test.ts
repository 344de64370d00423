import { describe, expect, test } from '@jest/globals';
import type { LedgerTables } from '../../../shared/ledger/dependencies.ts';
import type { Charge } from '../../../shared/ledger/rows/charge.ts';
import type { Hold } from '../../../shared/ledger/rows/wallet.ts';
import { type SweepReport, sweepHolds } from '../../../shared/ledger/sweep.ts';

/** The report of the sweeper, from which its metrics are published. What it does to holds is tested in test/ledger. */

const REQUESTED_MS = Date.parse('2026-11-21T12:00:00.000Z');
const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;
const HOLD_ID = '01KAJ0000000000000000000AA.0';

/** A sweeper over one shard with one hold and the given charge row, which may be unreadable. */
function sweeperOf(charge: Charge | 'unreadable') {
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
        if (charge === 'unreadable') throw new Error('The table does not respond.');
        return charge;
      },
    },
    log: { writeOnce: async ({ operationId }: { operationId: string }) => logged.push(operationId) },
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
  const failures: string[] = [];
  const sweep = (minutes: number): Promise<SweepReport> => {
    const nowMs = () => REQUESTED_MS + minutes * 60_000;
    const tools = { nowMs, pause: async () => {}, random: () => 0 };
    return sweepHolds(tables, tools, (_error, holdId) => failures.push(holdId));
  };
  return { sweep, holds, logged, failures };
}

const VOID = { state: 'VOID', operationId: '01KAJ0000000000000000000AA' } as Charge;

describe('a sweep reports', () => {
  test('the age and five failures of a hold that cannot be settled, and then its quarantine', async () => {
    const { sweep, failures, holds } = sweeperOf('unreadable');
    for (let minute = 1; minute <= 5; minute += 1)
      expect(await sweep(minute)).toMatchObject({ failed: 1, quarantined: 0, oldestHoldMs: minute * 60_000 });
    expect(await sweep(6)).toMatchObject({ failed: 0, quarantined: 1, oldestHoldMs: 360_000 });
    expect(failures).toEqual(Array(5).fill(HOLD_ID));
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
      oldestHoldMs: 0,
    });
    expect(holds).toEqual({});
    expect(logged).toEqual([VOID.operationId]);
  });

  test('a hold whose request still runs as open, and does not change it', async () => {
    const { sweep, holds } = sweeperOf(VOID);
    expect(await sweep(0.5)).toMatchObject({ open: 1, released: 0, oldestHoldMs: 30_000 });
    expect(Object.keys(holds)).toEqual([HOLD_ID]);
  });
});

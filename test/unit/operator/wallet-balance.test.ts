import { expect, test } from '@jest/globals';
import { readBalance } from '../../../shared/ledger/read-balance.ts';
import type { WalletShard } from '../../../shared/ledger/rows/wallet.ts';
import type { ShardTable } from '../../../shared/ledger/tables/shard-table.ts';

/** Tests that a balance is no sum that transfers have distorted. */

const SHARDS: readonly WalletShard[] = [
  { shard: 0, available: 4, credited: 5, holds: {} },
  { shard: 1, available: 2, credited: 1, holds: {} },
];

/**
 * Reads the balance of a wallet of two shards. The first `cancelled` snapshots are cancelled. Each read that is not a
 * snapshot finds `topUp` more credits than the one before.
 */
function balance(cancelled: number, topUp = 0) {
  let [attempts, credited] = [0, 5];
  const shards = {
    snapshot: async () => {
      attempts += 1;
      return attempts > cancelled ? SHARDS : undefined;
    },
    withoutSpentHolds: async (_: unknown, rows: readonly WalletShard[]) => rows,
    // One shard is read before a transfer of 3 credits, and the other after it.
    getShards: async () => {
      credited += topUp;
      return SHARDS.map((row) => ({
        row: row.shard === 0 ? { ...row, credited } : { ...row, available: row.available - 3, moved: -3 },
      }));
    },
  };
  const clock = { nowMs: () => 0, pause: async () => undefined, random: () => 0 };
  return readBalance(WALLET, 2, shards as unknown as ShardTable, clock);
}

const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;

test('a balance is the sum of one snapshot, even if the first attempts are cancelled', async () => {
  expect(await balance(3)).toEqual({ available: 6, held: 0, credited: 6 });
});

test('a balance is not distorted by a transfer even if every snapshot is cancelled', async () => {
  expect(await balance(Number.POSITIVE_INFINITY)).toEqual({ available: 6, held: 0, credited: 6 });
});

test('the balance of a wallet that receives credits during every reading cannot be read', async () => {
  expect(await balance(Number.POSITIVE_INFINITY, 10)).toBeUndefined();
});

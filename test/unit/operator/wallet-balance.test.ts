import { expect, test } from '@jest/globals';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import type { WalletShard } from '../../../shared/ledger/rows/wallet.ts';
import { walletOperations } from '../../../shared/operators/operations/wallets.ts';

/** Tests that `wallet balance` shows no sum that transfers have distorted. */

const SHARDS: readonly WalletShard[] = [
  { shard: 0, available: 4, credited: 5, holds: {} },
  { shard: 1, available: 2, credited: 1, holds: {} },
];

/**
 * Returns operations on a wallet of two shards. The first `cancelled` snapshots are cancelled. Each read that is not a
 * snapshot finds `topUp` more credits than the one before.
 */
function operations(cancelled: number, topUp = 0) {
  let [attempts, credited] = [0, 5];
  const organisation = { ...newOrganisation('Harmattan', new Date(0)), walletShards: 2 };
  const organisations = { getOrganisation: async () => organisation };
  const shards = {
    snapshot: async () => {
      attempts += 1;
      return attempts > cancelled ? SHARDS : undefined;
    },
    // One shard is read before a transfer of 3 credits, and the other after it.
    getShards: async () => {
      credited += topUp;
      return SHARDS.map((row) => ({
        row: row.shard === 0 ? { ...row, credited } : { ...row, available: row.available - 3, moved: -3 },
      }));
    },
  };
  const clock = { nowMs: () => 0, pause: async () => undefined, random: () => 0 };
  type Given = Parameters<typeof walletOperations>;
  return walletOperations(
    organisations as unknown as Given[0],
    { shards, credits: {} } as unknown as Given[1],
    clock,
  );
}

const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;

test('a balance is the sum of one snapshot, even if the first attempts are cancelled', async () => {
  expect(await operations(3).balance(WALLET)).toEqual({ available: 6, held: 0, credited: 6 });
});

test('a balance is not distorted by a transfer even if every snapshot is cancelled', async () => {
  const balance = await operations(Number.POSITIVE_INFINITY).balance(WALLET);
  expect(balance).toEqual({ available: 6, held: 0, credited: 6 });
});

test('the balance of a wallet that receives credits during every reading cannot be read', async () => {
  await expect(operations(Number.POSITIVE_INFINITY, 10).balance(WALLET)).rejects.toThrow(
    'The live wallet is so busy that its balance cannot be read. Run the same command again.',
  );
});

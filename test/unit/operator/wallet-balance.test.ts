import { expect, test } from '@jest/globals';
import { walletOperations } from '../../../clients/operator/operations/wallets.ts';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import type { WalletShard } from '../../../shared/ledger/rows/wallet.ts';

/** `wallet balance` shows one instant of a wallet, or nothing. */

const SHARDS: readonly WalletShard[] = [
  { shard: 0, available: 4, credited: 5, holds: {} },
  { shard: 1, available: 2, credited: 1, holds: {} },
];

/** Operations on a wallet of two shards. The first `cancelled` reads of both at once are cancelled. */
function operations(cancelled: number) {
  let tries = 0;
  const organisation = { ...newOrganisation('Harmattan', new Date(0)), walletShards: 2 };
  const organisations = { getOrganisation: async () => organisation };
  const shards = {
    snapshot: async () => {
      tries += 1;
      return tries > cancelled ? SHARDS : undefined;
    },
    // One shard was read before a transfer of 3 credits, the other after it.
    getShards: async () =>
      SHARDS.map((row) => ({ row: { ...row, available: row.available - 3 * row.shard } })),
  };
  const tools = { nowMs: () => 0, pause: async () => undefined, random: () => 0 };
  type Given = Parameters<typeof walletOperations>;
  return walletOperations(
    organisations as unknown as Given[0],
    { shards, credits: {} } as unknown as Given[1],
    tools,
  );
}

const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;

test('a balance is the sum of one snapshot, even if the first tries are cancelled', async () => {
  expect(await operations(3).balance(WALLET)).toEqual({ available: 6, held: 0, credited: 6 });
});

test('a wallet that is too busy has no balance', async () => {
  await expect(operations(Number.POSITIVE_INFINITY).balance(WALLET)).rejects.toThrow(
    'The live wallet is too busy to read its balance. Run the same command again.',
  );
});

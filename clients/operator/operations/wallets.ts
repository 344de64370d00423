import { changeOrganisation } from '../../../shared/accounts/manage-organisation.ts';
import { MAX_WALLET_SHARDS, type Organisation } from '../../../shared/accounts/organisation.ts';
import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import { ENVIRONMENTS } from '../../../shared/core/environment.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import type { LedgerTools } from '../../../shared/ledger/dependencies.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import { type Balance, balanceOf } from '../../../shared/ledger/rows/wallet.ts';
import type { CreditTable } from '../../../shared/ledger/tables/credit-table.ts';
import type { ShardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { creditWallet, evenOut } from '../../../shared/ledger/top-up.ts';
import { requireOrganisation } from './organisations.ts';

/** Amount in whole credits; `reference` makes it once, whatever is repeated. */
export type CreditRequest = Pick<Credit, 'reference' | 'amount' | 'actor' | 'reason'>;

interface WalletTables {
  readonly credits: CreditTable;
  readonly shards: ShardTable;
}

export function walletOperations(organisations: OrganisationTable, tables: WalletTables, tools: LedgerTools) {
  async function credit(wallet: WalletId, kind: Credit['kind'], request: CreditRequest) {
    const { walletShards } = await requireOrganisation(organisations, wallet.organisationId);
    // There since the organisation was made, unless that was cut short.
    await tables.shards.createShard(wallet, 0);
    return creditWallet(wallet, walletShards, { ...request, kind }, tables, tools);
  }
  return {
    /** Adds credits. `existed`: the reference was credited before, with the same amount; nothing changed now. */
    topUp: (wallet: WalletId, request: CreditRequest) => credit(wallet, 'TOP_UP', request),
    /** Adds credits, or takes them where the amount is negative; the books keep both rows. */
    correct: (wallet: WalletId, request: CreditRequest) => credit(wallet, 'CORRECTION', request),
    async balance(wallet: WalletId): Promise<Balance> {
      const { walletShards } = await requireOrganisation(organisations, wallet.organisationId);
      const snapshot = await tables.shards.snapshot(wallet, walletShards);
      if (snapshot) return balanceOf(snapshot);
      // A busy wallet cancels the snapshot; then as the customer's balance: each shard at its own instant.
      const places = shardNumbers(walletShards).map((shard) => ({ wallet, shard }));
      const rows = await tables.shards.getShards(places);
      return balanceOf(rows.map(({ row }) => row));
    },
    /**
     * Spreads both wallets over `count` shards: makes the shards, then lets requests use them, then moves credit
     * there. Each step can be repeated, so an interrupted command is simply run again.
     */
    async setShards(organisationId: string, count: number): Promise<Organisation> {
      const before = await requireOrganisation(organisations, organisationId);
      refuseShards(before, count);
      const wallets = ENVIRONMENTS.map((env) => ({ env, organisationId }));
      for (const wallet of wallets) {
        for (const shard of shardNumbers(count)) await tables.shards.createShard(wallet, shard);
      }
      const after = await changeOrganisation(organisations, organisationId, (row) => {
        refuseShards(row, count);
        return { ...row, walletShards: count };
      });
      for (const wallet of wallets) {
        if (!(await evenOut(wallet, count, tables.shards, tools)))
          throw new Error(
            `The ${wallet.env} wallet was too busy to spread its credit. Run the same command again.`,
          );
      }
      return after;
    },
  };
}

function shardNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, shard) => shard);
}

/** Never lowered: credit and holds of a shard that nobody reads would be lost to the customer. */
function refuseShards({ id, walletShards }: Organisation, count: number): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_WALLET_SHARDS)
    throw new Error(`A wallet has 1 to ${MAX_WALLET_SHARDS} shards.`);
  if (count < walletShards)
    throw new Error(`The wallets of ${id} have ${walletShards} shards already; the number is never lowered.`);
}

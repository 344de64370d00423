import type { OrganisationTable } from '../../shared/accounts/organisation-table.ts';
import type { BooksTable } from '../../shared/wallets/books-table.ts';
import type { LedgerTools } from '../../shared/wallets/ledger.ts';
import { openStatement, type StatementRange } from '../../shared/wallets/read-statement.ts';
import { type Reconciliation, reconcileWallets } from '../../shared/wallets/reconcile-wallets.ts';
import type { StatementTable } from '../../shared/wallets/statement-table.ts';
import type { WalletId } from '../../shared/wallets/wallet.ts';
import { needOrganisation } from './operate-organisations.ts';

interface BookTables {
  readonly books: BooksTable;
  readonly statement: StatementTable;
}

/** What finance does: it reads, and changes nothing. */
export function bookOperations(
  organisations: OrganisationTable,
  { books, statement }: BookTables,
  logRetentionDays: number,
  tools: LedgerTools,
) {
  return {
    /** The balance before the range, and its credits and debits one by one, in their order. */
    async statement(wallet: WalletId, range: StatementRange) {
      const { walletShards, createdAt } = await needOrganisation(organisations, wallet.organisationId);
      return openStatement({ wallet, shards: walletShards, createdAt }, range, undefined, statement);
    },
    /** Recomputes the books of one organisation, or of all. */
    async reconcile(organisationId?: string): Promise<Reconciliation> {
      if (organisationId !== undefined) await needOrganisation(organisations, organisationId);
      const source = { ...books, listOrganisations: organisations.listOrganisations };
      return reconcileWallets(source, { nowMs: tools.nowMs(), logRetentionDays, organisationId });
    },
  };
}

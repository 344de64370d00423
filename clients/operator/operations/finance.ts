import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import type { LedgerTools } from '../../../shared/ledger/dependencies.ts';
import { type Reconciliation, reconcileWallets } from '../../../shared/ledger/reconcile/reconcile.ts';
import type { ReconcileTable } from '../../../shared/ledger/reconcile/reconcile-table.ts';
import { openStatement, type StatementRange } from '../../../shared/ledger/statement/read-statement.ts';
import type { StatementTable } from '../../../shared/ledger/statement/statement-table.ts';
import { requireOrganisation } from './organisations.ts';

interface BookTables {
  readonly totals: ReconcileTable;
  readonly statement: StatementTable;
}

/** What finance does: it reads, and changes nothing. */
export function bookOperations(
  organisations: OrganisationTable,
  { totals, statement }: BookTables,
  logRetentionDays: number,
  tools: LedgerTools,
) {
  return {
    /** The balance before the range, and its credits and debits one by one, in their order. */
    async statement(wallet: WalletId, range: StatementRange) {
      const { walletShards, createdAt } = await requireOrganisation(organisations, wallet.organisationId);
      return openStatement({ wallet, shards: walletShards, createdAt }, range, undefined, statement);
    },
    /** Recomputes the books of one organisation, or of all. */
    async reconcile(organisationId?: string): Promise<Reconciliation> {
      if (organisationId !== undefined) await requireOrganisation(organisations, organisationId);
      const source = { ...totals, listOrganisations: organisations.listOrganisations };
      return reconcileWallets(source, { nowMs: tools.nowMs(), logRetentionDays, organisationId });
    },
  };
}

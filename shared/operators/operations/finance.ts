import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import type { TrailSource } from '../../audit/compare-trail.ts';
import type { Clock } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { type Reconciliation, reconcileWallets } from '../../ledger/reconcile/reconcile.ts';
import type { ReconcileTable } from '../../ledger/reconcile/reconcile-table.ts';
import {
  type FindBalance,
  latestBalance,
  openStatement,
  type StatementRange,
} from '../../ledger/statement/read-statement.ts';
import type { StatementTable } from '../../ledger/statement/statement-table.ts';
import type { LotTable } from '../../payments/lots/lot-table.ts';
import { carriedForward } from '../../payments/months/carried-forward.ts';
import type { ClosingTable } from '../../payments/months/closing-table.ts';
import { closedMonthSource } from '../../payments/months/recompute-months.ts';
import { requireOrganisation } from './organisations.ts';

interface FinanceTables {
  readonly totals: ReconcileTable;
  readonly statement: StatementTable;
  readonly closings: ClosingTable;
  readonly lots: LotTable;
  /** Finds the balance at the end of the latest sealed day. */
  readonly sealed: FindBalance;
  /** Opens the audit trail and its archive. Undefined if the deployment has no archive. */
  readonly trail: () => TrailSource | undefined;
}

/** Operations for finance. They only read. */
export function financeOperations(
  organisations: OrganisationTable,
  { totals, statement, closings, lots, sealed, trail }: FinanceTables,
  logRetentionDays: number,
  clock: Clock,
) {
  return {
    /** Returns the opening balance of the range, and its credits and debits in chronological order. */
    async statement(wallet: WalletId, range: StatementRange) {
      const { walletShards, createdAt } = await requireOrganisation(organisations, wallet.organisationId);
      const scope = { wallet, shards: walletShards, createdAt };
      // If the closings or the seals cannot be read, for example without permission, the statement must sum more lines.
      const findBalance = latestBalance(
        carriedForward(closings, () => undefined),
        sealed,
      );
      return openStatement(scope, range, undefined, statement, findBalance);
    },
    /**
     * Reconciles the wallets and the audit trail of one organisation, or of all if `organisationId` is undefined.
     */
    async reconcile(organisationId?: string): Promise<Reconciliation> {
      if (organisationId !== undefined) await requireOrganisation(organisations, organisationId);
      const closedMonths = closedMonthSource(closings, { lots, statement });
      const { listOrganisations } = organisations;
      const opened = trail();
      const source = { ...totals, closedMonths, listOrganisations, ...(opened && { trail: opened }) };
      return reconcileWallets(source, { nowMs: clock.nowMs(), logRetentionDays, organisationId });
    },
  };
}

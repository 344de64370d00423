import { auditRowsTable } from '../../audit/audit-rows-table.ts';
import type { WalletId } from '../../core/keys.ts';
import { type Reconciliation, reconcileWallets } from '../../ledger/reconcile/reconcile.ts';
import { reconcileTable } from '../../ledger/reconcile/reconcile-table.ts';
import { sealedBalance } from '../../ledger/reconcile/sealed-balance-table.ts';
import { latestBalance, openStatement, type StatementRange } from '../../ledger/statement/read-statement.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../../ledger/statement/statement-table.ts';
import { moneySource } from '../../payments/control/money-source.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import { carriedForward } from '../../payments/months/carried-forward.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { closedMonthSource } from '../../payments/months/recompute-months.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** Operations for finance. They only read. */
export function financeOf(place: Workplace) {
  const { deployment, clock } = place;
  const { client, tables, logRetentionDays } = deployment;
  const organisations = organisationsIn(place);
  const statement = statementTable(client, tables.wallets, MONTH_PAGE_ROWS);
  const closings = closingTable(client, tables.payments);
  const lots = lotTable(client, tables.payments);
  return {
    /** Returns the opening balance of the range, and its credits and debits in chronological order. */
    async statement(wallet: WalletId, range: StatementRange) {
      const { walletShards, createdAt } = await requireOrganisation(organisations, wallet.organisationId);
      const scope = { wallet, shards: walletShards, createdAt };
      // If the closings or the seals cannot be read, for example without permission, the statement must sum more lines.
      const findBalance = latestBalance(
        carriedForward(closings, () => undefined),
        sealedBalance(client, tables.wallets, () => undefined),
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
      const totals = reconcileTable(client, tables.wallets, tables.verificationLogs);
      const archive = deployment.archive();
      const trail = archive && { table: auditRowsTable(client, tables.auditTrail), archive };
      const money = moneySource(client, tables, deployment.money);
      const source = { ...totals, closedMonths, money, listOrganisations, ...(trail && { trail }) };
      return reconcileWallets(source, { logRetentionDays, organisationId }, clock);
    },
  };
}

import { organisationTable } from '../shared/accounts/organisation-table.ts';
import { stageArchive } from '../shared/audit/archive-bucket.ts';
import { auditRowsTable } from '../shared/audit/audit-rows-table.ts';
import { REAL_CLOCK } from '../shared/core/clock.ts';
import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import { reconcileDay } from '../shared/ledger/reconcile/reconcile-day.ts';
import { reconcileTable } from '../shared/ledger/reconcile/reconcile-table.ts';
import { differenceReporter, reportRun } from '../shared/ledger/reconcile/report-run.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../shared/ledger/statement/statement-table.ts';
import { moneySource } from '../shared/payments/control/money-source.ts';
import { lotTable } from '../shared/payments/lots/lot-table.ts';
import { closingTable } from '../shared/payments/months/closing-table.ts';
import { closedMonthSource } from '../shared/payments/months/recompute-months.ts';
import { stageMoneySettings } from '../shared/payments/settings.ts';
import { usageSource } from '../shared/usage/usage-source.ts';
import { usageTable } from '../shared/usage/usage-table.ts';

const client = database();
const wallets = setting('WALLETS_TABLE');
const payments = setting('PAYMENTS_TABLE');
const auditTrail = setting('AUDIT_TRAIL_TABLE');
const source = {
  ...reconcileTable(client, wallets, setting('VERIFICATION_LOGS_TABLE')),
  closedMonths: closedMonthSource(closingTable(client, payments), {
    lots: lotTable(client, payments),
    statement: statementTable(client, wallets, MONTH_PAGE_ROWS),
  }),
  money: moneySource(client, { payments, wallets, auditTrail }, stageMoneySettings()),
  trail: { table: auditRowsTable(client, auditTrail), archive: stageArchive(client) },
  usage: usageSource(usageTable(client, setting('CONSOLE_TABLE'))),
  listOrganisations: organisationTable(client, setting('API_KEYS_TABLE')).listOrganisations,
};
const logRetentionDays = setting('LOG_RETENTION_DAYS');

/** After this time, a run begins no more work. Work in progress then has 4 minutes until the function times out. */
const BEGIN_WITHIN_MS = 11 * 60_000;

/** Runs every hour and reconciles once a day. If a person invokes it, begins a run even if today's run is complete. */
export const handler = logFailure(async (event: { readonly source?: string }): Promise<void> => {
  const endsAtMs = Date.now() + BEGIN_WITHIN_MS;
  const settings = { logRetentionDays, endsAtMs, isForced: event.source !== 'aws.events' };
  reportRun(await reconcileDay(source, settings, REAL_CLOCK, differenceReporter()));
});

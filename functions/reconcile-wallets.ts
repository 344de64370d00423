import { organisationTable } from '../shared/accounts/organisation-table.ts';
import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logger } from '../shared/core/logger.ts';
import { publishMetrics } from '../shared/core/metrics.ts';
import { reconcileWallets } from '../shared/ledger/reconcile/reconcile.ts';
import { reconcileTable } from '../shared/ledger/reconcile/reconcile-table.ts';
import { statementTable } from '../shared/ledger/statement/statement-table.ts';
import { lotTable } from '../shared/payments/lots/lot-table.ts';
import { closingTable } from '../shared/payments/months/closing-table.ts';
import { closedMonthSource } from '../shared/payments/months/recompute-months.ts';
import { usageSource } from '../shared/usage/usage-source.ts';
import { usageTable } from '../shared/usage/usage-table.ts';

const client = database();
const payments = setting('PAYMENTS_TABLE');
const source = {
  ...reconcileTable(client, setting('WALLETS_TABLE'), setting('VERIFICATION_LOGS_TABLE')),
  closedMonths: closedMonthSource(closingTable(client, payments), {
    lots: lotTable(client, payments),
    statement: statementTable(client, setting('WALLETS_TABLE')),
  }),
  usage: usageSource(usageTable(client, setting('CONSOLE_TABLE'))),
  listOrganisations: organisationTable(client, setting('API_KEYS_TABLE')).listOrganisations,
};
const logRetentionDays = setting('LOG_RETENTION_DAYS');

/** Enough lines to begin with: the metric counts all differences, and the CLI lists them. */
const MAX_LINES = 200;

/** Runs daily. Recomputes all wallet totals from the rows and reports every difference. Repairs nothing. */
export const handler = async (): Promise<void> => {
  const { differences, ...counts } = await reconcileWallets(source, { nowMs: Date.now(), logRetentionDays });
  for (const difference of differences.slice(0, MAX_LINES))
    logger.error('The reconciliation found a difference.', { difference: { ...difference } });
  logger.info('reconciliation', { ...counts, differences: differences.length });
  // 0 is published too: without a value, the alarm could not distinguish a day without differences from a missing run.
  publishMetrics({ values: { reconciliationDifferences: differences.length } });
};

import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { organisationTable } from '../shared/accounts/organisation-table.ts';
import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logger, metrics } from '../shared/core/logger.ts';
import { reconcileWallets } from '../shared/ledger/reconcile/reconcile.ts';
import { reconcileTable } from '../shared/ledger/reconcile/reconcile-table.ts';

const client = database();
const source = {
  ...reconcileTable(client, setting('WALLETS_TABLE'), setting('VERIFICATION_LOGS_TABLE')),
  listOrganisations: organisationTable(client, setting('API_KEYS_TABLE')).listOrganisations,
};
const logRetentionDays = setting('LOG_RETENTION_DAYS');

/** More lines help nobody: the metric counts all, and the operator's command lists them. */
const MAX_LINES = 200;

/** Daily: recomputes the books from the rows, and tells every difference. It repairs nothing. */
export const handler = async (): Promise<void> => {
  const { differences, ...counts } = await reconcileWallets(source, { nowMs: Date.now(), logRetentionDays });
  for (const difference of differences.slice(0, MAX_LINES))
    logger.error('Reconciliation found a difference.', { difference: { ...difference } });
  logger.info('reconciliation', { ...counts, differences: differences.length });
  // Nothing found is a value too: without any, the alarm could not tell a good day from no run at all.
  metrics.addMetric('reconciliationDifferences', MetricUnit.Count, differences.length);
  metrics.publishStoredMetrics();
};

import { logFailure } from '../shared/core/log-failure.ts';
import { errorFields, logger } from '../shared/core/logger.ts';
import { publishMetrics } from '../shared/core/metrics.ts';
import { paymentMetrics, runPayments } from '../shared/payments/run-payments.ts';
import { scheduleDependencies } from '../shared/payments/schedule-dependencies.ts';

const deps = scheduleDependencies();

/** Runs every minute. Settles the payments that no webhook reported, sends refunds, and takes back expired credits. */
export const handler = logFailure(async (): Promise<void> => {
  const run = await runPayments(deps, (error, subject) =>
    logger.error('A payment could not be handled.', { ...subject, ...errorFields(error) }),
  );
  logger.info('payments', { ...run.counts });
  // 0 is also published, because the alarm on overdue payments fires if there is no value.
  publishMetrics({ values: paymentMetrics(run) });
});

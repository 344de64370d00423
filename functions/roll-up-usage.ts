import { logFailure } from '../shared/core/log-failure.ts';
import { errorFields, logger } from '../shared/core/logger.ts';
import { publishMetrics } from '../shared/core/metrics.ts';
import { orderOf, rollUpDependencies } from '../shared/usage/roll-up-dependencies.ts';
import { rollUpUsage } from '../shared/usage/roll-up-usage.ts';

const deps = rollUpDependencies();

/**
 * Runs hourly. Counts the usage of all wallets from their rows. An operator can invoke it with `{"month": "2026-11"}`
 * to recount a whole month.
 */
export const handler = logFailure(async (event: unknown): Promise<void> => {
  const report = await rollUpUsage(
    deps,
    (error, { env, organisationId: organisation }) =>
      logger.error('The usage of a wallet could not be counted.', {
        organisation,
        env,
        ...errorFields(error),
      }),
    orderOf(event),
  );
  logger.info('usage', { ...report });
  // 0 is also published, because the alarm on overdue usage fires if there is no value.
  publishMetrics({ values: { oldestUsage: report.oldestUsageMs } });
});

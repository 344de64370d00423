import { REAL_CLOCK } from '../shared/core/clock.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import { errorFields, logger } from '../shared/core/logger.ts';
import { onlyAboveZero, publishMetrics } from '../shared/core/metrics.ts';
import { sweepHolds } from '../shared/ledger/sweep.ts';
import { ledgerDependencies } from '../shared/verifications/middleware/dependencies.ts';

const { ledger } = ledgerDependencies();

/** Runs every minute. Settles the holds that killed requests left behind and reports the age of the oldest hold. */
export const handler = logFailure(async (): Promise<void> => {
  const report = await sweepHolds(ledger, REAL_CLOCK, (error, { wallet, hold }) =>
    logger.error('The sweeper could not settle a hold.', {
      organisation: wallet.organisationId,
      env: wallet.env,
      shard: hold.shard,
      hold_id: hold.holdId,
      ...errorFields(error),
    }),
  );
  logger.info('sweep', { ...report });
  const { oldestHoldMs: oldestHold, quarantined: quarantinedHolds, released: releasedHolds } = report;
  publishMetrics({ values: { oldestHold, ...onlyAboveZero({ quarantinedHolds, releasedHolds }) } });
});

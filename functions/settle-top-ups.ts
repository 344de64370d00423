import { errorFields, logger } from '../shared/core/logger.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';
import { sweepTopUps } from '../shared/payments/sweep-top-ups.ts';

const deps = topUpDependencies();

/** Runs every minute. Asks Paystack about the orders that are due, so that a payment is credited without a webhook. */
export const handler = async (): Promise<void> => {
  const report = await sweepTopUps(deps, (error, { env, reference }) =>
    logger.error('A top-up could not be settled.', { env, order: reference, ...errorFields(error) }),
  );
  logger.info('top-ups', { ...report });
};

import type { Context } from 'aws-lambda';
import { errorFields, logger } from './logger.ts';

/**
 * Returns the handler of a function that no API calls. If a run fails, it logs where, and which call to an AWS service
 * failed: Lambda logs only the stack, in which a closed connection has no frame of our own code.
 */
export function logFailure<Event, Result>(
  run: (event: Event) => Promise<Result>,
): (event: Event, context?: Pick<Context, 'awsRequestId'>) => Promise<Result> {
  return async (event, context) => {
    logger.appendKeys({ lambda_request_id: context?.awsRequestId });
    try {
      return await run(event);
    } catch (error) {
      logger.error('The run failed.', errorFields(error));
      throw error;
    }
  };
}

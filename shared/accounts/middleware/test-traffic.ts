import { withDeadline } from '../../core/deadline.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { Hook, Middleware } from '../../http/context.ts';
import type { LookUpDependencies } from '../../http/dependencies.ts';
import { timeBudget } from '../../ledger/operation.ts';

const MESSAGE =
  'There are too many look-ups with test keys, from this organisation or from all organisations together. Live keys are not affected. Wait for the number of seconds in Retry-After, then retry.';
const NOT_RELEASED = 'The end of a look-up with a test key was not counted.';

/**
 * Keeps look-ups with test keys within the budget for test traffic, so that they cannot take the capacity of live keys
 * (decision F1). Makes no call for live keys.
 */
export function testTraffic({
  testTraffic: table,
  tools,
}: Pick<LookUpDependencies, 'testTraffic' | 'tools'>): Middleware {
  /** Releases the lease. The response is already decided, so a failure must not change it: the lease then expires. */
  const release: Hook = async function testTrafficEnd({ context: { requestContext } }) {
    const { testLease } = requestContext;
    if (!testLease) return;
    requestContext.testLease = undefined;
    const releasing = table
      .release(testLease)
      .catch((problem: unknown) => logger.warn(NOT_RELEASED, errorFields(problem)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(releasing, respondByMs, tools.nowMs(), () => undefined);
  };
  return {
    before: async function testTrafficBefore({ context: { requestContext } }) {
      const { env, organisation, testTraffic: row } = requestContext.caller;
      if (env === 'live') return;
      const { operationId } = requestContext;
      const result = await table.take({ organisationId: organisation.id, operationId, row }, tools.nowMs());
      if (result.kind === 'taken') {
        requestContext.testLease = result.lease;
        return;
      }
      requestContext.detail = result.limit;
      const { retryAfterSeconds } = result;
      throw new ServiceError('RATE_LIMITED', { message: MESSAGE, retryAfterSeconds });
    },
    after: release,
    onError: release,
  };
}

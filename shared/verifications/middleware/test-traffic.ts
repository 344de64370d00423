import { caller } from '../../accounts/middleware/caller.ts';
import { overLimit } from '../../accounts/middleware/limiter-response.ts';
import type { TestLease } from '../../accounts/test-traffic.ts';
import { withDeadline } from '../../core/deadline.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import { type Hook, type Middleware, requestValue } from '../../http/context.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { rowsOfLookUp } from './values.ts';

const PROBLEM =
  'There are too many look-ups with test keys, from this organisation or from all organisations together. Live keys are not affected.';
const leases = requestValue<{ current: TestLease | undefined }>('test lease');
const NOT_RELEASED = 'The end of a look-up with a test key was not counted.';

/**
 * Keeps look-ups with test keys within the budget for test traffic, so that they cannot take the capacity of live keys
 * (contract F1).
 */
export function testTraffic({
  testTraffic: table,
  clock,
}: Pick<LookUpDependencies, 'testTraffic' | 'clock'>): Middleware {
  /** Releases the lease. The response is already decided, so a failure must not change it: the lease then expires. */
  const release: Hook = async ({ context: { requestContext } }) => {
    const held = leases.find(requestContext);
    const lease = held?.current;
    if (!held || !lease) return;
    held.current = undefined;
    const releasing = table
      .release(lease)
      .catch((problem: unknown) => logger.warn(NOT_RELEASED, errorFields(problem)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(releasing, respondByMs, clock.nowMs(), () => undefined);
  };
  return {
    name: 'testTraffic',
    async before({ context: { requestContext } }) {
      const { env, organisation } = caller.of(requestContext);
      if (env === 'live') return;
      const { testTraffic: row } = rowsOfLookUp.of(requestContext);
      const { operationId } = requestContext;
      const isApproved = organisation.status === 'APPROVED';
      const request = { organisationId: organisation.id, isApproved, operationId, row };
      const result = await table.take(request, clock.nowMs());
      if (result.kind === 'taken') {
        leases.set(requestContext, { current: result.lease });
        return;
      }
      requestContext.line.detail = result.limit;
      throw overLimit('test_limit', PROBLEM, result.retryAfterSeconds);
    },
    after: release,
    onError: release,
  };
}

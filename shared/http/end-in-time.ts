import { withDeadline } from '../core/deadline.ts';
import { ServiceError } from '../core/errors.ts';
import { timeBudget } from '../core/time-budget.ts';
import type { Middleware, RequestContext } from './context.ts';

/**
 * Runs one step of a request until the time after which nothing can be charged (25.5 s after API Gateway received the
 * request). If there is no time left or the step takes longer, throws SERVICE_UNAVAILABLE while there is still time to
 * release the credit. The step itself is not cancelled. If it places a hold late, the sweeper releases it.
 */
export async function endInTime<T>(
  requestContext: RequestContext,
  step: { readonly name: string; readonly run: () => Promise<T> | T },
  nowMs: number,
): Promise<T> {
  const { chargeByMs } = timeBudget(requestContext.requestedAtMs);
  const expire = () => {
    requestContext.isOutOfTime = true;
    requestContext.line.isWalletUnavailable = true;
    requestContext.line.detail = `deadline: ${step.name}`;
    throw new ServiceError('SERVICE_UNAVAILABLE');
  };
  if (nowMs >= chargeByMs) return expire();
  return withDeadline(Promise.resolve(step.run()), chargeByMs, nowMs, expire);
}

/** Returns the check with a time limit (see `endInTime`). The check's other hooks are unchanged. */
export function endingInTime(check: Middleware, nowMs: () => number): Middleware {
  const { before } = check;
  if (!before) return check;
  return {
    ...check,
    before: async (request) => {
      const { requestContext } = request.context;
      const step = { name: before.name, run: () => before(request) };
      return endInTime(requestContext, step, nowMs());
    },
  };
}

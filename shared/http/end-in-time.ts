import { withDeadline } from '../core/deadline.ts';
import { ServiceError } from '../core/errors.ts';
import { timeBudget } from '../core/time-budget.ts';
import type { Middleware, RequestContext } from './context.ts';

/**
 * Until 25.5 s after API Gateway received the request, nothing may be charged later. Throws SERVICE_UNAVAILABLE while
 * the credit can still be released. The step is not cancelled; the sweeper releases a late hold.
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

/** See `endInTime`. Other hooks are unchanged. */
export function endingInTime(check: Middleware, nowMs: () => number): Middleware {
  const { before } = check;
  if (!before) return check;
  return {
    ...check,
    before: async (request) => {
      const { requestContext } = request.context;
      const step = { name: check.name, run: () => before(request) };
      return endInTime(requestContext, step, nowMs());
    },
  };
}

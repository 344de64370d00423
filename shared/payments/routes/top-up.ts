import { caller } from '../../accounts/middleware/caller.ts';
import { withDeadline } from '../../core/deadline.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { ORDER_REFERENCE } from '../orders/order-reference.ts';
import { settleTopUp } from '../orders/settle-top-up.ts';
import { topUpView } from './top-up-view.ts';

/** After that, the webhook, the function settle-top-ups or the next request settles the order. */
const SETTLE_WAIT_MS = 6_000;
/** Between two requests of an instance to Paystack about one order. */
const ASK_INTERVAL_MS = 2_000;
const MOST_REMEMBERED = 1_000;

/**
 * GET /v1/wallet/top-ups/{reference}. Settles an OPENED or PAID order first, so that the credits are available when the
 * buyer returns. If Paystack does not respond, the request still succeeds. `deps` is undefined without `money`
 * settings.
 */
export function showTopUp(deps: TopUpDependencies | undefined): Run {
  const askedAtMs = new Map<string, number>();

  function mayAsk({ state, reference }: TopUpOrder, nowMs: number): boolean {
    if (state !== 'OPENED' && state !== 'PAID') return false;
    if (nowMs < (askedAtMs.get(reference) ?? 0) + ASK_INTERVAL_MS) return false;
    if (askedAtMs.size >= MOST_REMEMBERED) askedAtMs.clear();
    askedAtMs.set(reference, nowMs);
    return true;
  }

  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    readQuery(event, noQuery);
    const reference = event.pathParameters?.['reference'] ?? '';
    const isReference = ORDER_REFERENCE.test(reference);
    const order = isReference ? await deps?.orders.getOrder(env, reference) : undefined;
    // The key contains no organisation. The response is the same as for an unknown reference.
    if (!deps || order?.organisationId !== organisation.id) throw new ServiceError('TOP_UP_NOT_FOUND');
    const nowMs = deps.clock.nowMs();
    return topUpView(mayAsk(order, nowMs) ? await settledSoon(order, deps, nowMs) : order, deps);
  };
}

/** The unchanged order if settling fails or takes too long. */
async function settledSoon(order: TopUpOrder, deps: TopUpDependencies, nowMs: number): Promise<TopUpOrder> {
  const settling = settleTopUp(order.env, order.reference, deps).catch((problem: unknown) => {
    logger.warn('A top-up was not settled when its state was read.', errorFields(problem));
    return undefined;
  });
  return (await withDeadline(settling, nowMs + SETTLE_WAIT_MS, nowMs, () => undefined)) ?? order;
}

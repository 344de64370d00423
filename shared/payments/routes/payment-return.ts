import type { APIGatewayProxyEvent } from 'aws-lambda';
import { DAY_MS } from '../../core/clock.ts';
import { isTableFailure } from '../../core/database.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { errorFields } from '../../core/logger.ts';
import type { RequestContext } from '../../http/context.ts';
import type { Run } from '../../http/public-route.ts';
import { personOfActor } from '../../members/member-actor.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { isGeneratedReference } from '../orders/order-reference.ts';
import {
  RETURN_PAGE_HEADERS,
  type ReturnPageView,
  returnPage,
  returnPageStatus,
} from '../orders/return-page.ts';
import { type SettledInTime, settleInTime } from '../orders/settle-in-time.ts';
import { isPageAddress } from '../page-address.ts';

/** The buyer returns within the day in which the order can be paid, or the next. */
const RECENT_MS = 2 * DAY_MS;

/**
 * GET /v1/payments/return. Asks Paystack about the order, because the customer often arrives before the webhook. `deps`
 * is undefined without `money` settings.
 */
export function showPaymentReturn(deps: TopUpDependencies | undefined): Run {
  return async (requestContext, event) => {
    const reference = referenceIn(event);
    const view: ReturnPageView =
      deps && isGeneratedReference(reference)
        ? await viewOf(reference, deps, requestContext)
        : { kind: 'unknown' };
    const consoleUrl = view.kind === 'order' && view.isRecent ? consoleUrlOf(view.order) : undefined;
    Object.assign(requestContext.headers, RETURN_PAGE_HEADERS, consoleUrl && { Location: consoleUrl });
    return {
      kind: 'document',
      status: consoleUrl ? 303 : returnPageStatus(view),
      contentType: 'text/html; charset=utf-8',
      body: returnPage(view, `?reference=${encodeURIComponent(reference)}`),
    };
  };
}

/** Members return to the wallet of the console, whose address the service itself stored with the order. */
function consoleUrlOf({ openedBy, returnUrl }: TopUpOrder): string | undefined {
  return personOfActor(openedBy) && returnUrl && isPageAddress(returnUrl) ? returnUrl : undefined;
}

/** Paystack adds it twice, as `trxref` and `reference`. */
function referenceIn({ queryStringParameters }: APIGatewayProxyEvent): string {
  return queryStringParameters?.['reference'] ?? queryStringParameters?.['trxref'] ?? '';
}

/** The reference does not name an environment. */
async function viewOf(
  reference: string,
  deps: TopUpDependencies,
  requestContext: RequestContext,
): Promise<ReturnPageView> {
  for (const env of ENVIRONMENTS) {
    const order = await deps.orders.getOrder(env, reference);
    if (!order) continue;
    // If the order cannot even be made due, the page is shown anyway.
    const result = await settleInTime(env, reference, deps).catch((error: unknown): SettledInTime => {
      if (!isTableFailure(error)) throw error;
      return { kind: 'late', detail: JSON.stringify(errorFields(error)) };
    });
    requestContext.line.detail = result.kind === 'settled' ? result.order.state : result.kind;
    if (result.kind === 'late') requestContext.line.detail += ` (${result.detail})`;
    // Otherwise, the stored state.
    const isRecent = deps.clock.nowMs() < Date.parse(order.openedAt) + RECENT_MS;
    return { kind: 'order', order: result.kind === 'settled' ? result.order : order, isRecent };
  }
  return { kind: 'unknown' };
}

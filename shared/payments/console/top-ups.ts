import { isAdmitted } from '../../accounts/organisation.ts';
import type { Recorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invalidSchema, ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { environmentQuery, prefetchedQuery } from '../../http/console/environment-query.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import { memberActor } from '../../members/member-actor.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { type OpenDependencies, recordedOpening } from '../dependencies.ts';
import { type OpenedOnce, openTopUpOnce } from '../orders/open-once.ts';
import { orderNow, type TopUpOrder } from '../orders/order.ts';
import { ORDER_REFERENCE } from '../orders/order-reference.ts';
import { orderTable } from '../orders/order-table.ts';
import type { Quote } from '../orders/quote-top-up.ts';
import type { startTopUpBody } from './bodies.ts';
import { topUpView } from './payment-views.ts';
import type { TopUpView } from './views.ts';

export interface StartTopUpDependencies {
  readonly opening: (recorder: Recorder) => OpenDependencies | undefined;
  /** Without `/v1`. */
  readonly apiUrl: string;
}

export function startTopUpDependencies(): StartTopUpDependencies {
  return {
    opening: recordedOpening(),
    // The address may end with a slash.
    apiUrl: setting('API_URL').replace(/\/$/, ''),
  };
}

/**
 * POST /wallet/top-ups: opens an order, and returns the address of its payment page. The same form opens only one
 * order. As in the API, the live environment needs an approved organisation.
 */
export function startTopUp({
  opening,
  apiUrl,
}: StartTopUpDependencies): ConsoleRun<ConsoleRequest, typeof startTopUpBody, undefined> {
  return async ({ organisation, person, recorder, event }, { env, credits, form_id: formId }) => {
    if (!isAdmitted(organisation.status, env))
      throw new ServiceError('UNAPPROVED_ORGANIZATION', { message: NOT_APPROVED });
    const deps = opening(recorder);
    if (!deps) throw new ServiceError('SERVICE_UNAVAILABLE', { message: NOT_SET_UP });
    const actor = memberActor(person.id);
    const origin = ownOrigin(event);
    const request = {
      wallet: { env, organisationId: organisation.id },
      credits,
      openedBy: actor,
      callbackUrl: `${apiUrl}/v1/payments/return`,
      returnUrl: (reference: string) => `${origin}/wallet?${new URLSearchParams({ top_up: reference, env })}`,
    };
    // The prefix distinguishes the key from those of other members and of the API.
    const opened = await openTopUpOnce(request, `console:${actor}:${formId}`, deps).catch(forPeople);
    const order = orderNow(orderOf(opened), deps.clock.nowMs(), deps.settings);
    return { data: topUpView(order) satisfies TopUpView };
  };
}

export const NOT_APPROVED = 'You can buy live credits once your organisation is approved.';
export const NOT_SET_UP = 'You cannot buy credits here. Contact support.';
const NO_CHECKOUT =
  'Paystack does not respond, so the payment could not be started. Nothing was charged. Try again in a minute. If it fails again, reload the page.';
const IN_PROGRESS = 'This payment is being started. Wait a few seconds, then try again.';
const OTHER_AMOUNT =
  'This form has already started a payment for a different amount. Reload the page to start a new payment.';
const TOO_MANY_UNPAID =
  'Your organisation has too many unpaid top-ups. Pay one of them, or wait until one expires, 24 hours after its start.';

/** With a message for people instead of developers. */
function forPeople(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const { code, retryAfterSeconds } = error;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (code === 'REQUEST_IN_PROGRESS') throw new ServiceError(code, { message: IN_PROGRESS, ...retry });
  if (code === 'RATE_LIMITED') throw new ServiceError(code, { message: TOO_MANY_UNPAID, ...retry });
  if (code === 'IDEMPOTENCY_KEY_REUSED') throw new ServiceError(code, { message: OTHER_AMOUNT });
  if (code !== 'SERVICE_UNAVAILABLE') throw error;
  logger.warn('Paystack opened no checkout.', errorFields(error.cause ?? error));
  throw new ServiceError(code, { message: NO_CHECKOUT, cause: error, ...retry });
}

function orderOf(opened: OpenedOnce): TopUpOrder {
  if (opened.kind === 'wrong-amount' || opened.kind === 'incomplete') throw notSold(opened, 'credits');
  return opened.order;
}

/** `field`: the one with the number of credits. */
export function notSold(quote: Exclude<Quote, { readonly kind: 'quoted' }>, field: string): ServiceError {
  if (quote.kind === 'incomplete')
    return new ServiceError('BILLING_INCOMPLETE', { message: MISSING[quote.missing] });
  const [least, most] = [quote.least, quote.most].map((credits) => credits.toLocaleString('en-NG'));
  const range = `from ${least} to ${most}`;
  return invalidSchema(
    'wrong_value',
    field,
    `The field ${field} must be ${range}.`,
    `Enter a whole number of credits ${range}.`,
  );
}

const MISSING = {
  'billing details': 'An invoice needs billing details. Enter them first, then buy credits.',
  price: 'You cannot buy credits yet, because no price is set. Contact support.',
} as const;

/** Its key does not contain the organisation, so the route compares it. */
export function readTopUp(): Prefetch<TopUpOrder | undefined> {
  const orders = orderTable(database(), setting('PAYMENTS_TABLE'));
  return async (_, event) => {
    const reference = event.pathParameters?.['reference'] ?? '';
    const { env } = prefetchedQuery(event, environmentQuery);
    return ORDER_REFERENCE.test(reference) ? orders.getOrder(env, reference) : undefined;
  };
}

/**
 * GET /wallet/top-ups/{reference}: the stored state, which others settle. For another organisation's order, the
 * response is the same as for an unknown reference.
 */
export function showTopUp(): ConsoleRun<ConsoleRequest, typeof environmentQuery, TopUpOrder | undefined> {
  return async ({ organisation }, _, order) => {
    if (order?.organisationId !== organisation.id) throw new ServiceError('TOP_UP_NOT_FOUND');
    return { data: topUpView(order) satisfies TopUpView };
  };
}

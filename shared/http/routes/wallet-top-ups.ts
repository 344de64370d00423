import { withDeadline } from '../../core/deadline.ts';
import type { Environment } from '../../core/environment.ts';
import { invalidSchema, ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { type OpenOnceDependencies, openTopUpOnce } from '../../payments/open-once.ts';
import type { TopUpOrder } from '../../payments/order.ts';
import { parseBody } from '../../verifications/requests.ts';
import type { Run } from '../chains.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { TOP_UP_REFERENCE, topUpBody } from '../payment-query.ts';
import { noQuery, readQuery } from '../query.ts';
import { readJson } from '../read-json.ts';

/** What the routes of top-ups need. Undefined if the stage has no settings of money. */
export interface TopUpDependencies extends OpenOnceDependencies {
  /** Asks Paystack about an order, and books its credit if it is paid. Returns the order as it is then. */
  readonly settle: (env: Environment, reference: string) => Promise<TopUpOrder>;
}

/** The message of a 503: the catalogue's would blame a registry. */
const NOT_SET_UP = 'Credits cannot be bought through the API of this service. Ask the operator.';

/** POST /v1/wallet/top-ups: opens an order of credits, and returns the address of the page where it is paid. */
export function startTopUp(deps: TopUpDependencies | undefined): Run {
  return async (requestContext, event) => {
    readQuery(event, noQuery);
    const { env, organisation, key } = requestContext.caller;
    const body = parseBody(topUpBody, readJson(event));
    const returnUrl = body.return_url === undefined ? undefined : checkedReturnUrl(body.return_url);
    const idempotencyKey = idempotencyKeyOf(event);
    if (!deps) throw new ServiceError('SERVICE_UNAVAILABLE', { message: NOT_SET_UP });
    const request = {
      wallet: { env, organisationId: organisation.id },
      credits: body.credits,
      openedBy: key.label,
      ...(returnUrl !== undefined && { returnUrl }),
    };
    const { order, isRepeat } = await openTopUpOnce(request, idempotencyKey, deps);
    if (isRepeat) requestContext.headers['Idempotent-Replayed'] = 'true';
    return topUp(order);
  };
}

/** The address to which the browser returns, normalised. Throws unless it is an https address without a password. */
function checkedReturnUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw invalidSchema(
    'wrong_format',
    'return_url',
    'The field return_url must be an https address.',
    'Send an address such as https://www.example.com/paid.',
  );
}

/** A caller waits at most this long for Paystack. The next request, the webhook or the sweep settles the order then. */
const SETTLE_WAIT_MS = 6_000;
/** An instance asks Paystack about one order at most this often, however often the caller asks. */
const ASK_INTERVAL_MS = 2_000;
const MOST_REMEMBERED = 1_000;

/**
 * GET /v1/wallet/top-ups/{reference}: the state of an order. While its payment may arrive, asks Paystack first, so that the
 * credit is there when the customer returns from paying. A failure to ask does not fail the request.
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

  return async ({ caller: { env, organisation } }, event) => {
    readQuery(event, noQuery);
    const reference = event.pathParameters?.['reference'] ?? '';
    const isReference = TOP_UP_REFERENCE.test(reference);
    const order = isReference ? await deps?.orders.getOrder(env, reference) : undefined;
    // The key of an order has no organisation. Another organisation's order is as unknown as one that does not exist.
    if (!deps || order?.organisationId !== organisation.id) throw new ServiceError('TOP_UP_NOT_FOUND');
    const nowMs = deps.nowMs();
    return topUp(mayAsk(order, nowMs) ? await settledSoon(order, deps, nowMs) : order);
  };
}

function settledSoon(order: TopUpOrder, deps: TopUpDependencies, nowMs: number): Promise<TopUpOrder> {
  const settling = deps.settle(order.env, order.reference).catch((problem: unknown) => {
    logger.warn('A top-up was not settled when its state was read.', errorFields(problem));
    return order;
  });
  return withDeadline(settling, nowMs + SETTLE_WAIT_MS, nowMs, () => order);
}

function topUp(order: TopUpOrder) {
  return {
    kind: 'information',
    code: 'WALLET_TOP_UP',
    message: 'Top-up.',
    data: {
      environment: order.env,
      reference: order.reference,
      state: order.state,
      credits: order.credits,
      kobo_per_credit: order.koboPerCredit,
      net_kobo: order.netKobo,
      vat_kobo: order.vatKobo,
      total_kobo: order.totalKobo,
      currency: order.currency,
      checkout_url: order.checkoutUrl ?? null,
      opened_at: order.openedAt,
      expires_at: order.expiresAt,
      credited_at: order.creditedAt ?? null,
      invoice: order.invoice ?? null,
      receipt: order.receipt ?? null,
    },
  } as const;
}

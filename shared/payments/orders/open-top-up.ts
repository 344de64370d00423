import { DAY_MS } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import type { WalletId } from '../../core/keys.ts';
import type { OpenDependencies } from '../dependencies.ts';
import { nextAskAt } from './judge-payment.ts';
import type { TopUpOrder } from './order.ts';
import { type Quote, type QuotedPrice, quoteTopUp } from './quote-top-up.ts';

/** What a customer wants to buy. */
export interface TopUpRequest {
  readonly wallet: WalletId;
  /** Whole credits. */
  readonly credits: number;
  /** The browser returns to it. It may contain the order's reference. */
  readonly returnUrl?: string | ((reference: string) => string);
  readonly callbackUrl: string;
  readonly openedBy: TopUpOrder['openedBy'];
}

/** Nothing was changed. */
export type OpenedTopUp =
  | { readonly kind: 'opened'; readonly order: TopUpOrder }
  | { readonly kind: 'exists' }
  | Exclude<Quote, { readonly kind: 'quoted' }>;

/** A later payment is still credited, but may not keep the price. */
export const PAYABLE_MS = DAY_MS;
/** Of a bank transfer that an operator opens an order for. */
export const TRANSFER_MS = 30 * DAY_MS;

/** The address to which the browser returns. */
export function returnUrlOf(
  { returnUrl }: Pick<TopUpRequest, 'returnUrl'>,
  reference: string,
): string | undefined {
  return typeof returnUrl === 'function' ? returnUrl(reference) : returnUrl;
}

/** It is not stored. */
export function newOrder(
  request: Omit<TopUpRequest, 'callbackUrl'>,
  price: Omit<QuotedPrice, 'buyer'>,
  own: Pick<TopUpOrder, 'reference' | 'method'>,
  nowMs: number,
): TopUpOrder {
  const { wallet, openedBy } = request;
  const returnUrl = returnUrlOf(request, own.reference);
  return {
    ...own,
    env: wallet.env,
    organisationId: wallet.organisationId,
    state: 'OPENED',
    ...price,
    currency: 'NGN',
    openedAt: new Date(nowMs).toISOString(),
    openedBy,
    ...(returnUrl !== undefined && { returnUrl }),
    expiresAt: new Date(nowMs + PAYABLE_MS).toISOString(),
    version: 1,
  };
}

/**
 * The order is stored first, so that no checkout exists without one. Throws SERVICE_UNAVAILABLE if Paystack opens none;
 * the order is then FAILED.
 */
export async function openTopUp(
  request: TopUpRequest,
  reference: string,
  deps: OpenDependencies,
): Promise<OpenedTopUp> {
  const { wallet, credits, callbackUrl } = request;
  const quote = await quoteTopUp(wallet.organisationId, credits, deps);
  if (quote.kind !== 'quoted') return quote;
  const nowMs = deps.clock.nowMs();
  const { buyer, ...price } = quote.price;
  const opened = newOrder(request, price, { reference, method: 'PAYSTACK' }, nowMs);
  const order = { ...opened, ...nextAskAt(opened, nowMs) };
  if (!(await deps.orders.insertOrder(order))) return { kind: 'exists' };
  const { totalKobo } = order;
  const { email } = buyer;
  try {
    const { checkoutUrl } = await deps.providers[wallet.env].initialise({
      reference,
      totalKobo,
      email,
      callbackUrl,
    });
    return { kind: 'opened', order: await stored(order, { ...order, checkoutUrl }, deps) };
  } catch (error) {
    // Nobody can pay at a checkout without its address.
    await deps.orders.moveOrder(order, {
      ...order,
      state: 'FAILED',
      failedAt: new Date(deps.clock.nowMs()).toISOString(),
    });
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('SERVICE_UNAVAILABLE', { cause: error });
  }
}

async function stored(before: TopUpOrder, after: TopUpOrder, deps: OpenDependencies): Promise<TopUpOrder> {
  if (!(await deps.orders.moveOrder(before, after)))
    throw new Error('The order was changed while it was being opened.');
  return { ...after, version: before.version + 1 };
}

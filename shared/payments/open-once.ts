import { createHash } from 'node:crypto';
import type { Environment } from '../core/environment.ts';
import { ServiceError } from '../core/errors.ts';
import { BASE_32, newOperationId } from '../core/ids.ts';
import { type WalletId, walletName } from '../core/keys.ts';
import type { TopUpOrder } from './order.ts';

/** What a customer asks for. */
export interface TopUpRequest {
  readonly wallet: WalletId;
  /** Whole credits. */
  readonly credits: number;
  /** The page to which the browser returns after the payment. */
  readonly returnUrl?: string;
  /** The label of the API key. */
  readonly openedBy: string;
}

export interface OpenOnceDependencies {
  readonly orders: { getOrder(env: Environment, reference: string): Promise<TopUpOrder | undefined> };
  /** Opens an order of this reference at Paystack. Returns undefined if there is one of this reference already. */
  readonly open: (request: TopUpRequest, reference: string) => Promise<TopUpOrder | undefined>;
  readonly nowMs: () => number;
}

/** An order, and whether an earlier request under the same key opened it. */
export interface OpenedTopUp {
  readonly order: TopUpOrder;
  readonly isRepeat: boolean;
}

/** After this time, the function that opened an order has ended. API Gateway ends every request after 29 s. */
const OPENING_MS = 40_000;
const RETRY_AFTER_SECONDS = 2;
/** How often one key may be used again after Paystack could not be reached. */
const MOST_TRIES = 20;

/**
 * Opens an order of credits. Repeats under one Idempotency-Key return the order that the first request opened, for ever,
 * since the references of orders follow from the key. A try without a checkout page leaves an order that nobody can pay,
 * so the next request under the key opens another one, of the next reference. Throws IDEMPOTENCY_KEY_REUSED if the key
 * belongs to a different order, and REQUEST_IN_PROGRESS while another request opens it.
 */
export async function openTopUpOnce(
  request: TopUpRequest,
  idempotencyKey: string | undefined,
  deps: OpenOnceDependencies,
): Promise<OpenedTopUp> {
  if (idempotencyKey === undefined) {
    const order = await deps.open(request, `TOPUP-${newOperationId(deps.nowMs())}`);
    if (!order) throw new Error('A random reference of an order was used before.');
    return { order, isRepeat: false };
  }
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reference = referenceOf(request.wallet, idempotencyKey, tries);
    const known = await deps.orders.getOrder(request.wallet.env, reference);
    if (!known) {
      const order = await deps.open(request, reference);
      if (!order) throw inProgress();
      return { order, isRepeat: false };
    }
    if (!isSameRequest(known, request)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    if (known.checkoutUrl !== undefined) return { order: known, isRepeat: true };
    if (isBeingOpened(known, deps.nowMs())) throw inProgress();
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', {
    message: 'Too many payments under this Idempotency-Key could not be started. Use a new key.',
  });
}

/** Returns the reference of the order of one try under a key: a hash in the form of a ULID. */
function referenceOf(wallet: WalletId, idempotencyKey: string, tries: number): string {
  const hash = createHash('sha256').update(JSON.stringify([walletName(wallet), idempotencyKey, tries]));
  const digits = BigInt(`0x${hash.digest('hex').slice(0, 32)}`);
  let text = '';
  for (let rest = digits; text.length < 26; rest /= 32n) text = BASE_32.charAt(Number(rest % 32n)) + text;
  return `TOPUP-${text}`;
}

function isSameRequest(order: TopUpOrder, { wallet, credits, returnUrl }: TopUpRequest): boolean {
  return (
    order.organisationId === wallet.organisationId &&
    order.credits === credits &&
    order.returnUrl === returnUrl
  );
}

function isBeingOpened({ state, openedAt }: TopUpOrder, nowMs: number): boolean {
  return state === 'OPENED' && nowMs < Date.parse(openedAt) + OPENING_MS;
}

function inProgress(): ServiceError {
  return new ServiceError('REQUEST_IN_PROGRESS', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

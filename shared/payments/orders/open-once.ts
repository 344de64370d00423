import { createHash } from 'node:crypto';
import { ServiceError } from '../../core/errors.ts';
import { BASE_32, newOperationId } from '../../core/ids.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import type { OpenDependencies } from '../dependencies.ts';
import { type OpenedTopUp, openTopUp, returnUrlOf, type TopUpRequest } from './open-top-up.ts';
import type { TopUpOrder } from './order.ts';
import { generatedReference } from './order-reference.ts';

/** `repeated`: an earlier request under the same key opened the order. */
export type OpenedOnce =
  | Exclude<OpenedTopUp, { readonly kind: 'exists' }>
  | { readonly kind: 'repeated'; readonly order: TopUpOrder };

/** After this time, the function that opened an order has ended. API Gateway ends every request after 29 s. */
const OPENING_MS = 40_000;
const RETRY_AFTER_SECONDS = 2;
/** The maximum number of orders under one key, if Paystack opens no checkout. */
const MAX_ATTEMPTS = 20;
const MAX_NEW_ATTEMPTS = 3;

/**
 * Opens an order for credits. All requests under one Idempotency-Key get the order that the first of them opened,
 * without a time limit, because the references of orders are derived from the key. An attempt without a checkout leaves
 * an order that nobody can pay, so the next request opens another one. Throws IDEMPOTENCY_KEY_REUSED if the key belongs
 * to a different order, REQUEST_IN_PROGRESS while another request opens the order, and SERVICE_UNAVAILABLE if
 * Paystack does not open a checkout.
 */
export async function openTopUpOnce(
  request: TopUpRequest,
  idempotencyKey: string | undefined,
  deps: OpenDependencies,
): Promise<OpenedOnce> {
  if (idempotencyKey === undefined) return openNew(request, deps);
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const reference = keyedReference(request.wallet, idempotencyKey, attempts);
    const known = await deps.orders.getOrder(request.wallet.env, reference);
    if (!known) {
      const opened = await openTopUp(request, reference, deps);
      if (opened.kind === 'exists') throw inProgress();
      return opened;
    }
    if (!isSameRequest(known, request)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    if (known.checkoutUrl !== undefined) return { kind: 'repeated', order: known };
    if (isBeingOpened(known, deps.clock.nowMs())) throw inProgress();
  }
  const message = 'Too many payments under this Idempotency-Key could not be started. Use a new key.';
  throw new ServiceError('SERVICE_UNAVAILABLE', { message });
}

/**
 * Opens an order under a random reference. Such a reference already exists only if the SDK sent the order twice,
 * because the first response was lost. Nobody can pay that order, and it expires.
 */
async function openNew(
  request: TopUpRequest,
  deps: OpenDependencies,
): Promise<Exclude<OpenedTopUp, { readonly kind: 'exists' }>> {
  for (let attempts = 0; attempts < MAX_NEW_ATTEMPTS; attempts += 1) {
    const opened = await openTopUp(request, generatedReference(newOperationId(deps.clock.nowMs())), deps);
    if (opened.kind !== 'exists') return opened;
  }
  throw new ServiceError('SERVICE_UNAVAILABLE');
}

/** Returns the reference of one attempt (counted from 0) under a key: a hash in the form of a ULID. */
export function keyedReference(wallet: WalletId, idempotencyKey: string, attempt: number): string {
  const hash = createHash('sha256').update(JSON.stringify([walletName(wallet), idempotencyKey, attempt]));
  let rest = BigInt(`0x${hash.digest('hex').slice(0, 32)}`);
  let text = '';
  for (; text.length < 26; rest /= 32n) text = BASE_32.charAt(Number(rest % 32n)) + text;
  return generatedReference(text);
}

function isSameRequest(order: TopUpOrder, request: TopUpRequest): boolean {
  const isOwn = order.organisationId === request.wallet.organisationId;
  const returnUrl = returnUrlOf(request, order.reference);
  return isOwn && order.credits === request.credits && order.returnUrl === returnUrl;
}

function isBeingOpened({ state, openedAt }: TopUpOrder, nowMs: number): boolean {
  return state === 'OPENED' && nowMs < Date.parse(openedAt) + OPENING_MS;
}

function inProgress(): ServiceError {
  return new ServiceError('REQUEST_IN_PROGRESS', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../core/clock.ts';
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

/** API Gateway ends every request after 29 s. */
const OPENING_MS = 40_000;
const RETRY_AFTER_SECONDS = 2;
/** Orders under one key, if Paystack opens no checkout. */
const MAX_ATTEMPTS = 20;
const MAX_NEW_ATTEMPTS = 3;
/** Anyone can create an organisation with test keys, and the sweep asks Paystack about each unpaid order. */
export const MOST_UNPAID = 20;
/** Also those that were paid, or failed earlier. */
const NEWEST_READ = 500;

/**
 * All requests under one Idempotency-Key get the order that the first one opened, without a time limit. An order
 * without a checkout cannot be paid, so the next request opens another.
 * REQUEST_IN_PROGRESS: another request opens the order.
 */
export async function openTopUpOnce(
  request: TopUpRequest,
  idempotencyKey: string | undefined,
  deps: OpenDependencies,
): Promise<OpenedOnce> {
  if (idempotencyKey === undefined) {
    await requireFewUnpaid(request.wallet, deps);
    return openNew(request, deps);
  }
  const { env } = request.wallet;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const name = keyedName(request.wallet, idempotencyKey, attempts);
    const stored = await deps.orders.getReference(env, name);
    // Earlier versions used the name as the reference.
    const known = await deps.orders.getOrder(env, stored ?? name);
    if (!known) {
      await requireFewUnpaid(request.wallet, deps);
      const reference = stored ?? (await deps.orders.claimReference(env, name, newReference(deps)));
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

/** Simultaneous requests may exceed the limit slightly, because the index is eventually consistent. */
async function requireFewUnpaid(
  wallet: WalletId,
  { orders, clock }: Pick<OpenDependencies, 'orders' | 'clock'>,
): Promise<void> {
  const nowMs = clock.nowMs();
  const newest = await orders.listOrders(wallet, NEWEST_READ);
  const unpaidUntil = newest.flatMap((order) => {
    const untilMs = isUnpaid(order) ? askedUntilMs(order) : 0;
    return nowMs < untilMs ? untilMs : [];
  });
  if (unpaidUntil.length < MOST_UNPAID) return;
  const problem = `Your organisation has ${MOST_UNPAID} unpaid top-ups in this environment.`;
  const hint = 'Pay one of them, or wait for the number of seconds in Retry-After until one expires.';
  throw new ServiceError('RATE_LIMITED', {
    message: `${problem} ${hint}`,
    details: { reason: 'top_up_limit', field: '', hint },
    retryAfterSeconds: Math.ceil((Math.min(...unpaidUntil) - nowMs) / 1000),
  });
}

/** Also if Paystack refused it, because the sweep asks about it too. */
const isUnpaid = ({ state, method }: TopUpOrder) =>
  method === 'PAYSTACK' && (state === 'OPENED' || state === 'FAILED');

/** A refused one counts for an hour, so that an outage of Paystack does not stop purchases for a day. */
const askedUntilMs = ({ state, openedAt, expiresAt }: TopUpOrder) =>
  state === 'FAILED' ? Date.parse(openedAt) + HOUR_MS : Date.parse(expiresAt);

/**
 * The random reference exists only if the SDK sent the order twice. Nobody can pay that order, and it expires.
 */
async function openNew(
  request: TopUpRequest,
  deps: OpenDependencies,
): Promise<Exclude<OpenedTopUp, { readonly kind: 'exists' }>> {
  for (let attempts = 0; attempts < MAX_NEW_ATTEMPTS; attempts += 1) {
    const opened = await openTopUp(request, newReference(deps), deps);
    if (opened.kind !== 'exists') return opened;
  }
  throw new ServiceError('SERVICE_UNAVAILABLE');
}

/** Random: whoever knows the reference may open the page of the payment. */
function newReference({ clock }: Pick<OpenDependencies, 'clock'>): string {
  return generatedReference(newOperationId(clock.nowMs()));
}

/**
 * The name under which the reference is stored. `attempt` counts from 0. It can be computed from the organisation and
 * the key, so it is not shown to anyone.
 */
export function keyedName(wallet: WalletId, idempotencyKey: string, attempt: number): string {
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

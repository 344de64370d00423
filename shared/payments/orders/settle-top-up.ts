import { rowHashes } from '../../audit/row-hashes.ts';
import type { Environment } from '../../core/environment.ts';
import { notPossible } from '../../core/not-possible.ts';
import { jitterMs } from '../../ledger/dependencies.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import { creditOrder, type PaidOrder } from './credit-order.ts';
import { judgePayment, nextAskAt, paidLateAt } from './judge-payment.ts';
import { problemFacts, type TopUpOrder } from './order.ts';
import type { OrderTable } from './order-table.ts';
import { readPrice } from './quote-top-up.ts';

export interface SettleOptions {
  /** Also asks about a credited order, to find out whether its payment was reversed. @default false */
  readonly recheck?: boolean;
}

const MAX_ATTEMPTS = 10;

/**
 * Asks Paystack about an order, and books the credit if it is paid. The webhook, the return page, the API, the sweep
 * and the operator all settle through this function; even at the same time, the credit is booked once. Nothing that a
 * trigger says is trusted. Throws SERVICE_UNAVAILABLE if Paystack does not respond; an unpaid order is then unchanged.
 */
export async function settleTopUp(
  env: Environment,
  reference: string,
  deps: TopUpDependencies,
  { recheck = false }: SettleOptions = {},
): Promise<TopUpOrder | undefined> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const order = await deps.orders.getOrder(env, reference);
    if (order?.method === 'TRANSFER') return expireTransfer(order, deps);
    if (!order || !needsAnswer(order, recheck)) return order;
    const payment = await deps.providers[env].verify(reference);
    const nowMs = deps.clock.nowMs();
    const lateAt = paidLateAt(order, payment, nowMs);
    const latePrice =
      lateAt === undefined ? undefined : await readPrice(order.organisationId, lateAt, deps.prices);
    const after = answered(judgePayment(order, payment, nowMs, deps.settings, latePrice));
    if (after === order && order.state === 'PAID') {
      const credited = await credit(order, deps);
      if (!recheck || credited.state !== 'CREDITED') return credited;
      // The payment may have been reversed.
      continue;
    }
    if (after === order) return order;
    const moved = await move(order, after, deps);
    if (moved) return moved.state === 'PAID' ? credit(moved, deps) : moved;
    // Another trigger was faster.
    await deps.clock.pause(jitterMs(attempts, deps.clock));
  }
  throw notPossible('Other processes changed the order at the same time. Settle it again.');
}

/** A person settles transfers and mismatches. */
function needsAnswer({ method, state }: TopUpOrder, recheck: boolean): boolean {
  if (method !== 'PAYSTACK' || state === 'MISMATCH' || state === 'REFUNDED') return false;
  return state !== 'CREDITED' || recheck;
}

/** A transfer that arrives later is quoted again. */
async function expireTransfer(order: TopUpOrder, deps: TopUpDependencies): Promise<TopUpOrder> {
  if (order.state !== 'OPENED' || deps.clock.nowMs() < Date.parse(order.expiresAt)) return order;
  const { dueAt: _, ...rest } = order;
  return (await move(order, { ...rest, state: 'EXPIRED' }, deps)) ?? order;
}

/** The due time was only for the check that is now done. */
function answered(after: TopUpOrder): TopUpOrder {
  if (after.state !== 'CREDITED' || after.dueAt === undefined) return after;
  const { dueAt: _, ...rest } = after;
  return rest;
}

async function move(
  before: TopUpOrder,
  after: TopUpOrder,
  deps: TopUpDependencies,
): Promise<TopUpOrder | undefined> {
  const { organisationId, env, reference } = after;
  const facts = problemFacts(before, after);
  const record = facts
    ? deps.recorder.record({
        organisationId,
        target: `${env} order ${reference}`,
        before: { state: before.state },
        after: { state: after.state, ...facts },
        rows: rowHashes([deps.orders.moveItem(before, after)]),
      })
    : [];
  const { reversedAt } = after;
  const isNew = reversedAt !== undefined && reversedAt !== before.reversedAt;
  const stopped = isNew ? await deps.automatic.paidBackItems(after, reversedAt) : [];
  if (!(await deps.orders.moveOrder(before, after, [...stopped, ...record]))) return undefined;
  const moved = { ...after, version: before.version + 1 };
  deps.onChange?.(before, moved);
  return moved;
}

async function credit(paid: TopUpOrder, deps: TopUpDependencies): Promise<TopUpOrder> {
  const { orders } = deps;
  const { existed } = await creditOrder(paid, '', () => readPaid(paid, orders), deps);
  const after = await requiredOrder(paid, orders);
  if (after.state === 'CREDITED' && !existed) deps.onChange?.(paid, after);
  if (after.state !== 'PAID') return after;
  // An operator has booked a credit with this order's reference by hand.
  const problem = 'A credit with the reference of this order exists, but the order did not add it.';
  const { dueAt: _, ...rest } = after;
  const mismatchedAt = new Date(deps.clock.nowMs()).toISOString();
  return (await move(after, { ...rest, state: 'MISMATCH', problem, mismatchedAt }, deps)) ?? after;
}

async function readPaid(paid: TopUpOrder, orders: OrderTable): Promise<PaidOrder> {
  const order = await requiredOrder(paid, orders);
  // If another trigger has credited it, the transaction writes nothing.
  return { order, item: (credited) => orders.moveItem({ ...order, state: 'PAID' }, credited) };
}

async function requiredOrder({ env, reference }: TopUpOrder, orders: OrderTable): Promise<TopUpOrder> {
  const order = await orders.getOrder(env, reference);
  if (!order) throw new Error('The order is missing.');
  return order;
}

/** Lets the sweep settle the order within a minute, for triggers that cannot wait for Paystack. */
export async function markDue(env: Environment, reference: string, deps: TopUpDependencies): Promise<void> {
  const order = await deps.orders.getOrder(env, reference);
  if (!order || !needsAnswer(order, true)) return;
  const dueAt = new Date(deps.clock.nowMs()).toISOString();
  if (order.dueAt !== undefined && order.dueAt <= dueAt) return;
  await deps.orders.moveOrder(order, { ...order, dueAt });
}

/** `isAnswered`: whether the attempt to settle the order succeeded. */
export async function postpone(
  order: TopUpOrder,
  deps: TopUpDependencies,
  isAnswered: boolean,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  if (order.dueAt === undefined || order.dueAt > new Date(nowMs).toISOString()) return;
  const { dueAt: _, ...rest } = order;
  await deps.orders.moveOrder(order, { ...rest, ...nextAskAt(order, nowMs, isAnswered) });
}

import { rowName } from '../../audit/row-hashes.ts';
import { DAY_MS } from '../../core/clock.ts';
import { type DueEntry, lotKey, orderKey, type RowKey, refundKey } from '../../core/keys.ts';
import { MARGIN_MS } from '../../ledger/reconcile/rows.ts';
import type { Lot } from '../lots/lot.ts';
import { dueOfLot } from '../lots/lot-table.ts';
import { ASK_FOR_MS } from '../orders/judge-payment.ts';
import { TRANSFER_MS } from '../orders/open-top-up.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { dueOfOrder } from '../orders/order-table.ts';
import type { Refund } from '../refunds/refund.ts';
import { dueOfRefund } from '../refunds/refund-table.ts';
import type { Findings, MoneyRows } from './money-rows.ts';

/**
 * A row is in the index `due` if and only if its state calls for work: otherwise no function processes it, or no person
 * reviews it. `unspentOf` returns the unspent credits of a lot that is expired.
 */
export function checkDue(
  { wallet, items, lots, orders, refunds, nowMs }: MoneyRows,
  unspentOf: (lot: Lot) => number,
  findings: Findings,
): void {
  const itemOf = (key: RowKey) => items.get(rowName({ ...key })) ?? {};
  const name = ({ dueKey, dueSort }: DueEntry) => (dueKey === undefined ? 'not due' : `${dueKey} ${dueSort}`);
  for (const order of orders) {
    const row = { at: order.openedAt, reference: order.reference };
    const found = name(itemOf(orderKey(order.env, order.reference)));
    if (found !== name(dueOfOrder(order))) findings.add('order', row, name(dueOfOrder(order)), found);
    compareTime(order, isOrderDue(order, nowMs), nowMs, (...texts) => findings.add('order', row, ...texts));
  }
  for (const refund of [...refunds.values()].flat()) {
    const { env, order, creditNote, requestedAt } = refund;
    const row = { at: requestedAt, reference: creditNote };
    const found = name(itemOf(refundKey(env, order, creditNote)));
    if (found !== name(dueOfRefund(refund))) findings.add('refund', row, name(dueOfRefund(refund)), found);
    compareTime(refund, isRefundDue(refund), nowMs, (...texts) => findings.add('refund', row, ...texts));
  }
  for (const lot of lots) {
    const due = name(dueOfLot(lot));
    const found = name(itemOf(lotKey(wallet, lot.id)));
    if (found === due || (found === name({}) && hasExpired(lot, nowMs, unspentOf))) continue;
    findings.add('lot', { at: lot.createdAt, reference: lot.id }, due, found);
  }
}

/** If some credits were taken back, a lot that a late clock added since may have taken some of its charges. */
const hasExpired = (lot: Lot, nowMs: number, unspentOf: (lot: Lot) => number) =>
  Date.parse(lot.expiresAt ?? '') <= nowMs &&
  (lot.withdrawals.some(({ kind }) => kind === 'expired') || unspentOf(lot) === 0);

/** Functions try again within hours. An order for a transfer is due when it expires. */
function compareTime(
  { dueAt, method, ...row }: Pick<TopUpOrder | Refund, 'dueAt' | 'method'>,
  isDue: boolean,
  nowMs: number,
  add: (expected: string, found: string) => void,
): void {
  if (dueAt === undefined) {
    if (isDue) add('a time at which it is due', 'none');
    return;
  }
  const latest = method === 'TRANSFER' && 'expiresAt' in row ? String(row.expiresAt) : iso(nowMs + DAY_MS);
  if (dueAt > latest) add(`due until ${latest}`, dueAt);
}

/** An unpaid order is asked about for some time, and until Paystack responds. */
function isOrderDue({ state, method, openedAt, expiresAt }: TopUpOrder, nowMs: number): boolean {
  const openedMs = Date.parse(openedAt);
  if (method === 'TRANSFER') return state === 'OPENED' && Date.parse(expiresAt) - openedMs === TRANSFER_MS;
  if (state === 'OPENED' || state === 'PAID') return true;
  return (state === 'EXPIRED' || state === 'FAILED') && nowMs + MARGIN_MS < openedMs + ASK_FOR_MS;
}

/** A person pays the others. */
const isRefundDue = ({ state, method }: Refund) =>
  method === 'PAYSTACK' && (state === 'REQUESTED' || state === 'SENT');

const iso = (ms: number) => new Date(ms).toISOString();

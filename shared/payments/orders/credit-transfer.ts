import type { WalletId } from '../../core/keys.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import type { CreditOrderDependencies } from '../dependencies.ts';
import { creditOrder, type PaidOrder } from './credit-order.ts';
import { newOrder } from './open-top-up.ts';
import type { TopUpOrder } from './order.ts';
import { quoteTopUp } from './quote-top-up.ts';

/** As found on the bank statement. */
export interface PaidTransfer {
  readonly wallet: WalletId;
  /** Whole credits. */
  readonly credits: number;
  /** Of the order, or the operator's own. The credit gets the same. */
  readonly reference: string;
  /** Appears on the statement. */
  readonly reason: string;
  /** ISO time at which the money arrived. @default now */
  readonly paidAt?: string | undefined;
  /** The bank's reference for the transfer. @default `reference` */
  readonly bankReference?: string | undefined;
}

/**
 * Credits a bank transfer once, like a payment through Paystack. The operator is responsible for the payment. An unpaid
 * order is credited at its own price; without one, the current price applies. Error messages are for the operator.
 */
export async function creditTransfer(
  transfer: PaidTransfer,
  deps: CreditOrderDependencies,
): Promise<{ order: TopUpOrder; row: Credit; existed: boolean }> {
  const { wallet, reference, reason } = transfer;
  const stored = await deps.orders.getOrder(wallet.env, reference);
  if (stored) requireSameOrder(stored, transfer);
  const paid = withPayment(stored ?? (await orderAtPriceOfNow(transfer, deps)), transfer, deps);
  const { row, existed } = await creditOrder(paid, reason, () => readPaid(paid, deps), deps);
  const order = await deps.orders.getOrder(wallet.env, reference);
  if (order?.state !== 'CREDITED')
    throw new Error(
      `The reference ${reference} is already used for credits without an invoice. Use another reference. Nothing was changed.`,
    );
  return { order, row, existed };
}

/** The order must be a transfer that can be credited, or was credited, with these credits. */
export function requireSameOrder(
  order: TopUpOrder,
  { wallet, credits, reference }: Omit<PaidTransfer, 'reason'>,
): void {
  const reject = (why: string) => new Error(`The order ${reference} ${why}. Nothing was changed.`);
  if (order.organisationId !== wallet.organisationId) throw reject('belongs to another organisation');
  if (order.method !== 'TRANSFER')
    throw reject('is paid through Paystack. Settle it with `admin order settle`');
  if (!['OPENED', 'EXPIRED', 'CREDITED'].includes(order.state)) throw reject(`is ${order.state}`);
  if (order.credits !== credits)
    throw reject(
      `has ${order.credits.toLocaleString('en-US')} credits, not ${credits.toLocaleString('en-US')}`,
    );
}

async function orderAtPriceOfNow(
  { wallet, credits, reference }: PaidTransfer,
  deps: CreditOrderDependencies,
): Promise<TopUpOrder> {
  const quote = await quoteTopUp(wallet.organisationId, credits, deps);
  if (quote.kind === 'wrong-amount')
    throw new Error(
      `An order must be for ${quote.least.toLocaleString('en-US')} to ${quote.most.toLocaleString('en-US')} credits. Nothing was changed.`,
    );
  if (quote.kind === 'incomplete')
    throw new Error(
      `The organisation has no ${quote.missing}, so no invoice can be written. Set ${quote.missing === 'price' ? 'a price with `admin price set`' : 'them with `admin billing set`'}. Nothing was changed.`,
    );
  const request = { wallet, credits, openedBy: deps.actor };
  return newOrder(request, quote.price, { reference, method: 'TRANSFER' }, deps.clock.nowMs());
}

function withPayment(order: TopUpOrder, transfer: PaidTransfer, deps: CreditOrderDependencies): TopUpOrder {
  const { reference, paidAt = new Date(deps.clock.nowMs()).toISOString() } = transfer;
  const { bankReference = reference } = transfer;
  const { totalKobo: amountKobo, currency } = order;
  const payment = {
    amountKobo,
    currency,
    paidAt,
    channel: 'bank_transfer',
    providerReference: bankReference,
  };
  return { ...order, state: 'PAID', payment };
}

/** Stored only by the transaction of its credit. */
async function readPaid(paid: TopUpOrder, { orders }: CreditOrderDependencies): Promise<PaidOrder> {
  const stored = await orders.getOrder(paid.env, paid.reference);
  if (!stored) return { order: paid, item: orders.insertItem };
  return { order: paid, item: (credited) => orders.moveItem(stored, credited) };
}

import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import type { CreditOrderDependencies, QuoteDependencies } from '../dependencies.ts';
import { creditOrder, type PaidOrder } from './credit-order.ts';
import { newOrder } from './open-top-up.ts';
import { type Payment, type TopUpOrder, withVatAt } from './order.ts';
import { notQuoted, type QuotedPrice, quoteTopUp } from './quote-top-up.ts';

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

/** The order of a transfer, with the amounts that its invoice states. */
export interface PricedTransfer {
  readonly order: TopUpOrder;
  /** The order had expired when the money arrived. */
  readonly isQuotedAgain: boolean;
}

/**
 * Credits a bank transfer once, like a payment through Paystack. The operator is responsible for the payment: `check`
 * may reject its price. Error messages are for the operator.
 */
export async function creditTransfer(
  transfer: PaidTransfer,
  deps: CreditOrderDependencies,
  check: (priced: TopUpOrder) => Promise<void> = async () => undefined,
): Promise<{ order: TopUpOrder; row: Credit; existed: boolean }> {
  const { wallet, reference, reason } = transfer;
  // Its price and VAT must be those of the time that the payment states.
  const dated = { ...transfer, paidAt: paidAtOf(transfer, deps) };
  const { order: priced } = await priceTransfer(dated, deps);
  await check(priced);
  const paid = withPayment(priced, dated);
  const { row, existed } = await creditOrder(paid, reason, () => readPaid(paid, deps), deps);
  const order = await deps.orders.getOrder(wallet.env, reference);
  if (order?.state !== 'CREDITED')
    throw notPossible(
      `The reference ${reference} is already used for credits without an invoice. Use another reference. Nothing was changed.`,
    );
  return { order, row, existed };
}

/**
 * An order that was valid when the money arrived keeps its total, and one that was credited its amounts. Otherwise, the
 * current price applies. VAT is that of the day on which the money arrived. Throws if the order does not match.
 */
export async function priceTransfer(
  transfer: Omit<PaidTransfer, 'reason'>,
  deps: Pick<CreditOrderDependencies, 'orders' | 'actor' | keyof QuoteDependencies>,
): Promise<PricedTransfer> {
  const { wallet, reference } = transfer;
  const stored = await deps.orders.getOrder(wallet.env, reference);
  if (stored) requireSameOrder(stored, transfer);
  if (stored?.state === 'CREDITED') return { order: stored, isQuotedAgain: false };
  const paidAtMs = Date.parse(paidAtOf(transfer, deps));
  if (stored && paidAtMs < Date.parse(stored.expiresAt))
    return { order: withVatAt(stored, paidAtMs, deps.settings), isQuotedAgain: false };
  const { buyer: _, ...price } = await quoteTransfer(transfer, deps, paidAtMs);
  if (stored) return { order: { ...stored, ...price }, isQuotedAgain: true };
  const request = { wallet, credits: transfer.credits, openedBy: deps.actor };
  const own = { reference, method: 'TRANSFER' } as const;
  return { order: newOrder(request, price, own, deps.clock.nowMs()), isQuotedAgain: false };
}

function paidAtOf({ paidAt }: Pick<PaidTransfer, 'paidAt'>, { clock }: Pick<QuoteDependencies, 'clock'>) {
  return paidAt ?? new Date(clock.nowMs()).toISOString();
}

/** The order must be a transfer that can be credited, or was credited, with these credits. */
function requireSameOrder(
  order: TopUpOrder,
  { wallet, credits, reference }: Omit<PaidTransfer, 'reason'>,
): void {
  const reject = (why: string) => notPossible(`The order ${reference} ${why}. Nothing was changed.`);
  if (order.organisationId !== wallet.organisationId) throw reject('belongs to another organisation');
  if (order.method !== 'TRANSFER')
    throw reject('is paid through Paystack. Settle it with `admin order settle`');
  if (!['OPENED', 'EXPIRED', 'CREDITED'].includes(order.state)) throw reject(`is ${order.state}`);
  if (order.credits !== credits)
    throw reject(
      `has ${order.credits.toLocaleString('en-US')} credits, not ${credits.toLocaleString('en-US')}`,
    );
}

async function quoteTransfer(
  { wallet, credits }: Omit<PaidTransfer, 'reason'>,
  deps: QuoteDependencies,
  paidAtMs: number,
): Promise<QuotedPrice> {
  const quote = await quoteTopUp(wallet.organisationId, credits, deps, paidAtMs);
  if (quote.kind !== 'quoted') throw notQuoted(quote, wallet.organisationId);
  return quote.price;
}

function withPayment(order: TopUpOrder, transfer: PaidTransfer & Pick<Payment, 'paidAt'>): TopUpOrder {
  const { reference, bankReference = reference, paidAt } = transfer;
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

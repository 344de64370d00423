import { accountingMonthOf, monthStartMs } from '../../core/accounting-month.ts';
import type { Clock } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import { type CreditTables, creditWallet } from '../../ledger/top-up.ts';
import type { AutomaticTable } from '../automatic/automatic-table.ts';
import { creditNoteOf } from '../documents/compose-documents.ts';
import { issueTime, seriesOf } from '../documents/document-series.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { type Lot, refundedCredits } from '../lots/lot.ts';
import { type LotReads, lotsNow, walletShards } from '../lots/lot-positions.ts';
import type { LotTable } from '../lots/lot-table.ts';
import { refundOf } from '../lots/lot-value.ts';
import type { Amounts } from '../naira.ts';
import type { TopUpOrder } from '../orders/order.ts';
import type { OrderTable } from '../orders/order-table.ts';
import type { MoneySettings } from '../settings.ts';
import type { Refund } from './refund.ts';
import type { RefundTable } from './refund-table.ts';

/**
 * Takes back unspent credits of a paid lot and writes a credit note, with the shard, the order and the refund in one
 * transaction. `sendRefunds` then returns the money, unless it was paid by bank transfer or already returned. Error
 * messages are for the operator.
 */

export interface RefundDependencies extends LotReads, CreditTables {
  readonly lots: Pick<LotTable, 'listLots' | 'getLot' | 'withdrawItem'>;
  readonly orders: Pick<OrderTable, 'getOrder' | 'moveItem'>;
  readonly documents: Pick<DocumentTable, 'getDocument' | 'nextNumber' | 'documentItems'>;
  readonly automatic: Pick<AutomaticTable, 'paidBackItems'>;
  readonly refunds: Pick<RefundTable, 'listRefunds' | 'insertItem'>;
  readonly settings: Pick<MoneySettings, 'seller' | 'documentPrefix'>;
  readonly clock: Clock;
}

export interface RefundRequest {
  readonly wallet: WalletId;
  readonly invoice: string;
  /** Whole credits. */
  readonly credits: number;
  /** The operator's own. Repeating it changes nothing. */
  readonly reference: string;
  /** Printed on the credit note and the statement. */
  readonly reason: string;
  readonly actor: string;
  /** By a chargeback, or in Paystack's dashboard. */
  readonly isPaidBack?: boolean;
}

interface RefundPlan {
  readonly order: TopUpOrder;
  readonly lot: Lot;
  /** As if its month were closed now. */
  readonly lotNow: Lot;
  readonly invoice: FinancialDocument;
  readonly unspent: number;
  readonly amounts: Amounts;
}

export interface RefundedCredits {
  readonly refund: Refund;
  readonly creditNote: FinancialDocument;
  readonly existed: boolean;
}

/** In the first minutes of a month, requests of the previous month may still be charged. */
const SETTLING_MS = 10 * 60_000;

export const refundReference = (reference: string) => `refund:${reference}`;

/**
 * Returns the effect that a refund would have now, or throws a sentence that says why it is not possible. `known` was
 * read just before, so that the wallet's charges are not read again.
 */
export async function planRefund(
  request: RefundRequest,
  deps: RefundDependencies,
  known?: Pick<RefundPlan, 'lot' | 'lotNow'>,
): Promise<RefundPlan> {
  const { wallet, credits } = request;
  requireSettledMonth(deps.clock.nowMs());
  const invoice = await invoiceOfRequest(request, deps);
  const order = invoice.order ? await deps.orders.getOrder(wallet.env, invoice.order) : undefined;
  const lot = order?.lot === undefined ? undefined : await deps.lots.getLot(wallet, order.lot);
  if (!order || lot?.kind !== 'paid')
    throw rejected(`The invoice ${invoice.number} has no lot of paid credits.`);
  if (order.bookedReversal)
    throw rejected(
      `The rest of the order ${order.reference} was booked as a ${order.bookedReversal.as} after its payment was reversed.`,
    );
  if (order.problem !== undefined && !request.isPaidBack)
    throw rejected(
      `The order ${order.reference} has a problem: ${order.problem} If the customer already has the money back, pass \`--paid-back\` to take only the credits back.`,
    );
  if (!Number.isSafeInteger(credits) || credits <= 0)
    throw rejected('The number of credits must be a whole number above 0.');
  const isKnown = known?.lot.withdrawals.length === lot.withdrawals.length;
  const lots = isKnown ? [known.lotNow] : await lotsNow(wallet, deps, deps.clock.nowMs());
  const lotNow = lots.find(({ id }) => id === lot.id) ?? lot;
  const unspent = Math.max(0, Math.min(lotNow.remaining, lot.remaining));
  if (credits > unspent)
    throw rejected(
      `The invoice ${invoice.number} has fewer unspent credits (${unspent}) than were requested (${credits}). Spent and expired credits cannot be refunded.`,
    );
  const amounts = refundOf(lot, { before: refundedCredits(lot), now: credits });
  return { order, lot, lotNow, invoice, unspent, amounts };
}

/** Nothing is changed if it throws. `totalKobo` is the total that the operator confirmed. */
export async function refundCredits(
  request: RefundRequest,
  deps: RefundDependencies,
  totalKobo?: number,
): Promise<RefundedCredits> {
  const { wallet, credits, reason, actor } = request;
  const reference = refundReference(request.reference);
  // Looked up before all checks, so that a refund that left nothing unspent can be repeated.
  const earlier = await storedRefund(request, deps);
  if (earlier) return earlier;
  const plan = await planRefund(request, deps);
  if (totalKobo !== undefined && plan.amounts.totalKobo !== totalKobo)
    throw rejected('The amount to refund has changed since the refund was requested.', 'Request it again.');
  const credit = { reference, kind: 'CORRECTION', amount: -credits, actor, reason } as const;
  let written: Omit<RefundedCredits, 'existed'> | undefined;
  const { existed } = await creditWallet(
    wallet,
    await walletShards(wallet, deps),
    { ...credit, lot: plan.lot.id, cause: 'refund' },
    deps,
    deps.clock,
    async (row) => {
      const { items, ...result } = await bookRefund(request, row, deps, plan);
      written = result;
      return items;
    },
  );
  if (!existed && written) return { ...written, existed };
  const stored = await storedRefund(request, deps);
  if (!stored) throw notPossible(`The refund could not be read back. Run the same command again.`);
  return stored;
}

/** Called before each attempt, and reads what it needs again. */
async function bookRefund(request: RefundRequest, row: Credit, deps: RefundDependencies, known: RefundPlan) {
  const { wallet, credits, reason } = request;
  const plan = await planRefund(request, deps, known);
  const { order, lot, invoice, amounts } = plan;
  const { settings, documents } = deps;
  const series = seriesOf(wallet.env, 'CREDIT_NOTE', settings.documentPrefix, Date.parse(row.createdAt));
  const drawn = await documents.nextNumber(series);
  const head = {
    number: drawn.number,
    issuedAt: issueTime(row.createdAt, drawn),
    seller: settings.seller,
    buyer: invoice.buyer,
  };
  const creditNote = creditNoteOf(head, invoice, { credits, reason, ...amounts });
  const refund = newRefund(request, row, plan, creditNote.number);
  const month = accountingMonthOf(Date.parse(row.createdAt));
  // The order is always moved, so that a payment that is reversed at the same time is not also refunded.
  const { problem: _, ...rest } = order;
  const isLast = refundedCredits(lot) + credits === lot.credits;
  const after = isLast ? { ...rest, state: 'REFUNDED' as const } : order;
  const items = [
    deps.lots.withdrawItem(wallet, lot, { kind: 'refunded', credits, month, reference: row.reference }),
    deps.orders.moveItem(order, after),
    ...documents.documentItems(wallet, creditNote, drawn),
    deps.refunds.insertItem(refund),
    ...(await deps.automatic.paidBackItems(wallet, row.createdAt)),
  ];
  return { items, refund, creditNote };
}

function newRefund(
  request: RefundRequest,
  { reference, createdAt }: Credit,
  { order, lot, invoice, amounts }: RefundPlan,
  creditNote: string,
): Refund {
  const { wallet, credits, reason, actor, isPaidBack = false } = request;
  return {
    creditNote,
    ...wallet,
    order: order.reference,
    invoice: invoice.number,
    lot: lot.id,
    reference,
    method: order.method,
    credits,
    ...amounts,
    reason,
    requestedAt: createdAt,
    requestedBy: actor,
    payment: order.payment?.providerReference ?? '',
    sends: 0,
    version: 1,
    ...(isPaidBack
      ? { state: 'DONE', doneAt: createdAt, isPaidBack }
      : { state: 'REQUESTED', ...(order.method === 'PAYSTACK' && { dueAt: createdAt }) }),
  };
}

/** Throws if it differs from the request. */
async function storedRefund(
  request: RefundRequest,
  deps: RefundDependencies,
): Promise<RefundedCredits | undefined> {
  const { wallet, credits } = request;
  const reference = refundReference(request.reference);
  const row = await deps.credits.getCredit(wallet, reference);
  if (!row) return undefined;
  const { order = '' } = await invoiceOfRequest(request, deps);
  const refund = (await deps.refunds.listRefunds(wallet.env, order)).find(
    (one) => one.reference === reference,
  );
  if (refund?.invoice !== request.invoice || refund.credits !== credits) {
    const taken = row.amount === -1 ? '1 credit' : `${-row.amount} credits`;
    throw rejected(
      `The reference ${request.reference} is already used for another refund, of ${taken}. Use another reference.`,
    );
  }
  const creditNote = await deps.documents.getDocument(wallet, refund.creditNote);
  if (!creditNote) throw new Error(`The credit note ${refund.creditNote} is missing.`);
  return { refund, creditNote, existed: true };
}

async function invoiceOfRequest(
  { wallet, invoice }: RefundRequest,
  { documents }: Pick<RefundDependencies, 'documents'>,
): Promise<FinancialDocument> {
  const found = await documents.getDocument(wallet, invoice);
  if (found?.kind === 'INVOICE') return found;
  throw rejected(`The ${wallet.env} wallet of ${wallet.organisationId} has no invoice ${invoice}.`);
}

/** It is not yet certain which credits the previous month has used. */
function requireSettledMonth(nowMs: number): void {
  const beginsMs = monthStartMs(accountingMonthOf(nowMs)) + SETTLING_MS;
  if (nowMs < beginsMs)
    throw rejected(
      `Requests of the previous month may still be charged. Try again after ${new Date(beginsMs).toISOString()}.`,
    );
}

function rejected(sentence: string, advice = ''): Error {
  return notPossible(`${sentence} Nothing was changed. ${advice}`.trim());
}

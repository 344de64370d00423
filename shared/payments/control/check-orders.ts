import { isDeepStrictEqual } from 'node:util';
import { decodeTime, isValid } from 'ulid';
import { lagosDay } from '../../core/accounting-month.ts';
import { MINUTE_MS } from '../../core/clock.ts';
import { MARGIN_MS } from '../../ledger/reconcile/rows.ts';
import { isIssuedWith } from '../documents/document-series.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import type { Lot } from '../lots/lot.ts';
import { refundedCredits } from '../lots/lot.ts';
import { priceOf } from '../naira.ts';
import { PAYABLE_MS, TRANSFER_MS } from '../orders/open-top-up.ts';
import { creditReferenceOf, type TopUpOrder, withVatAt } from '../orders/order.ts';
import { generatedReference } from '../orders/order-reference.ts';
import { notTakenBack } from '../orders/reversal.ts';
import { koboPerCreditAt, vatRateOn } from '../prices/price.ts';
import type { MoneySettings } from '../settings.ts';
import { type Findings, type MoneyRows, monthOf } from './money-rows.ts';

/**
 * A credited order, its payment, lot, invoice and receipt state the same credits and amounts. `vat` is empty if the
 * stage has no money settings.
 */
export function checkOrders(rows: MoneyRows, vat: MoneySettings['vat'], findings: Findings): void {
  const lots = new Map(rows.lots.map((lot) => [lot.id, lot]));
  const documents = new Map(rows.documents.map((document) => [document.number, document]));
  const known = new Set(rows.orders.map(({ reference }) => reference));
  for (const order of rows.orders) {
    checkAmounts(order, findings);
    checkOpening(order, rows, findings);
    checkPrice(order, rows, vat, findings);
    if (isCredited(order)) {
      checkLot(order, lots.get(order.lot ?? ''), findings);
      checkDocument(order, 'INVOICE', documents.get(order.invoice ?? ''), findings);
      checkDocument(order, 'RECEIPT', documents.get(order.receipt ?? ''), findings);
      checkReceipt(documents.get(order.invoice ?? ''), documents.get(order.receipt ?? ''), findings);
    } else checkUncredited(order, findings);
  }
  for (const lot of rows.lots)
    if (lot.kind === 'paid' && !known.has(lot.order ?? ''))
      findings.add('order', { at: lot.createdAt, reference: lot.id }, 'an order for the paid lot', 'none');
}

const isCredited = ({ state }: TopUpOrder) => state === 'CREDITED' || state === 'REFUNDED';

function nameOf({ openedAt, reference }: TopUpOrder) {
  return { at: openedAt, reference };
}

/** Nobody else says that its money arrived, or went back. */
const TRANSFER_STATES = new Set<string>(['OPENED', 'EXPIRED', 'CREDITED', 'REFUNDED']);

/** The rate, price or buyer may have changed meanwhile. */
export const QUOTED_WITHIN_MS = 5 * MINUTE_MS;

function checkAmounts(order: TopUpOrder, findings: Findings): void {
  const { totalKobo, payment, openedAt, expiresAt, method, state, problem, resolution, reversedAt } = order;
  if (isCredited(order) && (payment?.amountKobo !== totalKobo || payment.currency !== order.currency))
    findings.add('order', nameOf(order), `paid ${totalKobo} kobo`, `paid ${payment?.amountKobo ?? 0} kobo`);
  const payableMs = Date.parse(expiresAt) - Date.parse(openedAt);
  if (payableMs !== PAYABLE_MS && !(method === 'TRANSFER' && payableMs === TRANSFER_MS))
    findings.add(
      'order',
      nameOf(order),
      'payable for 1 or 30 days',
      `opened ${openedAt}, until ${expiresAt}`,
    );
  if (method === 'TRANSFER' && (reversedAt !== undefined || !TRANSFER_STATES.has(state)))
    findings.add('order', nameOf(order), 'a transfer, which a person credits', reversedAt ?? state);
  const isOpen = state === 'MISMATCH' || (state === 'CREDITED' && reversedAt !== undefined);
  if (isOpen && problem === undefined && resolution === undefined)
    findings.add('order', nameOf(order), 'a problem, or how it was resolved', 'neither');
}

/** A reference is generated before its order is opened. Its time was random in earlier versions. */
function checkOpening(order: TopUpOrder, { nowMs }: MoneyRows, findings: Findings): void {
  const { openedAt, reference } = order;
  const id = reference.slice(generatedReference('').length);
  if (reference !== generatedReference(id) || !isValid(id)) return;
  const generatedMs = decodeTime(id);
  if (generatedMs > Date.parse(openedAt) + MARGIN_MS && generatedMs <= nowMs)
    findings.add('order', nameOf(order), `opened after ${new Date(generatedMs).toISOString()}`, openedAt);
}

/**
 * The amounts are those of a price that was listed at some time from the opening to the credit. VAT is that of the
 * payment's day. If it changed after the opening, it was taken out of the total, unless the order was quoted again.
 */
function checkPrice(order: TopUpOrder, { prices }: MoneyRows, vat: MoneySettings['vat'], findings: Findings) {
  const { openedAt, credits, koboPerCredit, netKobo, vatBasisPoints, vatKobo, totalKobo } = order;
  const quotedMs = Date.parse(openedAt) - QUOTED_WITHIN_MS;
  const [from, until] = [new Date(quotedMs).toISOString(), order.creditedAt ?? openedAt];
  const starts = [...prices.stage, ...prices.organisation].map((price) => price.from);
  const times = [openedAt, from, ...starts.filter((start) => start > from && start <= until)];
  const rates = vat.length > 0 ? vat : [{ from: '', basisPoints: vatBasisPoints }];
  const isPaid = isCredited(order) || order.state === 'PAID';
  const paid = isPaid && order.payment ? [Date.parse(order.payment.paidAt)] : [];
  const possible = times.flatMap((at) => {
    const price = koboPerCreditAt(prices, at);
    const days = [Date.parse(openedAt), quotedMs, ...paid];
    return price === undefined ? [] : days.map((day) => quoteOf(order, price, day, paid[0] ?? day, rates));
  });
  const stated = { credits, koboPerCredit, vatBasisPoints, netKobo, vatKobo, totalKobo };
  if (possible.some((one) => isDeepStrictEqual(one, stated))) return;
  findings.compare('order', nameOf(order), possible[0] ?? { koboPerCredit: undefined }, stated);
}

/** As it was quoted at this price, with the rate of VAT of one day, and paid on another. */
function quoteOf(
  order: TopUpOrder,
  price: number,
  quotedMs: number,
  paidMs: number,
  vat: MoneySettings['vat'],
) {
  const rate = vatRateOn(vat, lagosDay(quotedMs));
  const quoted = { koboPerCredit: price, vatBasisPoints: rate, ...priceOf(order.credits, price, rate) };
  const { credits, koboPerCredit, vatBasisPoints, netKobo, vatKobo, totalKobo } = withVatAt(
    { ...order, ...quoted },
    paidMs,
    { vat },
  );
  return { credits, koboPerCredit, vatBasisPoints, netKobo, vatKobo, totalKobo };
}

function checkLot(order: TopUpOrder, lot: Lot | undefined, findings: Findings): void {
  const { credits, koboPerCredit, netKobo, vatKobo, vatBasisPoints, reference, invoice, creditedAt } = order;
  const name = nameOf(order);
  if (!lot) {
    findings.add('order', name, `the lot ${order.lot ?? ''}`, 'none');
    return;
  }
  findings.compare(
    'order',
    name,
    {
      kind: 'paid',
      ...{ credits, koboPerCredit, netKobo, vatKobo, vatBasisPoints, order: reference, invoice },
      reference: creditReferenceOf(order),
      createdAt: creditedAt,
      expiresAt: undefined,
    },
    { ...amountsOf(lot), createdAt: lot.createdAt, expiresAt: lot.expiresAt },
  );
  const isRefunded = refundedCredits(lot) === lot.credits;
  if (isRefunded !== (order.state === 'REFUNDED'))
    findings.add('order', name, isRefunded ? 'REFUNDED' : 'CREDITED', order.state);
  checkReversal(order, lot, findings);
}

function amountsOf(lot: Lot) {
  const { kind, credits, koboPerCredit, netKobo, vatKobo, vatBasisPoints, order, invoice, reference } = lot;
  return { kind, credits, koboPerCredit, netKobo, vatKobo, vatBasisPoints, order, invoice, reference };
}

/** After the booking, no part of the order is refunded. */
function checkReversal(order: TopUpOrder, lot: Lot, findings: Findings): void {
  const booked = order.bookedReversal;
  if (!booked) return;
  const { netKobo, vatKobo, totalKobo } = notTakenBack(lot);
  findings.compare(
    'order',
    nameOf(order),
    { bookedNetKobo: netKobo, bookedVatKobo: vatKobo, bookedTotalKobo: totalKobo, month: monthOf(booked.at) },
    {
      bookedNetKobo: booked.netKobo,
      bookedVatKobo: booked.vatKobo,
      bookedTotalKobo: booked.totalKobo,
      month: booked.month,
    },
  );
}

function checkDocument(
  order: TopUpOrder,
  kind: 'INVOICE' | 'RECEIPT',
  document: FinancialDocument | undefined,
  findings: Findings,
): void {
  const name = nameOf(order);
  const number = kind === 'INVOICE' ? order.invoice : order.receipt;
  if (!document) {
    findings.add('order', name, `${kind} ${number ?? ''}`, 'none');
    return;
  }
  const { credits, koboPerCredit, netKobo, vatKobo, vatBasisPoints, totalKobo, creditedAt } = order;
  const [line] = document.lines;
  // It may be later, so that times rise with the numbers.
  if (creditedAt !== undefined && !isIssuedWith(document, creditedAt))
    findings.add('order', name, `${kind} issued at ${creditedAt}`, document.issuedAt);
  findings.compare(
    'order',
    name,
    {
      kind,
      order: order.reference,
      invoice: kind === 'RECEIPT' ? order.invoice : undefined,
      ...{ credits, koboPerCredit, netKobo, vatKobo, vatBasisPoints, totalKobo },
      payment: JSON.stringify(order.payment),
      method: order.method,
    },
    {
      kind: document.kind,
      order: document.order,
      invoice: document.invoice,
      credits: line?.quantity,
      koboPerCredit: line?.unitKobo,
      netKobo: document.netKobo,
      vatKobo: document.vatKobo,
      vatBasisPoints: line?.vatBasisPoints,
      totalKobo: document.totalKobo,
      payment: JSON.stringify(document.payment),
      method: document.method,
    },
  );
}

/** Both are issued together. */
function checkReceipt(
  invoice: FinancialDocument | undefined,
  receipt: FinancialDocument | undefined,
  findings: Findings,
): void {
  if (!invoice || !receipt) return;
  const facts = ({ seller, buyer, issuedAt, lines: [line] }: FinancialDocument) => ({
    seller: JSON.stringify(seller),
    buyer: JSON.stringify(buyer),
    description: line?.description,
    issuedAt,
  });
  const name = { at: receipt.issuedAt, reference: receipt.number };
  findings.compare('order', name, facts(invoice), facts(receipt));
}

function checkUncredited(order: TopUpOrder, findings: Findings): void {
  const { lot, invoice, receipt, creditedAt, bookedReversal, state } = order;
  const payment = order.payment?.providerReference;
  const isPaid = state === 'PAID' || state === 'MISMATCH';
  findings.compare(
    'order',
    nameOf(order),
    {
      ...{ lot: undefined, invoice: undefined, receipt: undefined, creditedAt: undefined, booked: undefined },
      payment: isPaid ? payment : undefined,
    },
    { lot, invoice, receipt, creditedAt, booked: bookedReversal?.as, payment },
  );
}

import type { FinancialDocument } from '../documents/financial-document.ts';
import type { Lot } from '../lots/lot.ts';
import { refundedCredits } from '../lots/lot.ts';
import { vatOf } from '../naira.ts';
import { creditReferenceOf, type TopUpOrder } from '../orders/order.ts';
import { notTakenBack } from '../orders/reversal.ts';
import { koboPerCreditAt } from '../prices/price.ts';
import { type Findings, type MoneyRows, monthOf } from './money-rows.ts';

/** A credited order, its payment, lot, invoice and receipt state the same credits and amounts. */
export function checkOrders(rows: MoneyRows, findings: Findings): void {
  const lots = new Map(rows.lots.map((lot) => [lot.id, lot]));
  const documents = new Map(rows.documents.map((document) => [document.number, document]));
  const known = new Set(rows.orders.map(({ reference }) => reference));
  for (const order of rows.orders) {
    checkAmounts(order, findings);
    checkPrice(order, rows, findings);
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
  checkPayments(rows.orders, findings);
}

const isCredited = ({ state }: TopUpOrder) => state === 'CREDITED' || state === 'REFUNDED';

function nameOf({ openedAt, reference }: TopUpOrder) {
  return { at: openedAt, reference };
}

function checkAmounts(order: TopUpOrder, findings: Findings): void {
  const { netKobo, vatKobo, vatBasisPoints, totalKobo, payment } = order;
  if (netKobo + vatKobo !== totalKobo)
    findings.add('order', nameOf(order), `total ${netKobo + vatKobo} kobo`, `total ${totalKobo} kobo`);
  // Tax that is taken out of a total may differ by the rounding.
  const vat = vatOf(netKobo, vatBasisPoints);
  if (Math.abs(vat - vatKobo) > 1)
    findings.add('order', nameOf(order), `VAT ${vat} kobo`, `VAT ${vatKobo} kobo`);
  if (isCredited(order) && (payment?.amountKobo !== totalKobo || payment.currency !== order.currency))
    findings.add('order', nameOf(order), `paid ${totalKobo} kobo`, `paid ${payment?.amountKobo ?? 0} kobo`);
}

/** Whether the total is that of a price with the rate of VAT at which the order was opened. */
function isTotalOf({ credits, totalKobo }: TopUpOrder, koboPerCredit: number): boolean {
  const net = credits * koboPerCredit;
  const vat = totalKobo - net;
  return vat >= 0 && vatOf(net, Math.round((vat * 10_000) / net)) === vat;
}

/** The price was that of the list at some time from the opening to the credit. */
function checkPrice(order: TopUpOrder, { prices }: MoneyRows, findings: Findings): void {
  const { openedAt, koboPerCredit } = order;
  const until = order.creditedAt ?? openedAt;
  const starts = [...prices.stage, ...prices.organisation].map(({ from }) => from);
  const times = [openedAt, ...starts.filter((from) => from > openedAt && from <= until)];
  const listed = times.map((at) => koboPerCreditAt(prices, at));
  // Or the rate of VAT changed between order and payment, and the tax was taken out of the total.
  const isRounded = koboPerCredit === Math.round(order.netKobo / order.credits);
  const isTaxed = isRounded && listed.some((price) => price !== undefined && isTotalOf(order, price));
  if (!listed.includes(koboPerCredit) && !isTaxed)
    findings.add('order', nameOf(order), `price ${listed[0] ?? 'none'} kobo`, `price ${koboPerCredit} kobo`);
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
    },
    { ...amountsOf(lot), createdAt: lot.createdAt },
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
  if (creditedAt !== undefined && document.issuedAt < creditedAt)
    findings.add('order', name, `${kind} issued from ${creditedAt} on`, document.issuedAt);
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
  const { lot, invoice, receipt, creditedAt, bookedReversal } = order;
  findings.compare(
    'order',
    nameOf(order),
    { lot: undefined, invoice: undefined, receipt: undefined, creditedAt: undefined, booked: undefined },
    { lot, invoice, receipt, creditedAt, booked: bookedReversal?.as },
  );
}

/** One payment at Paystack pays for one order. */
function checkPayments(orders: readonly TopUpOrder[], findings: Findings): void {
  const seen = new Map<string, string>();
  for (const order of orders) {
    const { payment, method, reference } = order;
    if (!payment || method !== 'PAYSTACK' || !isCredited(order)) continue;
    const other = seen.get(payment.providerReference);
    if (other !== undefined)
      findings.add('order', nameOf(order), 'a payment of its own', `the payment of ${other}`);
    seen.set(payment.providerReference, reference);
  }
}

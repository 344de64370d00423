import * as v from 'valibot';
import { accountingMonthOf } from '../../core/accounting-month.ts';
import { canonicalSha256 } from '../../core/canonical-json.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { Lot } from '../lots/lot.ts';
import { refundOf } from '../lots/lot-value.ts';
import type { MonthFigures } from '../months/closing.ts';
import type { Amounts } from '../naira.ts';
import type { TopUpOrder } from '../orders/order.ts';
import type { Party } from '../prices/billing.ts';
import {
  type DocumentLine,
  type FinancialDocument,
  financialDocument,
  type StatementSummary,
} from './financial-document.ts';
import { amountInWords } from './spell-amount.ts';

/** All amounts are integer kobo. Nothing here reads a clock or a table. */

export interface DocumentHead {
  /** The next number of its series. */
  readonly number: string;
  /** ISO time, according to the AWS clock. */
  readonly issuedAt: string;
  readonly seller: Party;
  /** Attributes other than those of a party are left out. */
  readonly buyer: Party;
}

type Content = Omit<FinancialDocument, 'contentSha256'>;

const CREDITS = 'Prepaid credits for identity verification';

/** The order must have a payment. */
export function invoiceOf(head: DocumentHead, order: TopUpOrder): FinancialDocument {
  return orderDocument(head, order, { kind: 'INVOICE' });
}

/** The order must have a payment. */
export function receiptOf(head: DocumentHead, order: TopUpOrder, invoice: string): FinancialDocument {
  return orderDocument(head, order, { kind: 'RECEIPT', invoice });
}

/** All amounts are positive. */
interface CreditedPart extends Amounts {
  readonly credits: number;
  readonly reason: string;
}

/** Throws if it exceeds the invoice. */
export function creditNoteOf(
  head: DocumentHead,
  invoice: FinancialDocument,
  part: CreditedPart,
): FinancialDocument {
  const { credits, reason, netKobo, vatKobo, totalKobo } = part;
  const [line] = invoice.lines;
  if (invoice.kind !== 'INVOICE' || !line) throw new Error('A credit note needs an invoice.');
  if (credits > line.quantity || totalKobo > invoice.totalKobo) {
    throw new Error('A credit note cannot be larger than its invoice.');
  }
  const { env, organisationId, order, payment, method } = invoice;
  return frozen({
    ...opening(head, { env, organisationId }),
    kind: 'CREDIT_NOTE',
    ...sumOf([{ ...line, quantity: credits, netKobo, vatKobo, totalKobo }]),
    order,
    payment,
    method,
    invoice: invoice.number,
    reason,
  });
}

export interface StatementInput {
  readonly wallet: WalletId;
  /** The accounting month that is closed. */
  readonly month: string;
  readonly figures: MonthFigures;
  /** Contain the month's purchases and, as withdrawals, its refunds. */
  readonly lots: readonly Lot[];
  /** The number of the month's earlier statement. */
  readonly replaces?: string | undefined;
}

/** A row in DynamoDB has at most 400 KB, and a line takes about 250 bytes. */
const MOST_LINES = 1_000;

/**
 * The lines are invoices and credit notes. Beyond 1,000, those with the same price and rate of VAT become one line,
 * which says how many it combines.
 */
export function statementOf(head: DocumentHead, input: StatementInput): FinancialDocument {
  const { wallet, month, lots } = input;
  const lines = lots
    .filter(({ kind }) => kind === 'paid')
    .flatMap((lot) => [...purchaseLines(lot, month), ...refundLines(lot, month)]);
  return frozen({
    ...opening(head, wallet),
    kind: 'STATEMENT',
    ...sumOf(lines.length > MOST_LINES ? merged(lines) : lines),
    statement: summaryOf(input),
    replaces: input.replaces,
  });
}

/** SHA-256 of the other attributes as canonical JSON. */
export function contentSha256Of(document: Content & { readonly contentSha256?: string }): string {
  const { contentSha256: _, ...content } = document;
  return canonicalSha256(content);
}

/** For reports and exports. Throws if one was changed after it was issued. */
export function requireUnchanged(documents: readonly FinancialDocument[]): readonly FinancialDocument[] {
  for (const document of documents)
    if (contentSha256Of(document) !== document.contentSha256)
      throw notPossible(
        `The document ${document.number} was changed after it was issued, so its amounts cannot be reported. Run \`reconcile\`.`,
      );
  return documents;
}

function orderDocument(
  head: DocumentHead,
  order: TopUpOrder,
  own: Pick<FinancialDocument, 'kind' | 'invoice'>,
): FinancialDocument {
  const { credits, koboPerCredit, netKobo, vatBasisPoints, vatKobo, totalKobo, payment } = order;
  if (!payment) throw new Error('An order without a payment has no invoice.');
  const line: DocumentLine = {
    description: CREDITS,
    quantity: credits,
    unitKobo: koboPerCredit,
    netKobo,
    vatBasisPoints,
    vatKobo,
    totalKobo,
  };
  return frozen({
    ...opening(head, order),
    ...own,
    ...sumOf([line]),
    order: order.reference,
    payment,
    method: order.method,
  });
}

/** Returns the attributes that all documents share. */
function opening({ number, issuedAt, seller, buyer }: DocumentHead, { env, organisationId }: WalletId) {
  return {
    number,
    env,
    organisationId,
    issuedAt,
    month: accountingMonthOf(Date.parse(issuedAt)),
    seller: partyOf(seller),
    buyer: partyOf(buyer),
    currency: 'NGN',
  } as const;
}

/** Without the author and time of changes. */
function partyOf({ name, address, taxNumber, email }: Party): Party {
  return { name, address: [...address], taxNumber, email };
}

function sumOf(lines: DocumentLine[]) {
  const sum = (of: (line: DocumentLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const totalKobo = sum((line) => line.totalKobo);
  return {
    lines,
    netKobo: sum(({ netKobo }) => netKobo),
    vatKobo: sum(({ vatKobo }) => vatKobo),
    totalKobo,
    totalInWords: amountInWords(totalKobo),
  };
}

function purchaseLines(lot: Lot, month: string): DocumentLine[] {
  if (lot.month !== month) return [];
  return [lineOf(lot, `Invoice ${lot.invoice ?? lot.reference}`, lot.credits, lot)];
}

function refundLines(lot: Lot, month: string): DocumentLine[] {
  let before = 0;
  return lot.withdrawals
    .filter(({ kind }) => kind === 'refunded')
    .flatMap((withdrawal) => {
      const amounts = refundOf(lot, { before, now: withdrawal.credits });
      before += withdrawal.credits;
      if (withdrawal.month !== month) return [];
      const text = `Refund of invoice ${lot.invoice ?? lot.reference}, reference ${withdrawal.reference}`;
      return [lineOf(lot, text, -withdrawal.credits, minus(amounts))];
    });
}

function merged(lines: readonly DocumentLine[]): DocumentLine[] {
  const groups = Map.groupBy(lines, ({ quantity, unitKobo, vatBasisPoints }) =>
    [quantity < 0, unitKobo, vatBasisPoints].join(' '),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const sum = (of: (line: DocumentLine) => number) => group.reduce((total, line) => total + of(line), 0);
    return [
      {
        ...first,
        description: `${first.quantity < 0 ? 'Refunds' : 'Invoices'}: ${group.length}`,
        quantity: sum(({ quantity }) => quantity),
        netKobo: sum(({ netKobo }) => netKobo),
        vatKobo: sum(({ vatKobo }) => vatKobo),
        totalKobo: sum(({ totalKobo }) => totalKobo),
      },
    ];
  });
}

function minus({ netKobo, vatKobo, totalKobo }: Amounts): Amounts {
  // `-0` would differ from the 0 that a table returns.
  return { netKobo: 0 - netKobo, vatKobo: 0 - vatKobo, totalKobo: 0 - totalKobo };
}

function lineOf(
  lot: Lot,
  description: string,
  quantity: number,
  { netKobo, vatKobo }: Pick<Amounts, 'netKobo' | 'vatKobo'>,
): DocumentLine {
  const { koboPerCredit: unitKobo, vatBasisPoints } = lot;
  return { description, quantity, unitKobo, netKobo, vatBasisPoints, vatKobo, totalKobo: netKobo + vatKobo };
}

function summaryOf({ month, figures, lots }: StatementInput): StatementSummary {
  const { credits, value, services } = figures;
  const boughtCredits = lots
    .filter((lot) => lot.kind === 'paid' && lot.month === month)
    .reduce((sum, lot) => sum + lot.credits, 0);
  return {
    month,
    openingCredits: credits.opening,
    boughtCredits,
    otherCredits: credits.toppedUp + credits.corrected - boughtCredits,
    usedCredits: credits.charged,
    closingCredits: credits.closing,
    usedKobo: value.earnedKobo,
    closingKobo: value.deferredKobo,
    services: services.map(({ service, requests, credits: used }) => ({ service, requests, credits: used })),
  };
}

const CONTENT = v.omit(financialDocument, ['contentSha256']);

/** The hash must cover exactly what is later read from the row. */
function frozen(content: Content): FinancialDocument {
  const known = Object.entries(content).filter(([, value]) => value !== undefined);
  const parsed = v.parse(CONTENT, Object.fromEntries(known));
  return { ...parsed, contentSha256: contentSha256Of(parsed) };
}

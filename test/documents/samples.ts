import {
  creditNoteOf,
  invoiceOf,
  receiptOf,
  type StatementInput,
  statementOf,
} from '../../shared/payments/documents/compose-documents.ts';
import type { FinancialDocument } from '../../shared/payments/documents/financial-document.ts';
import type { Lot } from '../../shared/payments/lots/lot.ts';
import type { MonthFigures } from '../../shared/payments/months/closing.ts';
import { priceOf } from '../../shared/payments/naira.ts';
import { HEAD, inventedOrder } from '../unit/payments/invented-orders.ts';

/** Invented documents: typical ones, which the docs show, and some that are as large as possible. */

export const INVOICE = invoiceOf(HEAD, inventedOrder());

export const RECEIPT = receiptOf({ ...HEAD, number: 'IDVR-2026-000040' }, inventedOrder(), INVOICE.number);

export const CREDIT_NOTE = creditNoteOf(
  { ...HEAD, number: 'IDVC-2026-000003', issuedAt: '2026-11-27T09:12:00.000Z' },
  INVOICE,
  {
    credits: 1_200,
    ...priceOf(1_200, 4_250, 750),
    reason: 'The customer ended its contract and asked for the unused credits back.',
  },
);

/** Returns a purchase of 5,000 credits in a month. Every seventh one has a refund in November 2026. */
function lotOf(index: number, month = '2026-11'): Lot {
  const invoice = `IDV-2026-${String(index).padStart(6, '0')}`;
  return {
    id: String(index),
    kind: 'paid',
    credits: 5_000,
    koboPerCredit: 4_250,
    vatBasisPoints: 750,
    netKobo: 21_250_000,
    vatKobo: 1_593_750,
    reference: `paystack:TOPUP-${index}`,
    invoice,
    createdAt: `${month}-20T14:05:09.000Z`,
    month,
    consumed: {},
    withdrawals:
      index % 7 === 3
        ? [{ kind: 'refunded', credits: 1_200, month: '2026-11', reference: `refund:TICKET-${index}` }]
        : [],
    remaining: 0,
  };
}

const USED = [
  ['bvn-basic', 412],
  ['cac-basic', 96],
  ['nin-basic', 1_871],
  ['nin-premium', 1_004],
  ['nin-slip', 98],
] as const;

function figuresOf(lots: readonly Lot[]): MonthFigures {
  const toppedUp = lots.reduce((sum, { credits, month }) => sum + (month === '2026-11' ? credits : 0), 100);
  const refunds = lots.filter(({ withdrawals }) => withdrawals.length > 0).length;
  const charged = USED.reduce((sum, [, credits]) => sum + credits, 0);
  const [opening, corrected] = [1_250, -1_200 * refunds];
  const closing = opening + toppedUp + corrected - charged;
  return {
    credits: { opening, toppedUp, corrected, charged, closing },
    value: {
      paidKobo: 0,
      earnedKobo: charged * 4_250,
      refundedKobo: 0,
      expiredKobo: 0,
      deferredKobo: closing * 4_250,
    },
    lots: [],
    services: USED.map(([service, credits]) => ({
      service,
      requests: credits,
      credits,
      earnedKobo: credits * 4_250,
    })),
    lines: 0,
    linesSha256: '',
  };
}

function statement(number: string, env: StatementInput['wallet']['env'], lots: readonly Lot[]) {
  const head = { ...HEAD, number, issuedAt: '2026-12-01T08:00:00.000Z' };
  const wallet = { env, organisationId: 'kBDG57GjU9' };
  return statementOf(head, { wallet, month: '2026-11', figures: figuresOf(lots), lots });
}

export const STATEMENT = statement('IDVS-2026-000009', 'live', [lotOf(41), lotOf(3, '2026-10')]);

export const LONG_STATEMENT = statement(
  'TEST-IDVS-2026-000009',
  'test',
  Array.from({ length: 140 }, (_, index) => lotOf(index + 1)),
);

const LARGE_PARTY = {
  name: 'Ọlọ́runwà Ọ̀gbómọ̀ṣọ́ Ńkịtị Ụmụahịa Ɗanƙwambo Ƴar’aduwa International Agricultural Development and Microfinance Holdings (Nigeria) Public Limited Company, formerly Invented Finance Company Limited',
  address: [
    'Block 27, Flat 14B, Ƴar’aduwa Memorial Housing Estate Phase II, behind the old textile mill',
    'Opposite St. Ṣẹ́gun’s Anglican Primary School, Kilometre 9',
    'Abẹ́òkúta–Ṣàgámù Road',
    'Ọbáfẹ́mi Owódé Local Government Area',
    'Ogun State, Federal Republic of Nigeria',
  ],
  taxNumber: '1234567890123',
  email:
    'accounts.payable.department.of.the.holding.company@very-long-subdomain.invented-finance-company.example',
};

/** Close to 10^13 kobo, in the environment `test`, with long names on both sides. */
export const LARGE_INVOICE = invoiceOf(
  { ...HEAD, number: 'TEST-IDV-2026-000041', seller: LARGE_PARTY, buyer: LARGE_PARTY },
  inventedOrder({
    env: 'test',
    credits: 1_000_000_000,
    koboPerCredit: 9_302,
    method: 'TRANSFER',
    payment: {
      amountKobo: 9_999_650_000_000,
      currency: 'NGN',
      paidAt: '2026-11-30T23:30:00.000Z',
      channel: 'bank_transfer',
      providerReference:
        'FT/26/11/30/000123456789/NIP/INVENTED FINANCE COMPANY LIMITED/TOPUP-01KAH0T6W5M3QJ0V7R2Y8ZB4XD/PART/1/OF/1',
    },
  }),
);

export const LARGE_CREDIT_NOTE = creditNoteOf(
  { ...HEAD, number: 'TEST-IDVC-2026-000041', buyer: LARGE_PARTY },
  LARGE_INVOICE,
  {
    credits: 1_000_000_000,
    netKobo: LARGE_INVOICE.netKobo,
    vatKobo: LARGE_INVOICE.vatKobo,
    totalKobo: LARGE_INVOICE.totalKobo,
    reason: 'The invoice was addressed to the wrong company of the group. '.repeat(40).trim(),
  },
);

/** The total is close to Number.MAX_SAFE_INTEGER kobo. */
export const LARGEST_INVOICE = invoiceOf(
  HEAD,
  inventedOrder({ credits: 8 * 10 ** 12, koboPerCredit: 1_000 }),
);

export interface Sample {
  readonly name: string;
  readonly document: FinancialDocument;
  readonly pages: number;
}

export const USUAL: readonly Sample[] = [
  { name: 'invoice', document: INVOICE, pages: 1 },
  { name: 'receipt', document: RECEIPT, pages: 1 },
  { name: 'credit-note', document: CREDIT_NOTE, pages: 1 },
  { name: 'statement', document: STATEMENT, pages: 1 },
];

export const LARGE: readonly Sample[] = [
  { name: 'long statement', document: LONG_STATEMENT, pages: 7 },
  { name: 'large invoice', document: LARGE_INVOICE, pages: 1 },
  { name: 'large credit note', document: LARGE_CREDIT_NOTE, pages: 2 },
  { name: 'largest invoice', document: LARGEST_INVOICE, pages: 1 },
];

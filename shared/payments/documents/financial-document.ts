import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { payment } from '../orders/order.ts';
import { party } from '../prices/billing.ts';

/** A document is frozen when it is written; its PDF is drawn from this row. */

export const DOCUMENT_KINDS = ['INVOICE', 'RECEIPT', 'CREDIT_NOTE', 'STATEMENT'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

const documentLine = v.object({
  description: v.string(),
  /** Whole credits. */
  quantity: v.number(),
  unitKobo: v.number(),
  netKobo: v.number(),
  vatBasisPoints: v.number(),
  vatKobo: v.number(),
  totalKobo: v.number(),
});
export type DocumentLine = v.InferOutput<typeof documentLine>;

const statementSummary = v.object({
  month: v.string(),
  openingCredits: v.number(),
  boughtCredits: v.number(),
  /** May be negative. */
  otherCredits: v.number(),
  usedCredits: v.number(),
  closingCredits: v.number(),
  /** In kobo without VAT. */
  usedKobo: v.number(),
  closingKobo: v.number(),
  /** Used credits by service. */
  services: v.array(v.object({ service: v.string(), requests: v.number(), credits: v.number() })),
});
export type StatementSummary = v.InferOutput<typeof statementSummary>;

/** Attributes can only be added as optional ones: the hash of an earlier document covers what it has. */
export const financialDocument = v.object({
  /** `IDV-2026-000041`: series, year in Africa/Lagos, and a number without gaps. */
  number: v.string(),
  kind: v.picklist(DOCUMENT_KINDS),
  /** Documents of `test` have their own series, and are not tax documents. */
  env: v.picklist(ENVIRONMENTS),
  organisationId: v.string(),
  issuedAt: v.string(),
  /** The accounting month of `issuedAt`. */
  month: v.string(),
  seller: party,
  buyer: party,
  currency: v.literal('NGN'),
  /** Positive in a credit note. A statement lists credit notes with negative amounts. */
  lines: v.array(documentLine),
  netKobo: v.number(),
  vatKobo: v.number(),
  totalKobo: v.number(),
  totalInWords: v.string(),
  /** Absent on statements. */
  order: v.optional(v.string()),
  payment: v.optional(payment),
  method: v.optional(v.picklist(['PAYSTACK', 'TRANSFER'])),
  invoice: v.optional(v.string()),
  /** Why a credit note was written. */
  reason: v.optional(v.string()),
  statement: v.optional(statementSummary),
  /** The number of the statement that this one replaces, because its month was reopened. */
  replaces: v.optional(v.string()),
  /** SHA-256 of the other attributes as canonical JSON. The PDF shows its first 16 characters. */
  contentSha256: v.string(),
});
export type FinancialDocument = v.InferOutput<typeof financialDocument>;

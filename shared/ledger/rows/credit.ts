import * as v from 'valibot';
import { accountingMonthOf } from '../../core/accounting-month.ts';
import { textProblem } from '../../core/printable-text.ts';

/** Written once under its reference, never edited. */
export const credit = v.object({
  reference: v.string(),
  kind: v.picklist(['TOP_UP', 'CORRECTION']),
  /** Whole credits; a correction may be negative, never zero. */
  amount: v.number(),
  shard: v.number(),
  actor: v.string(),
  reason: v.string(),
  /** AWS clock (contract P3). It determines which statement shows the credit. */
  createdAt: v.string(),
  /** ISO time of the payment or the mistake. */
  effectiveAt: v.optional(v.string()),
  /** The accounting month of `createdAt` (contract P2). */
  month: v.optional(v.string()),
  /** The lot that it created, or from which a refund or an expiry took credits. */
  lot: v.optional(v.string()),
  /** Absent for top-ups and for an operator's own corrections. */
  cause: v.optional(v.picklist(['refund', 'expiry'])),
});
export type Credit = v.InferOutput<typeof credit>;

export function monthOfCredit({ createdAt }: Pick<Credit, 'createdAt'>): string {
  return accountingMonthOf(Date.parse(createdAt));
}

/** An order has the reference of its credit. */
export const CREDIT_REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const MAX_REASON = 200;
const LARGEST_AMOUNT = 1_000_000_000;

/** Returns why the credit is not valid, for the operator. */
export function creditProblem(
  row: Pick<Credit, 'kind' | 'amount' | 'reference' | 'reason'>,
): string | undefined {
  if (!CREDIT_REFERENCE.test(row.reference))
    return 'The reference must have 1 to 100 characters: letters, digits, dots, underscores, colons and hyphens. The first must be a letter or a digit.';
  if (!Number.isSafeInteger(row.amount) || Math.abs(row.amount) > LARGEST_AMOUNT || row.amount === 0)
    return 'The amount must be a whole number of credits other than 0, from -1,000,000,000 to 1,000,000,000.';
  if (row.kind === 'TOP_UP' && row.amount < 0)
    return 'A top-up must be positive. Use a correction to remove credits.';
  // Statements print the reason. A top-up needs none.
  if (row.kind === 'TOP_UP' && row.reason === '') return undefined;
  return textProblem('The reason', row.reason, MAX_REASON);
}

/** Returns why the credit cannot have its effective time, for the operator. */
export function effectiveTimeProblem(
  { effectiveAt }: Pick<Credit, 'effectiveAt'>,
  nowMs: number,
): string | undefined {
  if (effectiveAt === undefined || Date.parse(effectiveAt) <= nowMs) return undefined;
  return 'The effective time must not be in the future. Nothing was changed.';
}

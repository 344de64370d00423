import * as v from 'valibot';
import { party } from './prices/billing.ts';

/** A stage's money settings. Synthesis checks them, and functions receive them as JSON in the variable `MONEY`. */
export const moneySettings = v.object({
  /** The seller: our name, address, tax number and email address, which every document shows. */
  seller: party,
  /** VAT rates in basis points, each with the day (`yyyy-mm-dd`, Africa/Lagos) from which it applies. */
  vat: v.array(v.object({ from: v.string(), basisPoints: v.number() })),
  /** The letters with which the numbers of live documents begin, such as `IDV` in `IDV-2026-000041`. */
  documentPrefix: v.string(),
  /** The minimum and maximum credits of one order. */
  leastCredits: v.number(),
  mostCredits: v.number(),
  /** Base URL of Paystack's API. The local stage calls its own test double. */
  paystackUrl: v.string(),
  /** The S3 bucket that receives the reports of a closed month. @default none */
  exportBucket: v.optional(v.string()),
});
export type MoneySettings = v.InferOutput<typeof moneySettings>;

import * as v from 'valibot';
import { setting } from '../core/config.ts';
import { party } from './prices/billing.ts';

/** Synthesis checks them, and functions receive them as JSON in `MONEY`. */
export const moneySettings = v.object({
  /** Shown on every document. */
  seller: party,
  /** Basis points, from a day in Africa/Lagos. */
  vat: v.array(v.object({ from: v.string(), basisPoints: v.number() })),
  /** Such as `IDV` in `IDV-2026-000041`. */
  documentPrefix: v.string(),
  /** Of one order. */
  leastCredits: v.number(),
  mostCredits: v.number(),
  /** The local stage calls its own test double. */
  paystackUrl: v.string(),
  /** The S3 bucket that receives the reports of a closed month. @default none */
  exportBucket: v.optional(v.string()),
});
export type MoneySettings = v.InferOutput<typeof moneySettings>;

/** Undefined if the stage has none. */
export function stageMoneySettings(): MoneySettings | undefined {
  const text = setting('MONEY');
  return text === '' ? undefined : v.parse(moneySettings, JSON.parse(text));
}

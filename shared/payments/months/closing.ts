import * as v from 'valibot';
import { LOT_KINDS } from '../lots/lot.ts';

/**
 * `<env>#<org>` / `CLOSE#<month>`. While it is CLOSING or CLOSED, a condition in every booking keeps credits out of the
 * month. Computed again, a closed month must give the same figures.
 */

const CLOSING_STATES = ['CLOSING', 'CLOSED', 'REOPENED'] as const;

/** How a month used one lot. */
const lotUse = v.object({
  lot: v.string(),
  kind: v.picklist(LOT_KINDS),
  koboPerCredit: v.number(),
  /** Or when the lot was written, if later. */
  opening: v.number(),
  consumed: v.number(),
  refunded: v.number(),
  /** Expired, or removed by a correction. */
  expired: v.number(),
  closing: v.number(),
});
export type LotUse = v.InferOutput<typeof lotUse>;

/** Kobo without VAT. `paid` of all months = earned + refunded + expired + `deferred` of the last one. */
const monthValue = v.object({
  paidKobo: v.number(),
  earnedKobo: v.number(),
  refundedKobo: v.number(),
  expiredKobo: v.number(),
  deferredKobo: v.number(),
});
export type MonthValue = v.InferOutput<typeof monthValue>;

/** `opening` + `toppedUp` + `corrected` - `charged` = `closing`. */
const monthCredits = v.object({
  opening: v.number(),
  toppedUp: v.number(),
  /** Corrections, refunds and expiries; may be negative. */
  corrected: v.number(),
  charged: v.number(),
  closing: v.number(),
});
export type MonthCredits = v.InferOutput<typeof monthCredits>;

const serviceUse = v.object({
  service: v.string(),
  requests: v.number(),
  credits: v.number(),
  earnedKobo: v.number(),
});
export type ServiceUse = v.InferOutput<typeof serviceUse>;

/** What the closing of a month computes. */
const monthFigures = v.object({
  credits: monthCredits,
  value: monthValue,
  /** SHA-256 of how the month used each lot that had credits: the lots store it (`storedUse`). */
  lotsSha256: v.optional(v.string()),
  /** Earlier versions stored it here instead, and could not close a wallet with 4,500 open lots. */
  lots: v.optional(v.array(lotUse)),
  services: v.array(serviceUse),
  lines: v.number(),
  /** SHA-256 of the month's lines. */
  linesSha256: v.string(),
  /** As the daily seals add it up, with more attributes. Absent in closings of earlier versions. */
  linesXor: v.optional(v.string()),
});
export type MonthFigures = v.InferOutput<typeof monthFigures>;

export const closing = v.object({
  month: v.string(),
  state: v.picklist(CLOSING_STATES),
  startedAt: v.string(),
  startedBy: v.string(),
  closedAt: v.optional(v.string()),
  /** The number of the monthly statement. */
  statement: v.optional(v.string()),
  /** Kept when the month is reopened. */
  figures: v.optional(monthFigures),
  version: v.number(),
});
export type Closing = v.InferOutput<typeof closing>;

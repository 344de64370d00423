import { monthEndMs, monthStartMs } from '../core/accounting-month.ts';
import { estimateLots } from '../payments/lots/estimate-lots.ts';
import type { Lot } from '../payments/lots/lot.ts';
import { worthOf } from '../payments/lots/lot-value.ts';
import type { Closing } from '../payments/months/closing.ts';

interface CostFacts {
  readonly month: string;
  readonly closing: Closing | undefined;
  /** All lots of the wallet. */
  readonly lots: readonly Lot[];
  /** If undefined, every lot is taken as it was after the last closing. */
  readonly openingBalance: number | undefined;
  /** For credits that are in no lot. */
  readonly koboPerCredit: number | undefined;
}

/** Undefined if the month is not closed. */
export function earnedKobo({ closing }: Pick<CostFacts, 'closing'>): number | undefined {
  return closing?.state === 'CLOSED' ? closing.figures?.value.earnedKobo : undefined;
}

/**
 * In kobo without VAT. In a closed month, each charged credit costs the same share of the revenue. In an open month, an
 * estimate: lots are used in the order of contract P1, without the times of the charges. Null if a credit has no lot
 * and no price.
 */
export function costKobo(credits: number, facts: CostFacts): number | null {
  const { closing, koboPerCredit } = facts;
  const earned = earnedKobo(facts);
  const charged = closing?.figures?.credits.charged ?? 0;
  if (earned !== undefined) return charged === 0 ? 0 : Math.round((earned * credits) / charged);
  if (credits === 0) return facts.lots.length === 0 && koboPerCredit === undefined ? null : 0;
  const lots = lotsOf(facts);
  const total = lots.reduce((sum, { remaining }) => sum + remaining, 0);
  const covered = Math.min(credits, total);
  const uncovered = credits - covered;
  if (uncovered > 0 && koboPerCredit === undefined) return null;
  const ofLots = estimateLots(lots, total - covered).reduce(
    (sum, { lot, left }) => sum + worthOf(lot, lot.remaining) - worthOf(lot, left),
    0,
  );
  return ofLots + uncovered * (koboPerCredit ?? 0);
}

/** What was left of earlier ones, and those added in the month. */
function lotsOf({ month, lots, openingBalance }: CostFacts): Lot[] {
  const start = new Date(monthStartMs(month)).toISOString();
  const end = new Date(monthEndMs(month)).toISOString();
  const before = lots.filter(({ createdAt }) => createdAt < start);
  const added = lots.filter(({ createdAt }) => createdAt >= start && createdAt < end);
  if (openingBalance === undefined) return [...before, ...added];
  const left = estimateLots(before, openingBalance);
  return [...left.map(({ lot, left: remaining }) => ({ ...lot, remaining })), ...added];
}

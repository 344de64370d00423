import { compareTrail, monthsOfDay, type TrailScope, type TrailSource } from '../../audit/compare-trail.ts';
import { DAY_MS } from '../../core/clock.ts';
import { type Difference, dayOf } from './rows.ts';

/** The part of a reconciliation that compares the audit trail with its archive. */

/** Enough for a run that could not begin on the day before. */
const CHANGES_OF_DAYS = 3;

/** Compares the rows that a daily run compares, and reports the changes to older ones since the last run. */
export function compareTrailOfDay(
  source: TrailSource,
  organisations: readonly { readonly id: string; readonly createdAt: string }[],
  nowMs: number,
): Promise<Difference[]> {
  const firstMs = organisations.reduce(
    (first, { createdAt }) => Math.min(first, Date.parse(createdAt)),
    nowMs,
  );
  const scope = {
    organisations: organisations.map(({ id }) => id),
    months: monthsOfDay(nowMs, firstMs),
    changesSince: dayOf(nowMs - CHANGES_OF_DAYS * DAY_MS),
  };
  return trailDifferences(source, scope, nowMs);
}

/** Compares the rows of a scope with their copies, and returns the differences. */
export async function trailDifferences(
  source: TrailSource,
  scope: TrailScope,
  nowMs: number,
): Promise<Difference[]> {
  const problems = await compareTrail(source, scope, nowMs);
  return problems.map(({ kind, organisationId = '', id, atMs, expected, found }) => {
    return { kind, env: '', organisation: organisationId, day: dayOf(atMs), reference: id, expected, found };
  });
}

import { DAY_MS } from '../core/clock.ts';
import type { Row } from '../core/database.ts';
import { DEFAULT_RATE_LIMIT, type RateLimit } from './organisation.ts';
import { intervalMs } from './rate-limit.ts';
import { total, type WindowedCounter } from './windowed-counter.ts';

/**
 * The limit on look-ups without a record, which makes guessing numbers impractical (contract F2). Look-ups in progress
 * count, because each of them may end without a record (docs/decisions/0007-guess-limit.md).
 */

/**
 * The limit on misses for one live key: 60, and then one every 10 seconds. Misses are look-ups without a record, and
 * slip requests that receive 404.
 */
export const MISS_LIMIT: RateLimit = { perSecond: 60 / 600, burst: 60 };

/** The limit for all live keys of an organisation together: three times that of one key. */
export const ORGANISATION_MISS_LIMIT: RateLimit = {
  perSecond: 3 * MISS_LIMIT.perSecond,
  burst: 3 * MISS_LIMIT.burst,
};

/**
 * Look-ups in progress, by the second in which they started. A look-up counts until it ends, but for at most 6 to 7 s:
 * a registry usually takes at most 5 s, and settling the result takes at most one more. Look-ups of killed instances
 * therefore stop counting too.
 */
export const IN_PROGRESS: WindowedCounter = { letter: 'p', windowMs: 1000, windows: 7 };

/** Records found in the last 10 to 20 minutes: evidence that nobody is guessing with the key. */
export const FOUND: WindowedCounter = { letter: 'f', windowMs: 600_000, windows: 2 };

/** A time this far ahead can only come from a wrong clock, so it is ignored. */
const MAX_AHEAD_MS = DAY_MS;

/** Returns how many look-ups a key may start within 7 s, the longest time for which they count. */
function mostInProgress({ perSecond, burst }: RateLimit): number {
  return burst + (perSecond * IN_PROGRESS.windows * IN_PROGRESS.windowMs) / 1000;
}

/** The default rate allows 90 look-ups in 7 s, which is 1.5 times the limit on misses. */
const ALWAYS_IN_PROGRESS = mostInProgress(DEFAULT_RATE_LIMIT);

/** Once this many misses count, every look-up in progress counts as a miss. */
const STRICT_MISSES = 50;

/**
 * Returns how many misses still count, given their theoretical arrival time. A fraction, because they expire
 * continuously.
 */
export function missesAt(tatMs: number, nowMs: number, limit: RateLimit): number {
  return tatMs > latestMissTimeMs(nowMs) ? 0 : Math.max(0, tatMs - nowMs) / intervalMs(limit);
}

/** Returns the latest plausible theoretical arrival time. */
export function latestMissTimeMs(nowMs: number): number {
  return nowMs + MAX_AHEAD_MS;
}

/**
 * Returns how many look-ups may be in progress. Misses and look-ups in progress together exceed the limit by at most a
 * tolerance. With the tolerance, a key without misses may start as many look-ups as the default rate allows. Each
 * record found raises the tolerance by one, up to what the organisation's own rate can start. Misses reduce it until it
 * is 0 at 50 misses.
 */
export function allowedInProgress(row: Row, rate: RateLimit, nowMs: number): number {
  const misses = missesAt(Number(row['missTatMs'] ?? 0), nowMs, MISS_LIMIT);
  const most = Math.max(ALWAYS_IN_PROGRESS, mostInProgress(rate));
  const trusted = Math.min(most, ALWAYS_IN_PROGRESS + total(FOUND, row, nowMs));
  const tolerance = (trusted - MISS_LIMIT.burst) * Math.max(0, 1 - misses / STRICT_MISSES);
  return Math.floor(MISS_LIMIT.burst - misses + tolerance);
}

/** The wait after a rejection because of look-ups in progress, which usually end within this time. */
const IN_PROGRESS_WAIT_SECONDS = 2;

/** Returns the number of whole seconds until one look-up is allowed again. */
export function guessRetryAfterSeconds(missTatMs: number, nowMs: number, limit: RateLimit): number {
  const excess = missesAt(missTatMs, nowMs, limit) + 1 - limit.burst;
  return excess > 0 ? Math.ceil((excess * intervalMs(limit)) / 1000) : IN_PROGRESS_WAIT_SECONDS;
}

import type { Row, RowUpdate } from '../core/database.ts';
import type { CompletedLookUps } from './completed-look-ups.ts';
import {
  allowedInProgress,
  FOUND,
  guessRetryAfterSeconds,
  IN_PROGRESS,
  latestMissTimeMs,
  MISS_LIMIT,
  missesAt,
  ORGANISATION_MISS_LIMIT,
} from './guess-limit.ts';
import { DAILY_LOOK_UPS, DAILY_MISSES, networkChange } from './key-usage.ts';
import type { RateLimit } from './organisation.ts';
import {
  describe,
  intervalMs,
  isCorrupt,
  isWithin,
  type RateDecision,
  slackMs,
  toleranceMs,
} from './rate-limit.ts';
import { attributeAt, countsOf, isCurrent, staleAttributes } from './windowed-counter.ts';

/**
 * The limiter's row of a key, and what one request changes in it. The row contains everything that the key's limits
 * count, so that one conditional update can check it. The misses of the organisation are in a row of their own, which
 * the update does not check.
 */

/** A request that the limiter allows or rejects. */
export interface LimitedRequest {
  readonly keyHash: string;
  /** The key's row as this request has read it; empty if there is none. */
  readonly row: Row;
  /** The row of the organisation's misses as this request has read it. */
  readonly organisationRow: Row;
  readonly rate: RateLimit;
  /** Whether the guess limit applies. It applies only to look-ups with live keys. */
  readonly isGuessLimited: boolean;
  /** The network of the caller's address. */
  readonly network?: string | undefined;
}

export interface LimiterDecision extends RateDecision {
  /** The guess limit that rejected the request. Absent if the rate limit rejected it, or if the request is allowed. */
  readonly guessLimit?: 'guess-limit' | 'guess-limit-organisation';
  /** When an allowed request was counted, in epoch milliseconds. */
  readonly countedAtMs?: number;
  /** The network of the request, if the key's row contains other networks but not this one. */
  readonly newNetwork?: string | undefined;
}

/** All windowed counters in the row of a key. */
const COUNTERS = [IN_PROGRESS, FOUND, DAILY_LOOK_UPS, DAILY_MISSES];

/** Returns the theoretical arrival time of the next request, in epoch milliseconds. */
export const tatOf = (row: Row) => Number(row['tatMs'] ?? 0);
const missTatOf = (row: Row) => Number(row['missTatMs'] ?? 0);

/** Returns the rejection if the rows do not allow the request, and otherwise undefined. */
export function rejection(
  request: LimitedRequest,
  row: Row,
  completed: CompletedLookUps,
  nowMs: number,
): LimiterDecision | undefined {
  const { rate, organisationRow } = request;
  const tatMs = tatOf(row);
  const rejected = describe(false, tatMs, nowMs, rate);
  if (!isWithin(tatMs, nowMs, rate)) return rejected;
  if (!request.isGuessLimited) return undefined;
  const organisationTatMs = missTatOf(organisationRow);
  const misses = missesAt(organisationTatMs, nowMs, ORGANISATION_MISS_LIMIT);
  if (misses + 1 > ORGANISATION_MISS_LIMIT.burst) {
    const retryAfterSeconds = guessRetryAfterSeconds(organisationTatMs, nowMs, ORGANISATION_MISS_LIMIT);
    return { ...rejected, retryAfterSeconds, guessLimit: 'guess-limit-organisation' };
  }
  if (countInThisWindow(row, nowMs) <= roomFor(request, row, completed, nowMs)) return undefined;
  const retryAfterSeconds = guessRetryAfterSeconds(missTatOf(row), nowMs, MISS_LIMIT);
  return { ...rejected, retryAfterSeconds, guessLimit: 'guess-limit' };
}

/**
 * Returns how many look-ups the current window may already contain for this one to be allowed. Negative if none is
 * allowed.
 */
function roomFor({ rate }: LimitedRequest, row: Row, completed: CompletedLookUps, nowMs: number): number {
  const counts = countsOf(IN_PROGRESS, row, nowMs);
  const ended = endedByWindow(completed, nowMs);
  const current = attributeAt(IN_PROGRESS, nowMs);
  let others = 0;
  for (const [name, count] of counts)
    if (name !== current) others += Math.max(0, count - (ended.get(name) ?? 0));
  return allowedInProgress(row, rate, nowMs) - others - 1 + (ended.get(current) ?? 0);
}

/**
 * How many misses may be counted between the read of the row and its update. The first number that leaves room applies.
 */
const CONCURRENT_MISSES = [10, 3, 1, 0];

/**
 * Returns the latest arrival time of misses at which the update applies. The room is calculated for a row with this
 * time. Misses that have been counted since the row was read therefore cannot make the room too large, and only misses
 * near the limit cause another attempt.
 */
function missBoundOf(request: LimitedRequest, row: Row, completed: CompletedLookUps, nowMs: number): number {
  const tatMs = missTatOf(row);
  if (tatMs > latestMissTimeMs(nowMs)) return tatMs;
  const bounds = CONCURRENT_MISSES.map((misses) => Math.max(tatMs, nowMs) + misses * intervalMs(MISS_LIMIT));
  const inThisWindow = countInThisWindow(row, nowMs);
  const hasRoom = (missTatMs: number) =>
    inThisWindow <= roomFor(request, { ...row, missTatMs }, completed, nowMs);
  return bounds.find(hasRoom) ?? Math.max(tatMs, nowMs);
}

const countInThisWindow = (row: Row, nowMs: number) => Number(row[attributeAt(IN_PROGRESS, nowMs)] ?? 0);

function endedByWindow({ startedAtMs }: CompletedLookUps, nowMs: number): Map<string, number> {
  const ended = new Map<string, number>();
  for (const timeMs of startedAtMs)
    if (isCurrent(IN_PROGRESS, timeMs, nowMs)) increase(ended, attributeAt(IN_PROGRESS, timeMs), 1);
  return ended;
}

function increase(numbers: Map<string, number>, name: string, by: number): void {
  numbers.set(name, (numbers.get(name) ?? 0) + by);
}

/**
 * Returns the conditions under which there is room for one more look-up, whatever has been counted since the row was
 * read. Other requests may also have been counted in the previous window, if they read the clock just before it ended.
 * Half of the room is for them, so that the first update of a key with few look-ups in progress applies.
 */
function guessConditions(
  request: LimitedRequest,
  row: Row,
  completed: CompletedLookUps,
  nowMs: number,
  set: (name: string, value: number) => string,
): string[] {
  const [current, before] = [nowMs, nowMs - IN_PROGRESS.windowMs].map((ms) => attributeAt(IN_PROGRESS, ms));
  const missBound = missBoundOf(request, row, completed, nowMs);
  const room = roomFor(request, { ...row, missTatMs: missBound }, completed, nowMs);
  const late = Math.max(0, Math.floor((room - countInThisWindow(row, nowMs)) / 2));
  const atMost = (attribute: string | undefined, name: string, value: number) =>
    `(attribute_not_exists(${attribute}) OR ${attribute} <= ${set(name, value)})`;
  return [
    atMost(current, ':room', room - late),
    atMost(before, ':before', Number(row[before ?? ''] ?? 0) + late),
    atMost('missTatMs', ':missBound', missBound),
  ];
}

/**
 * Returns the update that counts one request, and the look-ups that have ended since the previous one. An update cannot
 * compute a maximum, so the two cases of GCRA are two updates. The update of a busy key adds to its TAT. It applies
 * whatever concurrent requests have added to the TAT since it was read, as long as the rate allows the request. The
 * update of an idle key sets the TAT from `now`. It does not apply if another request has done so in the meantime.
 */
export function requestUpdate(
  request: LimitedRequest,
  row: Row,
  completed: CompletedLookUps,
  nowMs: number,
): RowUpdate {
  const { rate, isGuessLimited } = request;
  const values: Record<string, unknown> = { ':now': nowMs };
  const set = (name: string, value: number) => {
    values[name] = value;
    return name;
  };
  const busyFromMs = nowMs - slackMs(rate);
  const isBusy = tatOf(row) > busyFromMs && !isCorrupt(tatOf(row), nowMs, rate);
  const step = intervalMs(rate);
  const conditions = [
    isBusy
      ? `tatMs > ${set(':busyFrom', busyFromMs)} AND tatMs <= ${set(':latest', nowMs + toleranceMs(rate))}`
      : `(attribute_not_exists(tatMs) OR tatMs <= :now OR tatMs > ${set(':corrupt', nowMs + 2 * rate.burst * step)})`,
  ];
  if (isGuessLimited) conditions.push(...guessConditions(request, row, completed, nowMs, set));
  const tat = isBusy ? `tatMs + ${set(':step', step)}` : set(':next', nowMs + step);
  const changes = [...additions(isGuessLimited, completed, nowMs)].map(
    ([name, by], index) => `${name} ${set(`:add${index}`, by)}`,
  );
  const origin = networkChange(row, request.network, nowMs);
  const removes = [...staleAttributes(COUNTERS, row, nowMs), ...origin.removes];
  return {
    UpdateExpression: [
      `SET ${[`tatMs = ${tat}`, 'usedAtMs = :now', ...origin.sets].join(', ')}`,
      changes.length > 0 ? `ADD ${changes.join(', ')}` : '',
      removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '',
    ].join(' '),
    ConditionExpression: conditions.join(' AND '),
    // DynamoDB rejects an empty map of names.
    ...(Object.keys(origin.names).length > 0 && { ExpressionAttributeNames: origin.names }),
    ExpressionAttributeValues: { ...values, ...origin.values },
  };
}

/** Returns the amount that the update adds to each attribute. */
function additions(isStarted: boolean, completed: CompletedLookUps, nowMs: number): Map<string, number> {
  const added = new Map<string, number>();
  if (isStarted)
    for (const counter of [IN_PROGRESS, DAILY_LOOK_UPS]) increase(added, attributeAt(counter, nowMs), 1);
  for (const [name, count] of endedByWindow(completed, nowMs)) increase(added, name, -count);
  if (completed.found > 0) increase(added, attributeAt(FOUND, nowMs), completed.found);
  return new Map([...added].filter(([, by]) => by !== 0));
}

/**
 * Returns the update that counts a look-up without a record. It counts even beyond the limit, so look-ups that were in
 * progress when the limit was reached also delay the next one. With `startedAtMs`, which is only for the row of a key,
 * the update also ends the look-up and adds to the day's misses.
 */
export function missUpdate(
  row: Row,
  limit: RateLimit,
  nowMs: number,
  startedAtMs: number | undefined,
): RowUpdate {
  const tatMs = missTatOf(row);
  const isBusy = tatMs > nowMs && tatMs <= latestMissTimeMs(nowMs);
  const hasWindow = startedAtMs !== undefined && isCurrent(IN_PROGRESS, startedAtMs, nowMs);
  const ended = [
    ...(startedAtMs === undefined ? [] : [`${attributeAt(DAILY_MISSES, nowMs)} :one`]),
    ...(hasWindow ? [`${attributeAt(IN_PROGRESS, startedAtMs)} :minusOne`] : []),
  ];
  const added = ended.length > 0 ? ` ADD ${ended.join(', ')}` : '';
  const step = intervalMs(limit);
  const corrupt = latestMissTimeMs(nowMs);
  const values = {
    ':now': nowMs,
    ':corrupt': corrupt,
    ...(startedAtMs !== undefined && { ':one': 1 }),
    ...(hasWindow && { ':minusOne': -1 }),
  };
  return isBusy
    ? {
        UpdateExpression: `SET missTatMs = missTatMs + :step${added}`,
        ConditionExpression: 'missTatMs > :now AND missTatMs <= :corrupt',
        ExpressionAttributeValues: { ...values, ':step': step },
      }
    : {
        UpdateExpression: `SET missTatMs = :next${added}`,
        ConditionExpression: 'attribute_not_exists(missTatMs) OR missTatMs <= :now OR missTatMs > :corrupt',
        ExpressionAttributeValues: { ...values, ':next': nowMs + step },
      };
}

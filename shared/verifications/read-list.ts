import type { RejectedPartTable } from '../accounts/rejected-part-table.ts';
import {
  daysBackwards,
  type Entry,
  isOpen,
  type ListQuery,
  oldestRejectedDay,
  rangeOfMinutes,
} from './list-verifications.ts';
import type { SortRange } from './log-list-table.ts';
import type { ListPart, LogPartTable, PartOptions } from './log-part-table.ts';

/** Lists the same entries as `listVerifications`, but faster, because a person is waiting for the page. */

export interface ReadQuery extends ListQuery {
  readonly key?: string | undefined;
}

export interface ReadTables {
  readonly logs: LogPartTable;
  readonly rejectedRequests: Pick<RejectedPartTable, 'readRejected'>;
}

/** The result of one step: all entries of the list down to `next`, newest first. */
export interface ReadStep {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
  /** Whether the step ended within a day, because it had read enough. */
  readonly isCut: boolean;
}

interface ReadPage {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
}

/**
 * A filter may hide nearly everything, so steps with a filter read more rows of each partition than a page shows: many
 * for a single day, and fewer for each of several days, most of which usually have few rows.
 */
const MOST_OF_DAY = 500;
const MOST_OF_DAYS = 100;
/** With four partitions and the rejected requests, a day takes five calls. An instance has 50 connections. */
const DAYS_OF_STEP = 7;

/** Reads the newest day of a list, up to `before` (exclusive). */
export function readFirstStep(
  query: ReadQuery,
  { limit, before }: { readonly limit: number; readonly before: string },
  tables: ReadTables,
  nowMs: number,
): Promise<ReadStep> {
  return readStep(query, { from: query.from, before }, { limit, days: 1 }, tables, nowMs);
}

/** Completes a page after its first step, with at most one more step. */
export async function readPage(
  query: ReadQuery,
  first: ReadStep,
  limit: number,
  tables: ReadTables,
  nowMs: number,
): Promise<ReadPage> {
  if (first.entries.length > limit || first.next === undefined) return pageOf(first, limit);
  const range = { from: query.from, before: first.next };
  const days = first.isCut ? 1 : DAYS_OF_STEP;
  const { entries, next } = await readStep(query, range, { limit, days }, tables, nowMs);
  return pageOf({ entries: [...first.entries, ...entries], next }, limit);
}

function pageOf({ entries, next }: ReadPage, limit: number): ReadPage {
  const shown = entries.slice(0, limit);
  return { entries: shown, next: entries.length > limit ? shown.at(-1)?.sort : next };
}

/** Reads parts of the last `days` days of a range in parallel. */
async function readStep(
  query: ReadQuery,
  range: SortRange,
  { limit, days }: { readonly limit: number; readonly days: number },
  tables: ReadTables,
  nowMs: number,
): Promise<ReadStep> {
  const { parts, rest } = partsOf(query, range, { limit, days }, tables, nowMs);
  const read = await Promise.all(parts);
  const ends = read.flatMap(({ readTo }) => readTo ?? []);
  // Drops entries older than the end of any part, because that part may lack some of them.
  const end = ends.sort().at(-1);
  const entries = read
    .flatMap((part) => part.entries)
    .filter(({ sort }) => end === undefined || sort >= end)
    .sort((a, b) => (a.sort < b.sort ? 1 : -1));
  return { entries, next: end ?? rest, isCut: end !== undefined };
}

/** Starts the reads of a step. */
function partsOf(
  { wallet, reference, service, outcome, key }: ReadQuery,
  range: SortRange,
  { limit, days }: { readonly limit: number; readonly days: number },
  { logs, rejectedRequests }: ReadTables,
  nowMs: number,
): { readonly parts: readonly Promise<ListPart<Entry>>[]; readonly rest: string | undefined } {
  const hasLogs = outcome !== 'REJECTED' && isOpen(range);
  const isFiltered = service !== undefined || outcome !== undefined || key !== undefined;
  const mostFiltered = days === 1 ? MOST_OF_DAY : MOST_OF_DAYS;
  // One more than the page, to find out whether there is a next page.
  const mostRead = isFiltered ? mostFiltered : limit + 1;
  const options: PartOptions = {
    ...{ service, key, mostRead },
    ...(outcome !== 'REJECTED' && { outcome }),
  };
  if (reference !== undefined) {
    const parts = hasLogs ? [logs.readReference(wallet, reference, range, options, nowMs)] : [];
    return { parts, rest: undefined };
  }
  const ofMinutes = rangeOfMinutes(range);
  const isRejectedWanted = service === undefined && (outcome ?? 'REJECTED') === 'REJECTED';
  const hasRejected = isRejectedWanted && isOpen(ofMinutes);
  const oldestRejected = oldestRejectedDay(nowMs);
  const parts: Promise<ListPart<Entry>>[] = [];
  let taken = 0;
  for (const { day, end } of daysBackwards(range)) {
    const isRejectedDay = hasRejected && day >= oldestRejected;
    if (!hasLogs && !isRejectedDay) break;
    if (taken === days) return { parts, rest: end };
    taken += 1;
    if (hasLogs) parts.push(...logs.readDay(wallet, day, range, options, nowMs));
    if (isRejectedDay)
      parts.push(rejectedRequests.readRejected(wallet, day, ofMinutes, { key, mostRead }, nowMs));
  }
  return { parts, rest: undefined };
}

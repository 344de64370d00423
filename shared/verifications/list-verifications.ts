import type { Organisation } from '../accounts/organisation.ts';
import {
  REJECTED_REQUEST_DAYS,
  type RejectedRequests,
  type RejectedRequestTable,
} from '../accounts/rejected-request-table.ts';
import { DAY_MS } from '../core/clock.ts';
import type { WalletId } from '../core/keys.ts';
import { mergeSorted } from '../core/merge-sorted.ts';
import type { Outcome } from '../core/outcome.ts';
import { earlier } from '../core/time-order.ts';
import type { ListedRow } from './listed-log.ts';
import type { ListedLog, LogListTable, SortRange } from './log-list-table.ts';

/** Selects the entries of one wallet: log rows, and requests that were rejected before they had a log row. */
export interface ListQuery {
  readonly wallet: WalletId;
  /** ISO times: `from` is inclusive, and `to` is exclusive. */
  readonly from: string;
  readonly to: string;
  readonly reference?: string | undefined;
  readonly service?: string | undefined;
  /** `REJECTED` lists no log rows. */
  readonly outcome?: Outcome | 'REJECTED' | undefined;
}

interface ListPage {
  readonly verifications: readonly ListedRow[];
  readonly rejected: readonly RejectedRequests[];
  readonly next: string | undefined;
}

export interface ListTables {
  readonly logs: LogListTable;
  readonly rejectedRequests: Pick<RejectedRequestTable, 'ofDay'>;
}

export type Entry = ListedLog | RejectedRequests;

/** A page ends after this many entries, shown or hidden, so that a filter cannot make a request run too long. */
const MAX_READ = 2_000;
/** A page ends after this many days. */
const MAX_DAYS = 31;

/** Lists one page, newest first. */
export async function listVerifications(
  query: ListQuery,
  { limit, position = query.to }: { readonly limit: number; readonly position?: string | undefined },
  tables: ListTables,
  nowMs: number,
): Promise<ListPage> {
  const verifications: ListedRow[] = [];
  const rejected: RejectedRequests[] = [];
  const pageBefore = (next: string | undefined) => ({ verifications, rejected, next });
  let read = 0;
  let days = 0;
  let last = earlier(position, query.to);
  for (const { end, entries } of stretchesOf(query, { from: query.from, before: last }, tables, nowMs)) {
    if (days === MAX_DAYS) return pageBefore(end);
    days += 1;
    for await (const entry of entries) {
      if (verifications.length + rejected.length === limit || read === MAX_READ) return pageBefore(last);
      read += 1;
      last = entry.sort;
      if (entry.kind === 'rejected') rejected.push(entry);
      else if (isWanted(entry.row, query)) verifications.push(entry.row);
    }
  }
  return pageBefore(undefined);
}

/**
 * Returns the earliest ISO time from which a list can begin: the start of the retention period, because skipping many
 * expired rows could take too long. For a younger organisation, it is a day before the organisation was created,
 * because the times of rows and organisations may come from different clocks.
 */
export function oldestEntry(
  { createdAt }: Pick<Organisation, 'createdAt'>,
  retentionDays: number,
  nowMs: number,
): string {
  const oldestMs = Math.max(Date.parse(createdAt) - DAY_MS, nowMs - retentionDays * DAY_MS);
  return new Date(oldestMs).toISOString();
}

function isWanted(row: ListedRow, { service = row.service, outcome = row.outcome }: ListQuery): boolean {
  return row.service === service && row.outcome === outcome;
}

interface Stretch {
  readonly end: string;
  readonly entries: AsyncGenerator<Entry>;
}

/** Reads a list for one reference in one pass, and any other list day by day, beginning with the last day. */
function* stretchesOf(
  { wallet, from, to, reference, service, outcome }: ListQuery,
  range: SortRange,
  { logs, rejectedRequests }: ListTables,
  nowMs: number,
): Generator<Stretch> {
  if (from >= to) return;
  const hasLogs = outcome !== 'REJECTED' && isOpen(range);
  if (reference !== undefined) {
    if (hasLogs) yield { end: range.before, entries: logs.ofReference(wallet, reference, range, nowMs) };
    return;
  }
  const oldestRejected = oldestRejectedDay(nowMs);
  const ofMinutes = rangeOfMinutes(range);
  const isRejectedWanted = service === undefined && (outcome ?? 'REJECTED') === 'REJECTED';
  const hasRejected = isRejectedWanted && isOpen(ofMinutes);
  for (const { day, end } of daysBackwards(range)) {
    const isRejectedDay = day >= oldestRejected;
    if (!hasLogs && !isRejectedDay) return;
    const sources = [
      ...(hasLogs ? logs.ofDay(wallet, day, range, nowMs) : []),
      ...(hasRejected && isRejectedDay ? [rejectedRequests.ofDay(wallet, day, ofMinutes, nowMs)] : []),
    ];
    yield { end, entries: mergeSorted<Entry>(sources, 'descending') };
  }
}

/** Returns the first day (`yyyy-mm-dd`, UTC) whose rejected requests may still be stored. */
export function oldestRejectedDay(nowMs: number): string {
  return new Date(nowMs - REJECTED_REQUEST_DAYS * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the range for rejected requests, which are counted by minute for all services together. It begins at the
 * start of the minute of `from`, because the sort keys of that minute's counts begin with this time.
 */
export function rangeOfMinutes(range: SortRange): SortRange {
  return { ...range, from: `${range.from.slice(0, 16)}:00.000Z` };
}

/** Whether a range may contain entries. */
export function isOpen({ from, before }: SortRange): boolean {
  return from < before;
}

/** Yields the days (`yyyy-mm-dd`, UTC) of a range, last day first, each with its end. */
export function* daysBackwards({
  from,
  before,
}: SortRange): Generator<{ readonly day: string; readonly end: string }> {
  const beforeMs = Date.parse(before.slice(0, 24));
  // A time without an ID excludes all rows of that time, so midnight excludes the day that it begins.
  const lastMs = startOfDay(before.includes('#') ? beforeMs : beforeMs - 1);
  for (let dayMs = lastMs; dayMs >= startOfDay(Date.parse(from)); dayMs -= DAY_MS)
    yield { day: new Date(dayMs).toISOString().slice(0, 10), end: new Date(dayMs + DAY_MS).toISOString() };
}

function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

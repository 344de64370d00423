import { DAY_MS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { mergeSorted } from '../../core/merge-sorted.ts';
import { monthsBetween, type StatementEntry } from './statement.ts';
import type { StatementTable } from './statement-table.ts';

/** ISO times, `from` inclusive and `to` exclusive. */
export interface StatementRange {
  readonly from: string;
  readonly to: string;
}

export interface StatementCursor {
  readonly sort: string;
  readonly balance: number;
}

export interface StatementLine extends StatementEntry {
  readonly balanceAfter: number;
}

interface StatementPage {
  readonly openingBalance: number;
  readonly lines: readonly StatementLine[];
  /** Includes lines that the filter hides. */
  readonly closingBalance: number;
  /** Undefined at the end of the range. */
  readonly next: StatementCursor | undefined;
}

export interface StatementScope {
  readonly wallet: WalletId;
  readonly shards: number;
  readonly createdAt: string;
}

export interface KnownBalance {
  readonly at: string;
  readonly balance: number;
}

/** Returns the latest known balance that is not later than `before`. */
export type FindBalance = (wallet: WalletId, before: string) => Promise<KnownBalance | undefined>;

/** Asks all sources in parallel, and returns the latest balance that any of them knows. */
export function latestBalance(...sources: readonly FindBalance[]): FindBalance {
  return async (wallet, before) => {
    const found = await Promise.all(sources.map((find) => find(wallet, before)));
    return found.reduce((latest, one) => (one && (!latest || one.at > latest.at) ? one : latest), undefined);
  };
}

/** A page ends after this many entries, shown or hidden, so that a filter cannot make a request run too long. */
const MAX_READ = 2_000;
/**
 * Covers four years of a wallet with one shard. With the first reads of a range, they use all connections of a client.
 */
const READS_AT_ONCE = 48;
/** A tolerance, because the times of credits and organisations may come from different clocks. */

/** `first` is inclusive, and `to` is exclusive. Entries are read when they are needed. */
function sourcesBetween(
  { wallet, shards, createdAt }: StatementScope,
  first: string,
  to: string,
  table: StatementTable,
): AsyncGenerator<StatementEntry>[][] {
  const oldest = new Date(Date.parse(createdAt) - DAY_MS).toISOString();
  const from = first > oldest ? first : oldest;
  // A cursor may lie outside the range that is sent with it.
  if (from >= to) return [];
  return monthsBetween(from, to).map((month) =>
    Array.from({ length: shards }, (_, shard) => table.entries(wallet, month, shard, from, to)),
  );
}

/**
 * Returns all entries in order, merged over the shards. `readsAhead`: queries all months (UTC) in parallel, which saves
 * round trips in short ranges.
 */
export function entriesBetween(
  scope: StatementScope,
  first: string,
  to: string,
  table: StatementTable,
  readsAhead = false,
): AsyncGenerator<StatementEntry> {
  const months = () => sourcesBetween(scope, first, to, table);
  const begun = readsAhead ? months().map((sources) => sources.map(begin)) : undefined;
  return (async function* () {
    for (const sources of begun ?? months()) yield* mergeSorted(sources, 'ascending');
  })();
}

function begin<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const first = source.next();
  // If this read fails, the error is thrown when the source is read.
  first.catch(() => undefined);
  return (async function* () {
    const { done, value } = await first;
    if (done) return;
    yield value;
    yield* source;
  })();
}

/**
 * Returns the balance before a range, and its entries, each with the balance after it. Lines before the balance that
 * `findBalance` returns are not read.
 */
export async function openStatement(
  scope: StatementScope,
  range: StatementRange,
  cursor: StatementCursor | undefined,
  table: StatementTable,
  findBalance?: FindBalance,
  readsAhead = false,
): Promise<{ readonly openingBalance: number; readonly lines: AsyncGenerator<StatementLine> }> {
  // The space skips only the cursor's own entry, because it sorts before every character of an ID.
  const first = cursor ? `${cursor.sort} ` : range.from;
  const entries = entriesBetween(scope, first, range.to, table, readsAhead);
  const openingBalance =
    cursor?.balance ?? (await balanceBefore(scope, range.from, table, findBalance, readsAhead));
  async function* lines() {
    let balance = openingBalance;
    for await (const entry of entries) {
      balance += entry.amount;
      yield { ...entry, balanceAfter: balance };
    }
  }
  return { openingBalance, lines: lines() };
}

/**
 * `accepts` filters the lines that are shown, never those that are counted. A page may show fewer lines than `limit`,
 * or none, and still have a next page.
 */
export async function readStatement(
  scope: StatementScope,
  range: StatementRange,
  options: {
    readonly limit: number;
    readonly cursor?: StatementCursor | undefined;
    readonly accepts?: (entry: StatementEntry) => boolean;
    readonly findBalance?: FindBalance;
    readonly readsAhead?: boolean;
  },
  table: StatementTable,
): Promise<StatementPage> {
  const { limit, cursor, accepts = () => true, findBalance, readsAhead } = options;
  const opened = await openStatement(scope, range, cursor, table, findBalance, readsAhead);
  const { openingBalance, lines: all } = opened;
  const lines: StatementLine[] = [];
  let closingBalance = openingBalance;
  let last: StatementCursor | undefined;
  let read = 0;
  for await (const line of all) {
    if (lines.length === limit || read === MAX_READ)
      return { openingBalance, lines, closingBalance, next: last };
    read += 1;
    closingBalance = line.balanceAfter;
    last = { sort: line.sort, balance: closingBalance };
    if (accepts(line)) lines.push(line);
  }
  return { openingBalance, lines, closingBalance, next: undefined };
}

/**
 * Lines before a known balance are not read. `readsAhead`: all months are read in parallel, up to a limit, so that an
 * older organisation does not need more round trips.
 */
async function balanceBefore(
  scope: StatementScope,
  before: string,
  table: StatementTable,
  findBalance: FindBalance = async () => undefined,
  readsAhead = false,
): Promise<number> {
  const { at, balance } = (await findBalance(scope.wallet, before)) ?? { at: '', balance: 0 };
  const months = sourcesBetween(scope, at, before, table);
  let sum = balance;
  for (const sources of readsAhead ? inBatches(months.flat()) : months)
    for (const part of await Promise.all(sources.map(sumOf))) sum += part;
  return sum;
}

function inBatches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / READS_AT_ONCE);
  return Array.from({ length: count }, (_, index) =>
    all.slice(index * READS_AT_ONCE, (index + 1) * READS_AT_ONCE),
  );
}

async function sumOf(entries: AsyncIterable<StatementEntry>): Promise<number> {
  let sum = 0;
  for await (const { amount } of entries) sum += amount;
  return sum;
}

import type { WalletId } from '../../core/keys.ts';
import { monthsBetween, type StatementEntry } from './statement.ts';
import type { StatementTable } from './statement-table.ts';

/** Which part of a statement: ISO times, `from` inclusive and `to` exclusive. */
export interface StatementRange {
  readonly from: string;
  readonly to: string;
}

/** Where a page ended: the entry's order, and the balance after it. */
export interface StatementCursor {
  readonly sort: string;
  readonly balance: number;
}

export interface StatementLine extends StatementEntry {
  readonly balanceAfter: number;
}

export interface StatementPage {
  /** Balance before the first line of this page. */
  readonly openingBalance: number;
  readonly lines: readonly StatementLine[];
  /** Balance after the last line that was read, filtered ones included. */
  readonly closingBalance: number;
  /** Undefined at the end of the range. */
  readonly next: StatementCursor | undefined;
}

export interface StatementScope {
  readonly wallet: WalletId;
  readonly shards: number;
  /** ISO time of the organisation's creation. */
  readonly createdAt: string;
}

/** A page ends after this many entries, shown or not, so that a filter cannot keep a request for ever. */
const MAX_READ = 2_000;
/** Credits bear the time of the operator's machine, whose clock may be behind that of who made the organisation. */
const DAY_MS = 24 * 3600_000;

/** All entries of a wallet in their order, merged over its shards; `first` is inclusive, `to` exclusive. */
export async function* entriesBetween(
  { wallet, shards, createdAt }: StatementScope,
  first: string,
  to: string,
  table: StatementTable,
): AsyncGenerator<StatementEntry> {
  const oldest = new Date(Date.parse(createdAt) - DAY_MS).toISOString();
  const from = first > oldest ? first : oldest;
  // A cursor may be older or younger than the range that comes with it.
  if (from >= to) return;
  for (const month of monthsBetween(from, to)) {
    const sources = Array.from({ length: shards }, (_, shard) =>
      table.entries(wallet, month, shard, from, to),
    );
    yield* merged(sources);
  }
}

/** The balance before a range, and its entries with the balance after each, in their order. */
export async function openStatement(
  scope: StatementScope,
  range: StatementRange,
  cursor: StatementCursor | undefined,
  table: StatementTable,
): Promise<{ readonly openingBalance: number; readonly lines: AsyncGenerator<StatementLine> }> {
  const openingBalance = cursor?.balance ?? (await sumBefore(scope, range.from, table));
  // A space sorts before anything that could follow the same order, so the cursor's own entry is left out.
  const first = cursor ? `${cursor.sort} ` : range.from;
  async function* lines() {
    let balance = openingBalance;
    for await (const entry of entriesBetween(scope, first, range.to, table)) {
      balance += entry.amount;
      yield { ...entry, balanceAfter: balance };
    }
  }
  return { openingBalance, lines: lines() };
}

/**
 * One page of the statement with its running balance. The opening balance is the sum of everything before; a cursor
 * brings it along. `accepts` filters what is shown, never what is counted; a page may show fewer lines than `limit`,
 * or none, and still have a next one.
 */
export async function readStatement(
  scope: StatementScope,
  range: StatementRange,
  options: {
    readonly limit: number;
    readonly cursor?: StatementCursor | undefined;
    readonly accepts?: (entry: StatementEntry) => boolean;
  },
  table: StatementTable,
): Promise<StatementPage> {
  const { limit, cursor, accepts = () => true } = options;
  const { openingBalance, lines: all } = await openStatement(scope, range, cursor, table);
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

async function sumBefore(scope: StatementScope, before: string, table: StatementTable): Promise<number> {
  let sum = 0;
  for await (const { amount } of entriesBetween(scope, '', before, table)) sum += amount;
  return sum;
}

/** Merges sorted sources: always the smallest head next. */
async function* merged(sources: readonly AsyncGenerator<StatementEntry>[]): AsyncGenerator<StatementEntry> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, head: await source.next() })));
  for (;;) {
    const open = heads.filter(({ head }) => !head.done);
    const [smallest] = open.sort((a, b) => (a.head.value.sort < b.head.value.sort ? -1 : 1));
    if (!smallest || smallest.head.done) return;
    yield smallest.head.value;
    smallest.head = await smallest.source.next();
  }
}

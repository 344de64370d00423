import { monthsBetween, type StatementEntry } from './statement.ts';
import type { StatementTable } from './statement-table.ts';
import type { WalletId } from './wallet.ts';

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
  /** ISO time of the organisation's creation: nothing is older. */
  readonly createdAt: string;
}

/** All entries of a wallet in their order, merged over its shards. */
export async function* entriesBetween(
  { wallet, shards, createdAt }: StatementScope,
  first: string,
  to: string,
  table: StatementTable,
): AsyncGenerator<StatementEntry> {
  const from = first > createdAt ? first : createdAt;
  for (const month of monthsBetween(from, to)) {
    const sources = Array.from({ length: shards }, (_, shard) =>
      table.entries(wallet, month, shard, first, to),
    );
    yield* merged(sources);
  }
}

/**
 * One page of the statement with its running balance. The opening balance is the sum of everything before; a cursor
 * brings it along. `accepts` filters what is shown, never what is counted.
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
  const openingBalance = cursor?.balance ?? (await sumBefore(scope, range.from, table));
  // A space sorts before anything that could follow the same order, so the cursor's own entry is left out.
  const first = cursor ? `${cursor.sort} ` : range.from;
  const lines: StatementLine[] = [];
  let balance = openingBalance;
  let last: StatementCursor | undefined;
  for await (const entry of entriesBetween(scope, first, range.to, table)) {
    if (lines.length === limit) return { openingBalance, lines, closingBalance: balance, next: last };
    balance += entry.amount;
    last = { sort: entry.sort, balance };
    if (accepts(entry)) lines.push({ ...entry, balanceAfter: balance });
  }
  return { openingBalance, lines, closingBalance: balance, next: undefined };
}

async function sumBefore(scope: StatementScope, before: string, table: StatementTable): Promise<number> {
  let sum = 0;
  for await (const { amount } of entriesBetween(scope, scope.createdAt, before, table)) sum += amount;
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

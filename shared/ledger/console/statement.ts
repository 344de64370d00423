import * as v from 'valibot';
import {
  accountingMonthOf,
  isAccountingMonth,
  lagosDay,
  lagosDayStartMs,
  monthEndMs,
  monthStartMs,
} from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invalidSchema } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { later } from '../../core/time-order.ts';
import { environment, prefetchedQuery } from '../../http/console/environment-query.ts';
import { instant, limit, listDigest, requireSameList } from '../../http/query.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { usedBefore, valueLines } from '../../payments/lots/line-value.ts';
import { type LotTable, lotTable } from '../../payments/lots/lot-table.ts';
import { carriedForward } from '../../payments/months/carried-forward.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { type UsageTable, usageTable } from '../../usage/usage-table.ts';
import { walletStatementCursor, walletStatementCursorText } from '../routes/statement-query.ts';
import type { StatementLine } from '../statement/read-statement.ts';
import {
  type FindBalance,
  type KnownBalance,
  latestBalance,
  readStatement,
  type StatementRange,
} from '../statement/read-statement.ts';
import { type StatementTable, statementTable } from '../statement/statement-table.ts';
import type { StatementLineView, StatementView } from './views.ts';

export interface StatementDependencies {
  readonly statement: StatementTable;
  /** Finds the balance of the last closed month. */
  readonly findBalance: FindBalance;
  readonly usage: Pick<UsageTable, 'readBalance'>;
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly nowMs: () => number;
}

/** Creates the dependencies of the route. Called once per instance. */
export function statementDependencies(): StatementDependencies {
  const client = database();
  return {
    statement: statementTable(client, setting('WALLETS_TABLE')),
    findBalance: carriedForward(closingTable(client, setting('PAYMENTS_TABLE')), (error) =>
      logger.warn('The balance of the last closed month was not read.', errorFields(error)),
    ),
    usage: usageTable(client, setting('CONSOLE_TABLE')),
    lots: lotTable(client, setting('PAYMENTS_TABLE')),
    nowMs: Date.now,
  };
}

/** The query string of GET /wallet/statement. The month defaults to the current month. */
export const statementQuery = v.strictObject({
  env: environment,
  month: v.optional(v.pipe(v.string(), v.check(isAccountingMonth, 'Choose a month such as 2026-11.'))),
  /** The time of the first line, if it is not the start of the month. */
  from: v.optional(instant),
  cursor: v.optional(walletStatementCursor),
  limit,
});

/**
 * Lines may be added to a day until this long after its end. For the same reason, a month is closed at least this long
 * after its end (docs/design/ledger.md).
 */
const SETTLED_AFTER_MS = 600_000;

/** Reads the balance at the start of a day, if it was counted after all lines before it were written. */
const countedBalance =
  (usage: StatementDependencies['usage'], daysBefore: number): FindBalance =>
  async (wallet, before) => {
    const startMs = lagosDayStartMs(lagosDay(Date.parse(before))) - daysBefore * DAY_MS;
    const counted = await usage.readBalance(wallet, lagosDay(startMs - 1));
    const isFinal = counted && Date.parse(counted.countedAt) >= startMs + SETTLED_AFTER_MS;
    return isFinal ? { at: isoOf(startMs), balance: counted.balance } : undefined;
  };

/**
 * Reads the latest known balance before the first line while the session is checked: of a closed month, or of one of
 * the two days before. The route adds the lines since then. For a later page, the balance is in the cursor.
 */
export function readOpening({
  findBalance,
  usage,
  nowMs,
}: StatementDependencies): Prefetch<KnownBalance | undefined> {
  return async (organisationId, event) => {
    const { env, month, from, cursor: after } = prefetchedQuery(event, statementQuery);
    if (after) return undefined;
    const { from: start } = rangeOf(month ?? accountingMonthOf(nowMs()), nowMs(), from);
    const find = latestBalance(findBalance, countedBalance(usage, 0), countedBalance(usage, 1));
    return find({ env, organisationId }, start);
  };
}

/** GET /wallet/statement: one month (Africa/Lagos) with its running balance, oldest line first. */
export function listStatement({
  statement,
  lots,
  nowMs,
}: StatementDependencies): ConsoleRun<ConsoleRequest, typeof statementQuery, KnownBalance | undefined> {
  return async ({ organisation }, query, opening) => {
    const current = accountingMonthOf(nowMs());
    const { env, month = current } = query;
    if (month > current) throw laterMonth();
    const range = rangeOf(month, nowMs(), query.from);
    if (range.from >= range.to) throw otherMonth('from');
    if (query.cursor && (query.cursor.sort < range.from || query.cursor.sort >= range.to))
      throw otherMonth('cursor');
    const wallet = { env, organisationId: organisation.id };
    const digest = listDigest(wallet, {});
    requireSameList(query.cursor, digest);
    const scope = {
      wallet,
      shards: organisation.walletShards,
      createdAt: organisation.createdAt,
    };
    const { cursor: after, limit: most } = query;
    const findBalance = async () => opening;
    // A month in Lagos begins at 23:00 UTC on the day before, so its lines fall into two UTC months.
    const options = { limit: most, cursor: after, findBalance, readsAhead: true };
    const [page, ownLots] = await Promise.all([
      readStatement(scope, range, options, statement),
      // Test credits are free.
      env === 'live' ? lots.listLots(wallet) : [],
    ]);
    const before = query.cursor ? query.cursor.used : usedBefore(month, ownLots, page.openingBalance);
    const { values, used } = valueLines(page.lines, month, ownLots, before);
    const data: StatementView = {
      opening_balance: page.openingBalance,
      closing_balance: page.closingBalance,
      lines: page.lines.map((line, index) => statementLineView(line, values[index])),
      next_cursor: page.next ? walletStatementCursorText(page.next, digest, used) : null,
    };
    return { data };
  };
}

/** Returns the time range of a month, from a time in it. The current month ends now, because no line is later. */
function rangeOf(month: string, nowMs: number, from = ''): StatementRange {
  const to = isoOf(Math.min(monthEndMs(month), nowMs + 1));
  return { from: later(from, isoOf(monthStartMs(month))), to };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

function laterMonth() {
  return invalidSchema(
    'wrong_value',
    'month',
    'The query parameter month is in the future.',
    'Choose the current month or an earlier one.',
  );
}

function otherMonth(field: 'cursor' | 'from') {
  return invalidSchema(
    'wrong_value',
    field,
    `The value of ${field} does not belong to this month.`,
    'Send it with its month.',
  );
}

/** Returns a line of the statement. The reason for a top-up is left out, because members need only its kind. */
function statementLineView(
  line: StatementLine,
  value: ReturnType<typeof valueLines>['values'][number],
): StatementLineView {
  const { id, createdAt, amount, balanceAfter, debit, credit } = line;
  const kind = credit?.kind === 'TOP_UP' ? 'TOP_UP' : 'CORRECTION';
  return {
    id,
    at: createdAt,
    kind: debit ? 'CHARGE' : kind,
    amount,
    balance_after: balanceAfter,
    net_kobo: value?.netKobo ?? null,
    vat_kobo: value?.vatKobo ?? null,
    request_id: debit?.requestId ?? null,
    service: debit?.service ?? null,
    key_label: debit?.keyLabel ?? null,
    reason: credit && kind === 'CORRECTION' ? credit.reason : null,
  };
}

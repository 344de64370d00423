import * as v from 'valibot';
import {
  accountingMonthOf,
  isAccountingMonth,
  lagosDay,
  monthEndMs,
  monthStartMs,
} from '../../core/accounting-month.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invalidSchema } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { environment, prefetchedQuery } from '../../http/console/environment-query.ts';
import { limit, listDigest, requireSameList } from '../../http/query.ts';
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
  cursor: v.optional(walletStatementCursor),
  limit,
});

/**
 * Lines may be added to a day until this long after its end. For the same reason, a month is closed at least this long
 * after its end (docs/design/ledger.md).
 */
const SETTLED_AFTER_MS = 600_000;

/**
 * Reads the balance at the start of the month while the session is checked: the closing balance of the previous month
 * if that month is closed, or the balance of its last day if it was counted after all lines of the day were written.
 * Otherwise, reads the balance of the last closed month, to which the route adds the lines since then. For a later
 * page, the balance is in the cursor.
 */
export function readOpening({
  findBalance,
  usage,
  nowMs,
}: StatementDependencies): Prefetch<KnownBalance | undefined> {
  return async (organisationId, event) => {
    const { env, month = accountingMonthOf(nowMs()), cursor: after } = prefetchedQuery(event, statementQuery);
    if (after) return undefined;
    const wallet = { env, organisationId };
    const startMs = monthStartMs(month);
    const start = isoOf(startMs);
    const [closed, counted] = await Promise.all([
      findBalance(wallet, start),
      usage.readBalance(wallet, lagosDay(startMs - 1)),
    ]);
    if (closed?.at === start || !counted) return closed;
    const isFinal = Date.parse(counted.countedAt) >= startMs + SETTLED_AFTER_MS;
    return isFinal ? { at: start, balance: counted.balance } : closed;
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
    const range = rangeOf(month, nowMs());
    if (query.cursor && (query.cursor.sort < range.from || query.cursor.sort >= range.to)) throw otherMonth();
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
      month,
      opening_balance: page.openingBalance,
      closing_balance: page.closingBalance,
      lines: page.lines.map((line, index) => statementLineView(line, values[index])),
      next_cursor: page.next ? walletStatementCursorText(page.next, digest, used) : null,
    };
    return { data };
  };
}

/** Returns the time range of a month. The current month ends now, because no line is later. */
function rangeOf(month: string, nowMs: number): StatementRange {
  return { from: isoOf(monthStartMs(month)), to: isoOf(Math.min(monthEndMs(month), nowMs + 1)) };
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

function otherMonth() {
  return invalidSchema(
    'wrong_value',
    'cursor',
    'The cursor does not belong to this month.',
    'Send it with the month of the page that returned it.',
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

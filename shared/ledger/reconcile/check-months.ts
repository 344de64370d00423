import { accountingMonthOf, dayPlus, monthAfter, monthBefore } from '../../core/accounting-month.ts';
import type { CheckedDay } from './check-day.ts';
import { compareMonths, type MonthTally } from './closed-months.ts';
import { inTurn } from './money.ts';
import type { Difference } from './rows.ts';
import { addMonth, type DaySums, firstSealed, type SealHead } from './seal.ts';
import { compareUsage } from './usage-months.ts';
import type { WalletCheck } from './wallet-check.ts';

/**
 * A daily run compares the current month and the two before it. The older ones take turns: they are computed again, and
 * their usage is not compared. A complete run computes all closed months again.
 */

function recentMonth({ scope, settings }: WalletCheck, nowMs: number): string {
  const month = accountingMonthOf(settings.isWhole ? Date.parse(scope.createdAt) : nowMs);
  return monthBefore(monthBefore(month));
}

/** Charges of unsealed days may belong to them. */
export async function loadClosedMonths(check: WalletCheck): Promise<void> {
  const { source, scope, head, clock } = check;
  const nowMs = clock.nowMs();
  const ofFirstDay = head.sealedUntil.slice(0, 7);
  const from = [ofFirstDay, recentMonth(check, nowMs)].sort()[0] ?? ofFirstDay;
  const range = { from, to: accountingMonthOf(nowMs) };
  check.closedMonths = (await source.closedMonths?.listClosedMonths(scope.wallet, range)) ?? [];
}

/** `days` are not sealed yet. */
export async function checkMonths(
  check: WalletCheck,
  days: readonly CheckedDay[],
): Promise<{ readonly differences: readonly Difference[]; readonly head: Partial<SealHead> }> {
  const nowMs = check.clock.nowMs();
  const from = recentMonth(check, nowMs);
  const sums = [
    ...(await sumsOfMonths(check, from, accountingMonthOf(nowMs))),
    ...days.map((day) => day.sums),
  ];
  const usage = await checkUsage(check, sums, nowMs);
  const recent = await checkClosed(check, sums, { from, to: accountingMonthOf(nowMs) }, nowMs);
  const older = await checkOlder(check, from, nowMs);
  const kept = check.head.differing.filter((name) => name.length === 'yyyy-mm-dd'.length);
  return {
    differences: [...usage, ...recent.differences, ...older.differences],
    head: { ...recent.head, differing: [...kept, ...older.differing] },
  };
}

/** Both months are inclusive. */
async function sumsOfMonths(
  { scope, source, head }: WalletCheck,
  from: string,
  to: string,
): Promise<DaySums[]> {
  // A month in Lagos begins at 23:00 UTC on the day before.
  const first = dayPlus(`${from}-01`, -1);
  const last = dayPlus(`${monthAfter(to)}-01`, -1);
  const sums: DaySums[] = [];
  const [end = last] = [head.sealedUntil, last].sort();
  if (first > end) return sums;
  for await (const seal of source.seals.seals(scope.wallet, first, end)) sums.push(seal);
  return sums;
}

async function checkUsage(
  { scope: { wallet }, source }: WalletCheck,
  sums: readonly DaySums[],
  nowMs: number,
): Promise<Difference[]> {
  const usage = await source.usage?.readUsage(wallet, nowMs);
  return usage ? compareUsage(wallet, usage, sums) : [];
}

async function checkClosed(
  check: WalletCheck,
  sums: readonly DaySums[],
  range: { readonly from: string; readonly to: string },
  nowMs: number,
) {
  const { scope, source, head } = check;
  if (!source.closedMonths) return { differences: [], head: {} };
  const listed = await source.closedMonths.listClosedMonths(scope.wallet, range);
  const closing = listed.map(({ month, startedAt }) => `${month} ${startedAt}`).join();
  const isNew = closing !== (head.recomputed ?? '');
  const recomputes = isNew || (check.settings.isWhole ?? false) || inTurn(scope.wallet.organisationId, nowMs);
  const differences = await compareMonths(scope, listed, monthsOf(sums), source.closedMonths, recomputes);
  // The next run computes and reports differing months again.
  if (differences.length > 0) return { differences, head: { recomputed: undefined } };
  return { differences, head: recomputes ? { recomputed: closing } : {} };
}

async function checkOlder(check: WalletCheck, recent: string, nowMs: number) {
  const { source, head, scope } = check;
  const differences: Difference[] = [];
  const differing: string[] = [];
  if (!source.closedMonths || head.total.days === 0) return { differences, differing };
  const months = monthsUntil(firstSealed(head).slice(0, 7), recent);
  const { organisationId } = scope.wallet;
  // A month that was recent at the last turn of the organisation.
  const last = inTurn(organisationId, nowMs) ? months.slice(-1) : [];
  const turns = [...last, ...months.filter((month) => inTurn(`${organisationId} ${month}`, nowMs))];
  const old = head.differing.filter((name) => name.length === 'yyyy-mm'.length);
  for (const month of new Set([...turns, ...old])) {
    const closed = await source.closedMonths.listClosedMonths(scope.wallet, { from: month, to: month });
    const tallies = monthsOf(await sumsOfMonths(check, month, month));
    const found = await compareMonths(scope, closed, tallies, source.closedMonths, true);
    differences.push(...found);
    if (found.length > 0) differing.push(month);
  }
  return { differences, differing };
}

/** `end` is exclusive. */
function monthsUntil(first: string, end: string): string[] {
  const months: string[] = [];
  for (let month = first; month < end; month = monthAfter(month)) months.push(month);
  return months;
}

function monthsOf(sums: readonly DaySums[]): Record<string, MonthTally> {
  const months: Record<string, MonthTally> = {};
  for (const day of sums)
    for (const [month, tally] of Object.entries(day.months)) addMonth(months, month, tally);
  return months;
}

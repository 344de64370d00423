import { accountingMonthOf, dayPlus, daysBetween, lagosDay, monthsOf } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import type { Outcome } from '../../core/outcome.ts';
import { sum } from '../../core/sum.ts';
import type { Lot } from '../../payments/lots/lot.ts';
import type { Closing } from '../../payments/months/closing.ts';
import { idTypeOf } from '../count-requests.ts';
import { costKobo, earnedKobo } from '../estimate-cost.ts';
import { addLatencies, countLatencies, percentileMs } from '../latency.ts';
import type { DayBalance, UsageRow, UsageState } from '../rows.ts';
import { monthPeriod, type Period, previousOf } from './period.ts';
import type { UsageSeries, UsageTotals, UsageView } from './views.ts';

export interface UsageRows {
  readonly rows: readonly UsageRow[];
  readonly previousRows: readonly UsageRow[];
  readonly balances: readonly DayBalance[];
  readonly state: UsageState | undefined;
  /** By month. Undefined if it has not begun. */
  readonly closings: ReadonlyMap<string, Closing | undefined>;
  readonly lots: readonly Lot[];
  readonly koboPerCredit: number | undefined;
}

/** REFUSED is not one: the service rejected the request. */
const ERRORS: readonly Outcome[] = ['FAILED', 'UNREACHABLE', 'TIMEOUT', 'ERROR', 'ABANDONED'];

/** The usage of a period as the console shows it. */
export function usageView(env: Environment, period: Period, read: UsageRows, nowMs: number): UsageView {
  const today = lagosDay(nowMs);
  const { month = null, from, to } = period;
  const days = daysBetween(from, to).filter((day) => day <= today);
  const rows = read.rows.filter(({ requests, day }) => requests > 0 && day <= today);
  return {
    ...{ env, month, from, to },
    first_month: read.state?.countedFrom.slice(0, 7) ?? accountingMonthOf(nowMs),
    days,
    by: {
      service: seriesOf(
        days,
        rows.map((row) => ({ ...row, name: row.service })),
      ),
      key: seriesOf(
        days,
        rows.map((row) => ({ ...row, name: row.keyLabel })),
      ),
      outcome: seriesOf(days, rows.flatMap(byOutcome)),
    },
    totals: totalsOf(env, period, rows, read),
    previous: previousTotals(env, previousOf(period), days.length, read),
    latency: latencyOf(rows),
    vat_basis_points: read.lots.findLast(({ kind }) => kind === 'paid')?.vatBasisPoints ?? null,
    counted_until: read.state?.countedUntil ?? null,
  };
}

interface Part {
  readonly name: string;
  readonly day: string;
  readonly requests: number;
  readonly credits: number;
}

function byOutcome({ day, outcomes }: UsageRow): Part[] {
  return Object.entries(outcomes).map(([name, counts]) => ({ name, day, ...counts }));
}

/** The one with the most requests first. */
function seriesOf(days: readonly string[], parts: readonly Part[]): UsageSeries[] {
  const index = new Map(days.map((day, position) => [day, position]));
  const series = [...Map.groupBy(parts, ({ name }) => name)].map(([name, own]) => {
    const requests = days.map(() => 0);
    const credits = days.map(() => 0);
    for (const part of own) {
      const position = index.get(part.day) ?? 0;
      requests[position] = (requests[position] ?? 0) + part.requests;
      credits[position] = (credits[position] ?? 0) + part.credits;
    }
    return { name, requests, credits };
  });
  return series.sort((a, b) => sum(b.requests) - sum(a.requests) || (a.name < b.name ? -1 : 1));
}

function totalsOf(
  env: Environment,
  { from, to }: Period,
  rows: readonly UsageRow[],
  read: UsageRows,
): UsageTotals {
  const ofOutcomes = (wanted: readonly Outcome[]) =>
    sum(rows.flatMap(({ outcomes }) => wanted.map((outcome) => outcomes[outcome]?.requests ?? 0)));
  const costs = monthsOf(from, to).map((month) => {
    const { from: first, to: last } = monthPeriod(month);
    const own = rows.filter(({ day }) => first <= day && day <= last);
    return costOf(month, sum(own.map(({ credits }) => credits)), from <= first && last <= to, read);
  });
  const kobo = costs.flatMap((cost) => cost.kobo ?? []);
  return {
    requests: sum(rows.map(({ requests }) => requests)),
    found: ofOutcomes(['FOUND']),
    errors: ofOutcomes(ERRORS),
    credits: sum(rows.map(({ credits }) => credits)),
    // Test credits are free.
    cost_kobo: env === 'test' || kobo.length < costs.length ? null : sum(kobo),
    is_closed: costs.every(({ isClosed }) => isClosed),
  };
}

/** Of the credits of one month. */
function costOf(
  month: string,
  credits: number,
  isWhole: boolean,
  { closings, lots, balances, koboPerCredit }: UsageRows,
) {
  const closing = closings.get(month);
  const before = dayPlus(`${month}-01`, -1);
  const openingBalance = balances.find(({ day }) => day === before)?.balance;
  const facts = { month, closing, lots, openingBalance, koboPerCredit };
  const earned = isWhole ? earnedKobo(facts) : undefined;
  return { kobo: earned ?? costKobo(credits, facts), isClosed: closing?.state === 'CLOSED' && isWhole };
}

/** Of the first `count` days, or of all if there are fewer. */
function previousTotals(
  env: Environment,
  { from, to }: Period,
  count: number,
  read: UsageRows,
): UsageTotals | null {
  const days = daysBetween(from, to).slice(0, count);
  const rows = read.previousRows.filter(({ day, requests }) => days.includes(day) && requests > 0);
  if (rows.length === 0) return null;
  return totalsOf(env, { from, to: days.at(-1) ?? to }, rows, read);
}

function latencyOf(rows: readonly UsageRow[]): UsageView['latency'] {
  return ID_TYPES.map((idType) => {
    const own = rows.filter(({ service }) => idTypeOf(service) === idType);
    const counts = addLatencies(own.map(({ latency }) => latency));
    return {
      id_type: idType,
      requests: countLatencies(counts),
      p50_ms: percentileMs(counts, 50),
      p95_ms: percentileMs(counts, 95),
      p99_ms: percentileMs(counts, 99),
    };
  });
}

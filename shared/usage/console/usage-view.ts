import {
  accountingMonthOf,
  dayPlus,
  daysBetween,
  lagosDay,
  monthBefore,
} from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Lot } from '../../payments/lots/lot.ts';
import type { Closing } from '../../payments/months/closing.ts';
import { idTypeOf } from '../count-requests.ts';
import { costKobo, earnedKobo } from '../estimate-cost.ts';
import { addLatencies, countLatencies, percentileMs } from '../latency.ts';
import type { DayBalance, UsageRow, UsageState } from '../rows.ts';
import type { UsageSeries, UsageTotals, UsageView } from './views.ts';

/** A closing is undefined if it has not begun. */
export interface UsageRows {
  readonly rows: readonly UsageRow[];
  readonly previousRows: readonly UsageRow[];
  readonly balances: readonly DayBalance[];
  readonly state: UsageState | undefined;
  readonly closing: Closing | undefined;
  readonly previousClosing: Closing | undefined;
  readonly lots: readonly Lot[];
  readonly koboPerCredit: number | undefined;
}

/** REFUSED is not one: the service rejected the request. */
const ERRORS: readonly Outcome[] = ['FAILED', 'UNREACHABLE', 'TIMEOUT', 'ERROR', 'ABANDONED'];

/** The usage of a month as the console shows it. */
export function usageView(env: Environment, month: string, read: UsageRows, nowMs: number): UsageView {
  const today = lagosDay(nowMs);
  const days = daysOf(month).filter((day) => day <= today);
  const rows = read.rows.filter(({ requests, day }) => requests > 0 && day <= today);
  return {
    env,
    month,
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
    totals: totalsOf(env, month, rows, read.closing, read),
    previous: previousTotals(env, month, days.length, read),
    latency: latencyOf(rows),
    vat_basis_points: read.lots.findLast(({ kind }) => kind === 'paid')?.vatBasisPoints ?? null,
    counted_until: read.state?.countedUntil ?? null,
  };
}

function daysOf(month: string): string[] {
  const next = dayPlus(`${month}-28`, 4).slice(0, 7);
  return daysBetween(`${month}-01`, dayPlus(`${next}-01`, -1));
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
  return series.sort((a, b) => sumOf(b.requests) - sumOf(a.requests) || (a.name < b.name ? -1 : 1));
}

function totalsOf(
  env: Environment,
  month: string,
  rows: readonly UsageRow[],
  closing: Closing | undefined,
  { lots, balances, koboPerCredit }: UsageRows,
  isWhole = true,
): UsageTotals {
  const credits = sumOf(rows.map((row) => row.credits));
  const ofOutcomes = (wanted: readonly Outcome[]) =>
    sumOf(rows.flatMap(({ outcomes }) => wanted.map((outcome) => outcomes[outcome]?.requests ?? 0)));
  const before = dayPlus(`${month}-01`, -1);
  const openingBalance = balances.find(({ day }) => day === before)?.balance;
  const facts = { month, closing, lots, openingBalance, koboPerCredit };
  const earned = isWhole ? earnedKobo(facts) : undefined;
  return {
    requests: sumOf(rows.map(({ requests }) => requests)),
    found: ofOutcomes(['FOUND']),
    errors: ofOutcomes(ERRORS),
    credits,
    // Test credits are free.
    cost_kobo: env === 'test' ? null : (earned ?? costKobo(credits, facts)),
    is_closed: closing?.state === 'CLOSED' && isWhole,
  };
}

/** Of the same number of days, or of the whole month if it has fewer. */
function previousTotals(env: Environment, month: string, count: number, read: UsageRows): UsageTotals | null {
  const previous = monthBefore(month);
  const all = daysOf(previous);
  const days = new Set(all.slice(0, count));
  const rows = read.previousRows.filter(({ day, requests }) => days.has(day) && requests > 0);
  if (rows.length === 0) return null;
  return totalsOf(env, previous, rows, read.previousClosing, read, days.size === all.length);
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

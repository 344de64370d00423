import {
  type AlarmState,
  evaluationRange,
  type MissingData,
  nextState,
  type Point,
} from '../support/alarm-evaluation.ts';
import type { Properties } from './synthesis.ts';

/** Computes how long after the start of a problem an alarm of the templates fires, and after its end, clears. */

/** What a metric receives in one minute. */
interface Samples {
  readonly value: number;
  readonly count: number;
}

/** By the minute, from the first. Undefined: nothing arrives. */
export type Signal = (minute: number) => Samples | undefined;

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Period: number; readonly Stat: string };
}

export interface EvaluatedAlarm {
  readonly name: string;
  readonly runbook: string;
  readonly periods: number;
  readonly periodMinutes: number;
  readonly threshold: number;
  readonly firesBelow: boolean;
  readonly missingData: MissingData;
  /** With the ID of each of its metrics, and its statistic. */
  readonly statistics: ReadonlyMap<string, string>;
  readonly expression: string;
  readonly expressions: ReadonlyMap<string, string>;
}

/** Reads an alarm of a template. */
export function evaluatedAlarm(alarm: Properties): EvaluatedAlarm {
  const { AlarmName, AlarmDescription } = alarm;
  const { 'Fn::Join': join } = Object(AlarmName) as { 'Fn::Join'?: [string, [string, unknown]] };
  const queries = (alarm['Metrics'] ?? []) as Query[];
  const stats = queries.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, MetricStat] as const] : []));
  const [first, ...others] = queries;
  const seconds = Number(alarm['Period'] ?? stats[0]?.[1].Period);
  return {
    name: String(join?.[1][0] ?? AlarmName).replace('identity-prod-', ''),
    runbook: /([\w-]+)\.md$/.exec(String(AlarmDescription))?.[1] ?? '',
    periods: Number(alarm['EvaluationPeriods']),
    periodMinutes: seconds / 60,
    threshold: Number(alarm['Threshold']),
    firesBelow: alarm['ComparisonOperator'] === 'LessThanThreshold',
    missingData: alarm['TreatMissingData'] as MissingData,
    statistics: new Map(
      first
        ? stats.map(([id, { Stat }]) => [id, Stat])
        : [['value', String(alarm['Statistic'] ?? alarm['ExtendedStatistic'])]],
    ),
    expression: first?.Expression ?? 'value',
    expressions: new Map(others.flatMap(({ Id, Expression }) => (Expression ? [[Id, Expression]] : []))),
  };
}

const DAY_MINUTES = 24 * 60;
/** Wednesday, 10:00 UTC, when the stage expects traffic. */
const START_MS = Date.UTC(2026, 10, 25, 10);

function statistic(samples: readonly Samples[], name: string): number | undefined {
  if (samples.length === 0) return undefined;
  const count = samples.reduce((sum, one) => sum + one.count, 0);
  const sum = samples.reduce((total, one) => total + one.value * one.count, 0);
  const values = samples.map(({ value }) => value);
  if (name === 'SampleCount') return count;
  if (name === 'Sum') return sum;
  if (name === 'Average') return sum / count;
  return name === 'Minimum' ? Math.min(...values) : Math.max(...values);
}

const FUNCTIONS = {
  IF: (condition: boolean, yes: unknown, no: unknown) => (condition ? yes : no),
  FILL: (value: unknown, otherwise: number) => value ?? otherwise,
};

const compiled = new Map<string, (...values: unknown[]) => unknown>();

function evaluate(expression: string, values: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(values);
  const key = `${expression} of ${names}`;
  const known =
    compiled.get(key) ?? new Function(...names, `return ${expression.replaceAll(' AND ', ' && ')}`);
  compiled.set(key, known as (...values: unknown[]) => unknown);
  return known(...Object.values(values));
}

/** Whether the period of the alarm that ends at a minute breaches its threshold, with the data that have arrived. */
function breaches(
  alarm: EvaluatedAlarm,
  signals: Readonly<Record<string, Signal>>,
  end: number,
  hasArrived: (minute: number) => boolean,
): boolean | undefined {
  const samplesOf = (id: string) => {
    const samples: Samples[] = [];
    for (let minute = end - alarm.periodMinutes; minute < end; minute += 1) {
      const one = hasArrived(minute) ? signals[id]?.(minute) : undefined;
      if (one) samples.push(one);
    }
    return samples;
  };
  const at = new Date(START_MS + (end - alarm.periodMinutes) * 60_000);
  const metrics = Object.fromEntries(
    [...alarm.statistics].map(([id, name]) => [id, statistic(samplesOf(id), name)]),
  );
  const values = { ...FUNCTIONS, HOUR: () => at.getUTCHours(), DAY: () => at.getUTCDay() || 7, ...metrics };
  const parts = Object.fromEntries(
    [...alarm.expressions].map(([id, expression]) => [id, evaluate(expression, values)]),
  );
  const value = evaluate(alarm.expression, { ...values, ...parts });
  if (value === undefined) return undefined;
  return alarm.firesBelow ? Number(value) < alarm.threshold : Number(value) > alarm.threshold;
}

/**
 * Returns the state at each minute from `from` to `to`. An alarm is evaluated every minute over the periods that end
 * then; one that covers more than a day, every hour. Data are visible `lateMinutes` after their minute.
 */
export function statesOf(
  alarm: EvaluatedAlarm,
  signals: Readonly<Record<string, Signal>>,
  { from, to, lateMinutes }: { from: number; to: number; lateMinutes?: (minute: number) => number },
): Map<number, AlarmState> {
  const { periods: evaluationPeriods, periodMinutes, missingData } = alarm;
  const step = evaluationPeriods * periodMinutes > DAY_MINUTES ? 60 : 1;
  const range = evaluationRange(evaluationPeriods);
  const known = new Map<number, Point>();
  // Data on time do not change after the end of their period.
  const onTime = (end: number) => {
    if (!known.has(end))
      known.set(
        end,
        breaches(alarm, signals, end, () => true),
      );
    return known.get(end);
  };
  const pointAt = (end: number, now: number) =>
    lateMinutes ? breaches(alarm, signals, end, (one) => one + lateMinutes(one) < now) : onTime(end);
  const states = new Map<number, AlarmState>();
  let state: AlarmState = 'OK';
  for (let minute = from; minute <= to; minute += 1) {
    if (minute % step === 0) {
      const ends = Array.from({ length: range }, (_, index) => minute - (range - 1 - index) * periodMinutes);
      const points = ends.map((end) => pointAt(end, minute));
      state = nextState(points, { evaluationPeriods, missingData }, state);
    }
    states.set(minute, state);
  }
  return states;
}

const MANY = 1_000;
const always =
  (value: number, count = MANY): Signal =>
  () => ({ value, count });
const never: Signal = () => undefined;

/** How often the jobs run whose silence makes an alarm fire. @default every minute */
const EVERY_MINUTES: Readonly<Record<string, number>> = {
  'reconciliation-overdue': DAY_MINUTES,
  'usage-overdue': 60,
};

/** Returns what a metric of an alarm receives while its problem lasts, and otherwise. `start` is the minute of a run. */
function signalOf(alarm: EvaluatedAlarm, id: string, isProblem: boolean, start: number): Signal {
  const { name, threshold, firesBelow, missingData, statistics } = alarm;
  const good = firesBelow ? threshold : 0;
  const bad = firesBelow ? threshold - 1 : threshold + 1;
  const every = EVERY_MINUTES[name] ?? 1;
  if (missingData === 'breaching')
    return isProblem
      ? never
      : (minute) => ((minute - start) % every === 0 ? { value: good, count: 1 } : undefined);
  if (/^(crashes|throttled|gateway)/.test(id)) return isProblem && id !== 'gateway' ? always(1) : never;
  if (statistics.has('clock')) return id === 'requests' && isProblem ? never : always(0);
  if (id === 'share') return always(isProblem === firesBelow ? 0 : 1);
  if (id !== 'value') return always(isProblem ? 1 : 0);
  if (statistics.has('count')) return always(isProblem ? bad : good);
  if (statistics.get(id) === 'Sum') return isProblem ? always(bad, 1) : never;
  return always(isProblem ? bad : good, 1);
}

export interface AlarmTimes {
  readonly fires: number;
  readonly clears: number;
}

/** Returns the signals of a problem that lasts from one minute to another. A job runs in the minute before and after. */
export function signalsOf(alarm: EvaluatedAlarm, begin: number, end: number): Record<string, Signal> {
  return Object.fromEntries(
    [...alarm.statistics.keys()].map((id) => {
      const before = signalOf(alarm, id, false, begin - 1);
      const during = signalOf(alarm, id, true, begin);
      const after = signalOf(alarm, id, false, end);
      return [id, (minute) => (minute < begin ? before : minute < end ? during : after)(minute)];
    }),
  );
}

/** Returns the minutes from the start of a problem, in the worst case, until the alarm fires, and from its end until it clears. */
export function timesOf(alarm: EvaluatedAlarm): AlarmTimes {
  const key = JSON.stringify({ ...alarm, statistics: [...alarm.statistics] });
  const known = times.get(key) ?? computedTimes(alarm);
  times.set(key, known);
  return known;
}

const times = new Map<string, AlarmTimes>();

function computedTimes(alarm: EvaluatedAlarm): AlarmTimes {
  const covered = alarm.periods * alarm.periodMinutes;
  // Just after an evaluation, which is the worst case.
  const begin = 1;
  const end = begin + 2 * covered + 120;
  const states = statesOf(alarm, signalsOf(alarm, begin, end), { from: 0, to: end + 2 * covered + 120 });
  const first = (state: AlarmState, from: number) =>
    [...states].find(([minute, one]) => minute >= from && one === state)?.[0] ?? Number.POSITIVE_INFINITY;
  return { fires: first('ALARM', begin) - begin, clears: first('OK', end) - end };
}

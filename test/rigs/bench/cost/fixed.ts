import { readFileSync, writeFileSync } from 'node:fs';
import type { MetricName } from '../../../../shared/core/metrics.ts';
import { type Properties, resourcesOf, synthesize, type Templates } from '../../../infra/synthesis.ts';
import { PRICES } from './prices.ts';

/** One monthly cost of a stage that does not depend on its requests, counted in its templates. */
export interface FixedCost {
  readonly what: string;
  readonly count: number;
  /** US dollars a month for each unit of `count`. */
  readonly price: number;
}

const MINUTES_A_MONTH = 43_800;
/** The memory of the functions (infra/stages/common.ts). */
const FUNCTION_GB = 0.5;
/** The billed duration of an idle run of a scheduled function. */
const SCHEDULED_RUN_SECONDS = 0.2;
/** Lambda's START, END and REPORT lines and two lines of the function, with CloudWatch's 26 bytes for each. */
const SCHEDULED_RUN_LOG_BYTES = 1_000;

/**
 * The metrics that have a value on every day with traffic. Metrics of each provider and rare metrics are not included.
 */
export const DAILY_METRICS = [
  'failedRequests',
  'ownLatency',
  'lookUpLatency',
  'failedLookUps',
  'creditsCharged',
  'oldestHold',
  'registriesDown',
  'oldestSecretDays',
  'reconciliationDifferences',
] as const satisfies readonly MetricName[];

export function fixedCosts({ data, functions, api, operations }: Templates): FixedCost[] {
  const all = [data, functions, api, operations];
  const of = (type: string) => all.flatMap((template) => [...resourcesOf(template, type).values()]);
  const alarms = of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  // The name contains a reference to the version of the function.
  const isRollback = ({ AlarmName }: Properties) => JSON.stringify(AlarmName).includes('-rollback-');
  const read = (some: readonly Properties[]) => some.reduce((sum, alarm) => sum + metricsRead(alarm), 0);
  const rules = of('AWS::WAFv2::WebACL').flatMap(({ Properties }) => Properties['Rules'] as unknown[]);
  const runs = of('AWS::Events::Rule').reduce((sum, { Properties }) => sum + runsOf(Properties), 0);
  return [
    cost('secrets', of('AWS::SecretsManager::Secret').length, PRICES.secretMonth),
    cost('KMS keys', of('AWS::KMS::Key').length, PRICES.keyMonth),
    cost('firewalls', of('AWS::WAFv2::WebACL').length, PRICES.firewallMonth),
    cost('firewall rules', rules.length, PRICES.firewallRuleMonth),
    cost('metrics that alarms read', read(alarms.filter((one) => !isRollback(one))), PRICES.alarmMetricMonth),
    cost('composite alarms', of('AWS::CloudWatch::CompositeAlarm').length, PRICES.compositeAlarmMonth),
    cost('metrics that rollback alarms read', read(alarms.filter(isRollback)), PRICES.alarmMetricMonth),
    cost('custom metrics with a value every day', DAILY_METRICS.length, PRICES.customMetricMonth),
    cost('dashboards', of('AWS::CloudWatch::Dashboard').length, PRICES.dashboardMonth),
    cost('runs of scheduled functions', runs, priceOfRun()),
  ];
}

/**
 * Returns the cost of one run in dollars: invocation, duration, log lines and trace. Lambda samples the first request
 * of each second, so every run is traced.
 */
function priceOfRun(): number {
  const invocation = PRICES.invocationsPerMillion / 1_000_000;
  const duration = FUNCTION_GB * SCHEDULED_RUN_SECONDS * PRICES.gigabyteSecond;
  const log = (SCHEDULED_RUN_LOG_BYTES / 1_000_000_000) * PRICES.logGigabyte;
  return invocation + duration + log + PRICES.tracesPerMillion / 1_000_000;
}

function cost(what: string, count: number, price: number): FixedCost {
  return { what, count, price };
}

/** Returns how many metrics an alarm reads: one, or all in its expression. CloudWatch bills each. */
function metricsRead({ Metrics }: Properties): number {
  if (!Metrics) return 1;
  return (Metrics as Properties[]).filter(({ MetricStat }) => MetricStat !== undefined).length;
}

function runsOf({ ScheduleExpression, EventPattern }: Properties): number {
  // A rule for AWS events runs no function and is free.
  if (EventPattern) return 0;
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(ScheduleExpression)) ?? [];
  const minutes = { minute: 1, hour: 60, day: 24 * 60 }[unit];
  if (!count || !minutes) throw new Error(`The schedule ${ScheduleExpression} has no known rate.`);
  return MINUTES_A_MONTH / (Number(count) * minutes);
}

const STAGES_ON_AWS = ['dev', 'staging', 'prod'];
const MARKS = { begin: '<!-- fixed: begin -->', end: '<!-- fixed: end -->' } as const;

/** Returns docs/operate/cost.md with the fixed costs of the current templates. */
export function withFixedCosts(page: string): string {
  const stages = Object.fromEntries(STAGES_ON_AWS.map((stage) => [stage, synthesize(stage)]));
  const [before = '', rest = ''] = page.split(MARKS.begin);
  const [, after = ''] = rest.split(MARKS.end);
  return `${before}${MARKS.begin}\n${fixedTable(stages)}\n${MARKS.end}${after}`;
}

export function recordFixedCosts(file: string): void {
  writeFileSync(file, withFixedCosts(readFileSync(file, 'utf8')));
}

function fixedTable(stages: Readonly<Record<string, Templates>>): string {
  const costs = Object.values(stages).map(fixedCosts);
  const names = Object.keys(stages);
  const rows = (costs[0] ?? []).map(({ what }, index) => [
    what,
    ...costs.map((ofStage) => cell(ofStage[index])),
  ]);
  const sums = costs.map((ofStage) => ofStage.reduce((sum, { count, price }) => sum + count * price, 0));
  const lines = [
    ['$ per month', ...names],
    ['---', ...names.map(() => '---')],
    ...rows,
    ['**sum**', ...sums.map((sum) => `**${sum.toFixed(2)}**`)],
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cell(one: FixedCost | undefined): string {
  if (!one || one.count === 0) return '';
  const count = Math.round(one.count).toLocaleString('en-GB');
  return `${(one.count * one.price).toFixed(2)} (${count})`;
}

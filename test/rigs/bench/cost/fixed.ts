import type { MetricName } from '../../../../shared/core/metrics.ts';
import { type Properties, resourcesOf, synthesize, type Templates } from '../../../infra/synthesis.ts';
import { PRICES, type Prices } from './prices.ts';

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

/** Returns the quantities of what a stage costs each month regardless of its requests, counted in its templates. */
export function fixedCounts(templates: Templates): Readonly<Record<string, number>> {
  const { data, functions, api, webhooks, console, operations, operators, access } = templates;
  const all = [data, functions, api, webhooks, console, operations, operators, access];
  const of = (type: string) => all.flatMap((template) => [...resourcesOf(template, type).values()]);
  const alarms = of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  // The name contains a reference to the version of the function.
  const isRollback = ({ AlarmName }: Properties) => JSON.stringify(AlarmName).includes('-rollback-');
  const read = (some: readonly Properties[]) => some.reduce((sum, alarm) => sum + metricsRead(alarm), 0);
  const rules = of('AWS::WAFv2::WebACL').flatMap(({ Properties }) => Properties['Rules'] as unknown[]);
  return {
    secrets: of('AWS::SecretsManager::Secret').length,
    'KMS keys': of('AWS::KMS::Key').length,
    firewalls: of('AWS::WAFv2::WebACL').length,
    'firewall rules': rules.length,
    'metrics that alarms read': read(alarms.filter((one) => !isRollback(one))),
    'composite alarms': of('AWS::CloudWatch::CompositeAlarm').length,
    'metrics that rollback alarms read': read(alarms.filter(isRollback)),
    'custom metrics with a value every day': DAILY_METRICS.length,
    dashboards: of('AWS::CloudWatch::Dashboard').length,
    'hosted zones': of('AWS::Route53::RecordSet').length > 0 ? 1 : 0,
    'runs of scheduled functions': of('AWS::Events::Rule').reduce(
      (sum, one) => sum + runsOf(one.Properties),
      0,
    ),
  };
}

/** Returns the price of one of each in US dollars a month. */
function fixedPrices(prices: Prices): Readonly<Record<string, number>> {
  return {
    secrets: prices.secretMonth,
    'KMS keys': prices.keyMonth,
    firewalls: prices.firewallMonth,
    'firewall rules': prices.firewallRuleMonth,
    'metrics that alarms read': prices.alarmMetricMonth,
    'composite alarms': prices.compositeAlarmMonth,
    'metrics that rollback alarms read': prices.alarmMetricMonth,
    'custom metrics with a value every day': prices.customMetricMonth,
    dashboards: prices.dashboardMonth,
    'hosted zones': prices.hostedZoneMonth,
    'runs of scheduled functions': priceOfRun(prices),
  };
}

export function fixedDollars(counts: Readonly<Record<string, number>>, prices: Prices = PRICES) {
  const each = fixedPrices(prices);
  return Object.entries(counts).map(([what, count]) => ({
    what,
    count,
    dollars: count * (each[what] ?? Number.NaN),
  }));
}

/** Returns the cost of one run in dollars: invocation, duration and log lines. */
function priceOfRun(prices: Prices): number {
  const invocation = prices.invocationsPerMillion / 1_000_000;
  const duration = FUNCTION_GB * SCHEDULED_RUN_SECONDS * prices.gigabyteSecond;
  const log = (SCHEDULED_RUN_LOG_BYTES / 1_000_000_000) * prices.logGigabyte;
  return invocation + duration + log;
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

/** Returns the table of the fixed costs of the current templates. */
export function fixedTable(): string {
  const costs = STAGES_ON_AWS.map((stage) => fixedDollars(fixedCounts(synthesize(stage))));
  const rows = (costs[0] ?? []).map(({ what }, index) => [
    what,
    ...costs.map((ofStage) => cell(ofStage[index])),
  ]);
  const sums = costs.map((ofStage) => ofStage.reduce((sum, { dollars }) => sum + dollars, 0));
  const lines = [
    ['$ per month', ...STAGES_ON_AWS],
    ['---', ...STAGES_ON_AWS.map(() => '---')],
    ...rows.filter(([, ...cells]) => cells.some((text) => text !== '')),
    ['**sum**', ...sums.map((sum) => `**${sum.toFixed(2)}**`)],
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cell(one: ReturnType<typeof fixedDollars>[number] | undefined): string {
  if (!one || one.count === 0) return '';
  return `${one.dollars.toFixed(2)} (${Math.round(one.count).toLocaleString('en-GB')})`;
}

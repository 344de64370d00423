import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../../config.ts';
import { failedSchedulesName } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';
import { sumOf } from './metric-math.ts';
import { MINUTES_5, ofTable, type ServiceMetrics } from './service-metrics.ts';

interface MonitoredTable {
  readonly tableName: string;
  /** The names of its indexes. */
  readonly indexes: readonly string[];
}

/** Returns the alarms on limits that are reached or soon will be, failed schedules, and secrets to rotate. */
export function capacityAlarms(
  { stage, operations }: StageConfig,
  metrics: ServiceMetrics,
  tables: readonly MonitoredTable[],
): AlarmSpec[] {
  const { accountConcurrency = 0, secretMaxAgeDays = 365 } = operations ?? {};
  return [
    {
      name: 'function-throttles',
      pages: true,
      description:
        'Customers may receive 429 or 500. Lambda rejects invocations because the concurrency limit of the account or of one function is reached.',
      metric: metrics.ofLambda('Throttles', 'Sum'),
      threshold: 0,
    },
    {
      name: 'concurrency',
      description: `Customers are not affected yet, but Lambda may soon reject requests. More than 80% of the account's ${accountConcurrency} concurrent executions are in use.`,
      metric: metrics.ofLambda('ConcurrentExecutions', 'Maximum'),
      threshold: accountConcurrency * 0.8,
      periods: 2,
    },
    ...tableAlarms(tables),
    {
      name: 'schedule-failed',
      description:
        'Customers are not affected at first, unless they miss an alert email or a webhook. A run for a schedule or an event failed at every attempt, and its event is in a queue.',
      metric: failedScheduleEvents(failedSchedulesName(stage)),
      threshold: 0,
    },
    {
      name: 'secret-age',
      description: `Customers are not affected. A secret is more than ${secretMaxAgeDays} days old and must be rotated: the credentials of a registry provider, the slip key or the sandbox key.`,
      metric: metrics.own('oldestSecretDays', 'Maximum', Duration.days(1)),
      threshold: secretMaxAgeDays,
    },
  ];
}

/** Returns separate alarms on reads, writes and indexes, and on each ten: an alarm reads at most ten metrics. */
function tableAlarms(tables: readonly MonitoredTable[]): AlarmSpec[] {
  return [
    ...throttledCalls('reads', 'ReadThrottleEvents', tables),
    ...throttledCalls('writes', 'WriteThrottleEvents', tables),
    ...inTens(tables.flatMap(throttledIndexes)).map(
      (metrics, index): AlarmSpec => ({
        name: `index-throttles${suffixOf(index)}`,
        pages: true,
        runbook: 'index-throttles',
        description:
          'Customers may receive slow responses, 500 or 503. An index cannot keep up with its table, so DynamoDB rejects writes to the table, probably because one organisation sends too many requests.',
        metric: sumOf('throttled', metrics),
        threshold: 0,
        periods: 2,
      }),
    ),
  ];
}

function inTens<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 10) }, (_, index) =>
    all.slice(10 * index, 10 * index + 10),
  );
}

const suffixOf = (index: number) => (index === 0 ? '' : `-${index + 1}`);

function throttledCalls(calls: string, metric: string, tables: readonly MonitoredTable[]): AlarmSpec[] {
  return inTens(tables).map((some, index) => ({
    name: `table-throttles-${calls}${suffixOf(index)}`,
    pages: true,
    runbook: 'table-throttles',
    description: `Customers may receive slow responses, 500 or 503. DynamoDB rejects ${calls}, probably because one wallet has too few shards.`,
    metric: sumOf(
      'throttled',
      some.map(({ tableName }) => ofTable(tableName, metric)),
    ),
    threshold: 0,
    periods: 2,
  }));
}

/** DynamoDB counts rejected writes to an index separately from those to its table. */
function throttledIndexes({ tableName, indexes }: MonitoredTable) {
  return indexes.map((index) =>
    ofTable(tableName, 'WriteThrottleEvents', { GlobalSecondaryIndexName: index }),
  );
}

function failedScheduleEvents(QueueName: string) {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    dimensionsMap: { QueueName },
    statistic: 'Maximum',
    period: MINUTES_5,
  });
}

import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../config.ts';
import type { AlarmSpec } from './alarm.ts';
import { failedSchedulesName } from './physical-names.ts';
import { MINUTES_5, ofTable, type ServiceMetrics, sumOf } from './service-metrics.ts';

export interface WatchedTable {
  readonly tableName: string;
  /** The names of its indexes. */
  readonly indexes: readonly string[];
}

/** Is there room: is nobody turned away by a limit, and does nothing end soon that must be renewed? */
export function capacityAlarms(
  { stage, operations }: StageConfig,
  metrics: ServiceMetrics,
  tables: readonly WatchedTable[],
): AlarmSpec[] {
  const { accountConcurrency = 0, domain, secretMaxAgeDays = 365 } = operations ?? {};
  const failedSchedules = {
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    dimensionsMap: { QueueName: failedSchedulesName(stage) },
  };
  return [
    {
      name: 'function-throttles',
      description:
        'Lambda turned calls away: the concurrency of the account, or that of one function, is used up.',
      metric: metrics.ofLambda('Throttles', 'Sum'),
      limit: 0,
    },
    {
      name: 'concurrency',
      description: `More than 80 % of the account's ${accountConcurrency} concurrent executions are in use.`,
      metric: metrics.ofLambda('ConcurrentExecutions', 'Maximum'),
      limit: accountConcurrency * 0.8,
      periods: 2,
    },
    {
      name: 'table-throttles',
      description: 'DynamoDB turned reads or writes away.',
      metric: sumOf(
        'throttled',
        tables.flatMap(({ tableName, indexes }) => [
          ofTable(tableName, 'ReadThrottleEvents'),
          ofTable(tableName, 'WriteThrottleEvents'),
          // An index that cannot keep up turns writes to its table away, and is counted by itself.
          ...indexes.map((index) =>
            ofTable(tableName, 'WriteThrottleEvents', { GlobalSecondaryIndexName: index }),
          ),
        ]),
      ),
      limit: 0,
      periods: 2,
    },
    {
      name: 'schedule-failed',
      description:
        'A scheduled run failed in all its tries: its event lies in the queue of failed schedules.',
      metric: new Metric({ ...failedSchedules, statistic: 'Maximum', period: MINUTES_5 }),
      limit: 0,
    },
    {
      name: 'secret-age',
      description: `Credentials of a registry, the slip key or the sandbox's key are older than ${secretMaxAgeDays} days.`,
      metric: metrics.own('oldestSecretDays', 'Maximum', Duration.days(1)),
      limit: secretMaxAgeDays,
    },
    ...(domain ? [certificateAlarm(domain.certificateArn)] : []),
  ];
}

/** Certificate Manager renews 60 days before the end; 30 days before, it has failed to. */
function certificateAlarm(CertificateArn: string): AlarmSpec {
  const metric = new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    dimensionsMap: { CertificateArn },
    statistic: 'Minimum',
    period: Duration.days(1),
  });
  const description = "The domain's certificate ends in less than 30 days and was not renewed.";
  return { name: 'certificate-expiring', description, metric, limit: 30, isFloor: true };
}

import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../../config.ts';
import { backupVaultName } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';

/** Returns the alarm on the age of the copies in another account, of this number of tables. */
export function backupAlarms({ stage, operations }: StageConfig, tables: number): AlarmSpec[] {
  if (!operations?.backup) return [];
  return [
    {
      name: 'backup-overdue',
      description:
        'Customers are not affected, but more data would be lost with the account or region. For two days, not every table has been copied to the other account.',
      metric: new Metric({
        namespace: 'AWS/Backup',
        metricName: 'NumberOfCopyJobsCompleted',
        dimensionsMap: { BackupVaultName: backupVaultName(stage) },
        statistic: 'Sum',
        period: Duration.days(1),
      }),
      threshold: tables,
      periods: 2,
      firesBelow: true,
      firesWithoutData: true,
    },
  ];
}

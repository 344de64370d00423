import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import { percentOf, sumOf } from './metric-math.ts';
import { ofTable, type ServiceMetrics } from './service-metrics.ts';

/** Returns the alarms on charges, holds, wallets and the reconciliation. */
export function ledgerAlarms(metrics: ServiceMetrics, walletsTable: string): AlarmSpec[] {
  const minute = Duration.minutes(1);
  return [
    {
      name: 'charge-unconfirmed',
      pages: true,
      description:
        'A customer may have been charged without receiving the record. DynamoDB did not confirm a charge in time, or a function failed after the charge.',
      metric: metrics.own('unconfirmedCharges', 'Sum'),
      threshold: 0,
    },
    ...reconciliationAlarms(metrics),
    {
      name: 'hold-too-old',
      description:
        'Customers may see less available credit than they have. For 5 minutes, a hold has been older than 5 minutes or the sweeper has not completed a run.',
      metric: metrics.own('oldestHold', 'Maximum', minute),
      threshold: 5 * 60_000,
      periods: 5,
      firesWithoutData: true,
    },
    {
      name: 'hold-quarantined',
      description:
        'A customer cannot spend some of their credit until an engineer acts. The sweeper failed to settle a hold five times and now skips that hold.',
      metric: metrics.own('quarantinedHolds', 'Maximum'),
      threshold: 0,
    },
    {
      name: 'wallet-conflicts',
      description:
        'Customers receive slower responses. More than 5% of wallet updates conflict with transactions, such as top-ups, corrections or moves of credits between shards.',
      metric: conflictRate(walletsTable),
      threshold: 5,
      periods: 3,
    },
  ];
}

function reconciliationAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  return [
    {
      name: 'reconciliation-differs',
      pages: true,
      description:
        'Customers may see a wrong balance or statement. The daily reconciliation found rows that do not agree.',
      metric: metrics.own('reconciliationDifferences', 'Maximum', Duration.days(1)),
      threshold: 0,
    },
    {
      // Two periods, because two daily runs may be slightly more than a day apart.
      name: 'reconciliation-overdue',
      description:
        'Customers are not affected, but a wrong balance would not be detected. The daily reconciliation has not completed for two days.',
      metric: metrics.own('reconciliationDifferences', 'SampleCount', Duration.days(1)),
      threshold: 1,
      periods: 2,
      firesBelow: true,
      firesWithoutData: true,
    },
  ];
}

/**
 * Returns the share of conflicts in percent. DynamoDB counts one conflict per rejected item, and one latency sample per
 * successful call.
 */
function conflictRate(walletsTable: string) {
  const conflicts = ofTable(walletsTable, 'TransactionConflict');
  const updates = ofTable(
    walletsTable,
    'SuccessfulRequestLatency',
    { Operation: 'UpdateItem' },
    'SampleCount',
  );
  const label = 'conflicts, % of updates';
  return percentOf(label, conflicts, sumOf('sent', [updates, conflicts]));
}

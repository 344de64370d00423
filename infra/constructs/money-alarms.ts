import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import { ofTable, percentOf, type ServiceMetrics, sumOf } from './service-metrics.ts';

/** Are the books right, and does credit come back that was held? */
export function moneyAlarms(metrics: ServiceMetrics, walletsTable: string): AlarmSpec[] {
  const minute = Duration.minutes(1);
  return [
    {
      name: 'charge-unconfirmed',
      description:
        'A charge may stand in the books whose data never left: charged answers and charge rows differ.',
      metric: metrics.own('unconfirmedCharges', 'Sum'),
      limit: 0,
    },
    {
      name: 'reconciliation-differs',
      description: 'The daily reconciliation found rows that do not agree.',
      metric: metrics.own('reconciliationDifferences', 'Maximum', Duration.days(1)),
      limit: 0,
    },
    {
      // Two days, since one run and the next may fall a little more than a day apart.
      name: 'reconciliation-overdue',
      description: 'The daily reconciliation has not ended for two days.',
      metric: metrics.own('reconciliationDifferences', 'SampleCount', Duration.days(1)),
      limit: 1,
      periods: 2,
      isFloor: true,
      mustNotify: true,
    },
    {
      name: 'hold-too-old',
      description: 'A credit is held for more than 5 minutes, or the sweeper does not run.',
      metric: metrics.own('oldestHold', 'Maximum', minute),
      limit: 5 * 60_000,
      periods: 5,
      mustNotify: true,
    },
    {
      name: 'hold-quarantined',
      description: 'The sweeper failed five times on a hold and leaves it to a person.',
      metric: metrics.own('quarantinedHolds', 'Maximum'),
      limit: 0,
    },
    {
      name: 'wallet-conflicts',
      description: 'More than 5 % of the updates of wallets meet a transaction and must be sent again.',
      metric: conflictRate(walletsTable),
      limit: 5,
      periods: 3,
    },
  ];
}

/** In percent. DynamoDB counts a conflict for each item that it refused, and a sample for each call that it served. */
function conflictRate(walletsTable: string) {
  const conflicts = ofTable(walletsTable, 'TransactionConflict');
  const updates = ofTable(
    walletsTable,
    'SuccessfulRequestLatency',
    { Operation: 'UpdateItem' },
    'SampleCount',
  );
  const label = 'conflicts, % of updates';
  return percentOf(label, conflicts, sumOf('sent', [updates, conflicts]), 10);
}

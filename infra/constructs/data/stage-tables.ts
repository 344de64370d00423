import type { Stack } from 'aws-cdk-lib';
import { LISTED_ATTRIBUTES } from '../../../shared/verifications/listed-log.ts';
import type { RestoredTables, WarmThroughput } from '../../config.ts';
import type { TableName } from '../access/access-profiles.ts';
import type { DataKey } from './data-key.ts';
import { type ActiveTable, RetainedTable, restoredTable } from './retained-table.ts';
import { index } from './secondary-indexes.ts';

/** The tables of a stage that can be warmed, with their indexes. */
export const WITH_WARM_THROUGHPUT: readonly string[] = [
  ...['ApiKeys', 'Wallets', 'Wallets.statement', 'Wallets.wallets', 'VerificationLogs'],
  ...['byRequest', 'byTime', 'byReference'].map((name) => `VerificationLogs.${name}`),
];

/** Creates the tables of a stage. The key protects VerificationLogs. */
export function stageTables(stack: Stack, key: DataKey | undefined, warm: WarmThroughput = {}) {
  return {
    ApiKeys: new RetainedTable(stack, 'ApiKeys', [], { warm }),
    Wallets: new RetainedTable(
      stack,
      'Wallets',
      [
        index('statement', { partition: 'statementKey', sort: 'statementSort' }),
        index('wallets', { partition: 'walletsKey', sort: 'pk' }, []),
      ],
      { warm },
    ),
    VerificationLogs: new RetainedTable(
      stack,
      'VerificationLogs',
      [
        index('byRequest', { partition: 'requestKey' }),
        index('byTime', { partition: 'timeKey', sort: 'timeSort' }, LISTED_ATTRIBUTES),
        index('byReference', { partition: 'referenceKey', sort: 'timeSort' }, LISTED_ATTRIBUTES),
      ],
      { key, warm },
    ),
    AuditTrail: new RetainedTable(stack, 'AuditTrail', [], { expiry: 'disabled', hasStream: true }),
    Approvals: new RetainedTable(stack, 'Approvals'),
    Payments: new RetainedTable(
      stack,
      'Payments',
      [
        index('due', { partition: 'dueKey', sort: 'dueSort' }, []),
        index('orders', { partition: 'ordersKey', sort: 'ordersSort' }),
      ],
      { expiry: 'none' },
    ),
    Console: new RetainedTable(stack, 'Console'),
  } satisfies Record<TableName, RetainedTable>;
}

/** Returns the restored tables. The stage's own tables remain. */
export function restoredTables(
  own: Readonly<Record<TableName, RetainedTable>>,
  names: RestoredTables,
): Readonly<Record<TableName, ActiveTable>> {
  const tables = Object.entries(own).map(([name, table]) => [
    name,
    restoredTable(table, names[name as TableName]),
  ]);
  return Object.fromEntries(tables);
}

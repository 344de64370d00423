import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { shardTable } from '../tables/shard-table.ts';
import { dayTable } from './day-table.ts';
import { reconcileTable } from './reconcile-table.ts';
import { sealTable } from './seal-table.ts';

/** Returns the part of the daily reconciliation's source that reads the tables of the ledger. */
export function ledgerSource(client: DynamoDBDocumentClient, walletsTable: string, logsTable: string) {
  return {
    ...reconcileTable(client, walletsTable, logsTable),
    ...dayTable(client, walletsTable, logsTable),
    seals: sealTable(client, walletsTable),
    shards: shardTable(client, walletsTable),
  };
}

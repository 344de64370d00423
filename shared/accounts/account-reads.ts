import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { apiKeyTable } from './api-key-table.ts';
import { keyUsageTable } from './key-usage-table.ts';
import { organisationTable } from './organisation-table.ts';

/** Gives `publish-events` access to organisations, their keys, and the use of keys in ApiKeys. */
export function accountReads(client: DynamoDBDocumentClient, tableName: string) {
  return {
    organisations: organisationTable(client, tableName),
    keys: apiKeyTable(client, tableName),
    usage: keyUsageTable(client, tableName),
  };
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { apiKeyTable } from './api-key-table.ts';
import { keyUsageTable } from './key-usage-table.ts';
import { organisationTable } from './organisation-table.ts';

/** Reads organisations, API keys and key usage from ApiKeys, for `publish-events`. */
export function accountReads(client: DynamoDBDocumentClient, tableName: string) {
  return {
    organisations: organisationTable(client, tableName),
    keys: apiKeyTable(client, tableName),
    usage: keyUsageTable(client, tableName),
  };
}

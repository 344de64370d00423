import { type DynamoDBDocumentClient, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { collectRows, wasApplied } from '../core/database.ts';
import { apiKeyKey, apiKeysPk } from '../core/keys.ts';
import { type ApiKey, apiKey } from './api-key.ts';

/** API keys in ApiKeys: `KEYS#<org>` / `KEY#<sha256>`. */
export interface ApiKeyTable {
  listApiKeys(organisationId: string): Promise<ApiKey[]>;
  /** Returns false if the key exists. */
  insertApiKey(row: ApiKey): Promise<boolean>;
  /** Revokes a key for good. Returns false if there is no such key. */
  revokeApiKey(key: ApiKey): Promise<boolean>;
  /** Lets a key expire at `notAfter` (ISO time). Returns false if there is no such key. */
  expireApiKey(key: ApiKey, notAfter: string): Promise<boolean>;
}

export function apiKeyTable(client: DynamoDBDocumentClient, tableName: string): ApiKeyTable {
  const set = (key: ApiKey, name: 'status' | 'notAfter', value: string) =>
    wasApplied(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: apiKeyKey(key.organisationId, key.hash),
          UpdateExpression: 'SET #name = :value',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': value },
        }),
      ),
    );
  return {
    async listApiKeys(organisationId) {
      const rows = await collectRows(
        paginateQuery(
          { client },
          {
            TableName: tableName,
            ConsistentRead: true,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': apiKeysPk(organisationId) },
          },
        ),
      );
      return rows.map((row) => v.parse(apiKey, row));
    },
    insertApiKey(row) {
      return wasApplied(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: { ...apiKeyKey(row.organisationId, row.hash), ...row },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },
    revokeApiKey: (key) => set(key, 'status', 'REVOKED'),
    expireApiKey: (key, notAfter) => set(key, 'notAfter', notAfter),
  };
}

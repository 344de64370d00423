import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { collectRows } from '../core/database.ts';
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

/** How many characters of a key's hash identify it in the audit trail and in the operator's lists. */
export const SHORT_HASH = 12;

/** `recorder` records changes. Without one, the table is only read, or its changes are not an operator's. */
export function apiKeyTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
): ApiKeyTable {
  const changeOf = ({ organisationId, env, hash }: ApiKey) => ({
    organisationId,
    target: `${env} key ${hash.slice(0, SHORT_HASH)}`,
  });
  const set = (key: ApiKey, name: 'status' | 'notAfter', value: string) => {
    const update = {
      TableName: tableName,
      Key: apiKeyKey(key.organisationId, key.hash),
      UpdateExpression: 'SET #name = :value',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    };
    const { label } = key;
    const change = {
      ...changeOf(key),
      before: { label, [name]: key[name] ?? null },
      after: { label, [name]: value },
    };
    return applyRecorded(client, [{ Update: update }], recorder.record(change));
  };
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
      const put = {
        TableName: tableName,
        Item: { ...apiKeyKey(row.organisationId, row.hash), ...row },
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const { organisationId: _, hash: __, ...after } = row;
      return applyRecorded(client, [{ Put: put }], recorder.record({ ...changeOf(row), after }));
    },
    revokeApiKey: (key) => set(key, 'status', 'REVOKED'),
    expireApiKey: (key, notAfter) => set(key, 'notAfter', notAfter),
  };
}

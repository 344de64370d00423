import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../core/database.ts';
import { type ApiKey, apiKey } from './api-key.ts';
import { apiKeyKey } from './api-key-table.ts';
import { type Organisation, organisation } from './organisation.ts';
import { organisationKey } from './organisation-table.ts';
import { rateKey } from './rate-limit-table.ts';

/** What one request needs to know of its caller, read from ApiKeys in one round trip. */
export interface Account {
  readonly key: ApiKey | undefined;
  readonly organisation: Organisation | undefined;
  /** Theoretical arrival time of the key's not-found class, epoch milliseconds; 0 where it never had one. */
  readonly notFoundTatMs: number;
}

export interface AccountTable {
  /** Strongly consistent and never cached: a revoked key is refused from the next request on (decision B4). */
  readAccount(organisationId: string, keyHash: string): Promise<Account>;
}

export function accountTable(client: DynamoDBDocumentClient, tableName: string): AccountTable {
  return {
    async readAccount(organisationId, keyHash) {
      const keys = [
        organisationKey(organisationId),
        apiKeyKey(organisationId, keyHash),
        rateKey(keyHash, 'not-found'),
      ] as const;
      const rows = await batchGet(client, tableName, keys);
      const [organisationRow, keyRow, limiterRow] = keys.map(({ sk }) =>
        rows.find((row) => row['sk'] === sk),
      );
      return {
        key: keyRow && v.parse(apiKey, keyRow),
        organisation: organisationRow && v.parse(organisation, organisationRow),
        notFoundTatMs: Number(limiterRow?.['tatMs'] ?? 0),
      };
    },
  };
}

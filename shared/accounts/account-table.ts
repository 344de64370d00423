import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row } from '../core/database.ts';
import { apiKeyKey, organisationKey, rateKey } from '../core/keys.ts';
import { type ApiKey, apiKey } from './api-key.ts';
import { type Organisation, organisation } from './organisation.ts';

/** What one request needs to know of its caller, read from ApiKeys in one round trip. */
export interface Account {
  readonly key: ApiKey | undefined;
  readonly organisation: Organisation | undefined;
  /** Theoretical arrival time of the key's not-found class, epoch milliseconds; 0 where it never had one. */
  readonly notFoundTatMs: number;
  /** The rows of the keys that were read along; a key without a row has none. */
  readonly besides: readonly Row[];
}

export interface AccountTable {
  /**
   * Strongly consistent and never cached: a revoked key is refused from the next request on (decision B4). `besides`
   * are keys of other rows of ApiKeys that the request needs, so that all come in one round trip.
   */
  readAccount(
    organisationId: string,
    keyHash: string,
    besides?: readonly { readonly pk: string; readonly sk: string }[],
  ): Promise<Account>;
}

export function accountTable(client: DynamoDBDocumentClient, tableName: string): AccountTable {
  return {
    async readAccount(organisationId, keyHash, besides = []) {
      const keys = [
        organisationKey(organisationId),
        apiKeyKey(organisationId, keyHash),
        rateKey(keyHash, 'not-found'),
      ] as const;
      const rows = await batchGet(client, tableName, [...keys, ...besides]);
      const [organisationRow, keyRow, limiterRow] = keys.map(({ sk }) =>
        rows.find((row) => row['sk'] === sk),
      );
      return {
        key: keyRow && v.parse(apiKey, keyRow),
        organisation: organisationRow && v.parse(organisation, organisationRow),
        notFoundTatMs: Number(limiterRow?.['tatMs'] ?? 0),
        besides: rows.filter((row) => besides.some(({ pk, sk }) => row['pk'] === pk && row['sk'] === sk)),
      };
    },
  };
}

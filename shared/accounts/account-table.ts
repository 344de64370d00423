import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row } from '../core/database.ts';
import { apiKeyKey, organisationKey, rateKey } from '../core/keys.ts';
import { type ApiKey, apiKey } from './api-key.ts';
import { type Organisation, organisation } from './organisation.ts';

/** What a request needs to know of its caller, read from ApiKeys in one round trip. */
export interface Account {
  readonly key: ApiKey | undefined;
  readonly organisation: Organisation | undefined;
  /** Theoretical arrival time of the key's not-found class, epoch milliseconds; 0 if there is no such row. */
  readonly notFoundTatMs: number;
  /** The rows found under `otherKeys`. */
  readonly otherRows: readonly Row[];
}

export interface AccountTable {
  /**
   * Reads strongly consistently and never from a cache, so a revoked key is rejected from its next request (decision
   * B4). `otherKeys` are further rows of ApiKeys that the request needs, read in the same round trip.
   */
  readAccount(
    organisationId: string,
    keyHash: string,
    otherKeys?: readonly { readonly pk: string; readonly sk: string }[],
  ): Promise<Account>;
}

export function accountTable(client: DynamoDBDocumentClient, tableName: string): AccountTable {
  return {
    async readAccount(organisationId, keyHash, otherKeys = []) {
      const keys = [
        organisationKey(organisationId),
        apiKeyKey(organisationId, keyHash),
        rateKey(keyHash, 'not-found'),
      ] as const;
      const rows = await batchGet(client, tableName, [...keys, ...otherKeys]);
      const [organisationRow, keyRow, limiterRow] = keys.map(({ sk }) =>
        rows.find((row) => row['sk'] === sk),
      );
      return {
        key: keyRow && v.parse(apiKey, keyRow),
        organisation: organisationRow && v.parse(organisation, organisationRow),
        notFoundTatMs: Number(limiterRow?.['tatMs'] ?? 0),
        otherRows: rows.filter((row) => otherKeys.some(({ pk, sk }) => row['pk'] === pk && row['sk'] === sk)),
      };
    },
  };
}

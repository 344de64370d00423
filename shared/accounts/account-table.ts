import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row } from '../core/database.ts';
import { apiKeyKey, limiterKey, organisationKey, organisationLimiterKey } from '../core/keys.ts';
import { type ApiKey, type ApiKeyText, apiKey } from './api-key.ts';
import { type Organisation, organisation } from './organisation.ts';

/** The limiter's rows of a key and of its organisation; empty if there are none. */
export interface LimiterRows {
  readonly key: Row;
  readonly organisation: Row;
}

/** What a request needs to know of its caller, read from ApiKeys in one round trip. */
export interface Account {
  readonly key: ApiKey | undefined;
  readonly organisation: Organisation | undefined;
  readonly limits: LimiterRows;
  /** The rows found under `otherKeys`. */
  readonly otherRows: readonly Row[];
}

export interface AccountTable {
  /**
   * Reads strongly consistently and never from a cache, so a revoked key is rejected from its next request (decision
   * B4). `otherKeys` are further rows of ApiKeys that the request needs, read in the same round trip.
   */
  readAccount(
    key: ApiKeyText,
    otherKeys?: readonly { readonly pk: string; readonly sk: string }[],
  ): Promise<Account>;
}

export function accountTable(client: DynamoDBDocumentClient, tableName: string): AccountTable {
  return {
    async readAccount({ env, organisationId, hash }, otherKeys = []) {
      const keys = [
        organisationKey(organisationId),
        apiKeyKey(organisationId, hash),
        limiterKey(hash),
        organisationLimiterKey({ env, organisationId }),
      ] as const;
      const rows = await batchGet(client, tableName, [...keys, ...otherKeys]);
      const [organisationRow, keyRow, keyLimits = {}, organisationLimits = {}] = keys.map(({ sk }) =>
        rows.find((row) => row['sk'] === sk),
      );
      return {
        key: keyRow && v.parse(apiKey, keyRow),
        organisation: organisationRow && v.parse(organisation, organisationRow),
        limits: { key: keyLimits, organisation: organisationLimits },
        otherRows: rows.filter((row) => otherKeys.some(({ pk, sk }) => row['pk'] === pk && row['sk'] === sk)),
      };
    },
  };
}

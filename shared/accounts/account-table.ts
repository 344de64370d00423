import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGetWithSpare, type Row } from '../core/database.ts';
import { apiKeyKey, limiterKey, organisationKey, organisationLimiterKey, type RowKey } from '../core/keys.ts';
import { type ApiKey, type ApiKeyText, apiKey } from './api-key.ts';
import { type Organisation, organisation } from './organisation.ts';

export interface LimiterRows {
  readonly key: Row;
  readonly organisation: Row;
}

/** What a request needs to know about its caller, read from ApiKeys in one round trip. */
export interface Account {
  readonly key: ApiKey | undefined;
  readonly organisation: Organisation | undefined;
  readonly limits: LimiterRows;
  readonly otherRows: readonly Row[];
  /** The keys of the spare rows of `others` that DynamoDB left out, because it throttled their reads. */
  readonly leftOut: readonly RowKey[];
}

export interface OtherRows {
  readonly required: readonly RowKey[];
  readonly spare: readonly RowKey[];
}

export type AccountTable = ReturnType<typeof accountTable>;

const NO_OTHERS: OtherRows = { required: [], spare: [] };

export function accountTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /**
     * Every read is strongly consistent and none is cached, so a revoked key is rejected from its next request
     * (contract B4). `others` are further rows of ApiKeys to read in the same round trip: those that the request
     * requires, and spare ones that it can do without.
     */
    async readAccount(
      { env, organisationId, hash }: ApiKeyText,
      { required, spare } = NO_OTHERS,
    ): Promise<Account> {
      const keys = [
        organisationKey(organisationId),
        apiKeyKey(organisationId, hash),
        limiterKey(hash),
        organisationLimiterKey({ env, organisationId }),
      ] as const;
      const all = { required: [...keys, ...required], spare };
      const { rows, leftOut } = await batchGetWithSpare(client, tableName, all);
      const others = [...required, ...spare];
      const [organisationRow, keyRow, keyLimits = {}, organisationLimits = {}] = keys.map(({ sk }) =>
        rows.find((row) => row['sk'] === sk),
      );
      return {
        key: keyRow && v.parse(apiKey, keyRow),
        organisation: organisationRow && v.parse(organisation, organisationRow),
        limits: { key: keyLimits, organisation: organisationLimits },
        otherRows: rows.filter((row) => others.some(({ pk, sk }) => row['pk'] === pk && row['sk'] === sk)),
        leftOut,
      };
    },
  };
}

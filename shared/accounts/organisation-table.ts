import { type DynamoDBDocumentClient, GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, collectRows, wasApplied } from '../core/database.ts';
import { ORGANISATION_SORT, organisationKey } from '../core/keys.ts';
import { type Organisation, organisation } from './organisation.ts';

/** Organisations in ApiKeys: `ORG#<org>` / `ORG`. */
export interface OrganisationTable {
  getOrganisation(id: string): Promise<Organisation | undefined>;
  /** The organisations that exist among these ids, in any order. */
  getOrganisations(ids: readonly string[]): Promise<Organisation[]>;
  /** Every organisation, for the operator's list and the reconciler. A scan. */
  listOrganisations(): Promise<Organisation[]>;
  /** Returns false if the id is taken. */
  insertOrganisation(row: Organisation): Promise<boolean>;
  /** Replaces the row if its version is still `row.version`, and increments it. Returns false if it was changed. */
  replaceOrganisation(row: Organisation): Promise<boolean>;
}

export function organisationTable(client: DynamoDBDocumentClient, tableName: string): OrganisationTable {
  return {
    async getOrganisation(id) {
      const answer = await client.send(
        new GetCommand({ TableName: tableName, Key: organisationKey(id), ConsistentRead: true }),
      );
      return answer.Item && v.parse(organisation, answer.Item);
    },
    async getOrganisations(ids) {
      const rows = await batchGet(client, tableName, ids.map(organisationKey));
      return rows.map((row) => v.parse(organisation, row));
    },
    async listOrganisations() {
      const rows = await collectRows(
        paginateScan(
          { client },
          {
            TableName: tableName,
            ConsistentRead: true,
            FilterExpression: 'sk = :sk',
            ExpressionAttributeValues: { ':sk': ORGANISATION_SORT },
          },
        ),
      );
      return rows.map((row) => v.parse(organisation, row));
    },
    insertOrganisation(row) {
      return wasApplied(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: { ...organisationKey(row.id), ...row },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },
    replaceOrganisation(row) {
      return wasApplied(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: { ...organisationKey(row.id), ...row, version: row.version + 1 },
            ConditionExpression: 'version = :version',
            ExpressionAttributeValues: { ':version': row.version },
          }),
        ),
      );
    },
  };
}

import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, paginateQuery, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import { collectRows, type Row } from '../../../shared/core/database.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import { logPk, type WalletId } from '../../../shared/core/keys.ts';
import { canonicalNumber, numberFormat } from '../../../shared/core/numbers.ts';
import { numberTags } from '../../../shared/verifications/number-tag.ts';
import type { Deployment } from '../deployment.ts';
import { requireOrganisation } from './organisations.ts';

/** Operations that data protection law requires (docs/data-protection.md). */
export function privacyOperations(organisations: OrganisationTable, { client, tables, pepper }: Deployment) {
  return {
    /**
     * Anonymises all log rows of one person's number in one organisation, under the current pepper and the previous
     * one. The rows remain for accounting. Running it again is harmless.
     */
    async erasePerson(scope: WalletId, idType: IdType, text: string): Promise<{ erased: number }> {
      await requireOrganisation(organisations, scope.organisationId);
      const number = canonicalNumber(idType, text);
      // The message does not repeat the number: terminals keep their output.
      if (number === undefined)
        throw new Error(
          `The file does not contain a valid ${idType}. It must contain ${numberFormat(idType).text}.`,
        );
      let erased = 0;
      for (const numberTag of numberTags(await pepper(), scope, idType, number)) {
        for (const row of await rowsOf(client, tables.verificationLogs, logPk(scope, numberTag))) {
          await anonymise(client, tables.verificationLogs, scope, row);
          erased += 1;
        }
      }
      return { erased };
    },
  };
}

/** Reads all rows of a number tag, also expired ones. Strongly consistent. */
function rowsOf(client: DynamoDBDocumentClient, tableName: string, pk: string): Promise<Row[]> {
  return collectRows(
    paginateQuery(
      { client },
      {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      },
    ),
  );
}

const TAG_BYTES = 16;

/** Moves a log row to a random tag, and drops the references that the caller supplied. */
async function anonymise(
  client: DynamoDBDocumentClient,
  tableName: string,
  scope: WalletId,
  { pk, consent: _consent, reason: _reason, ...row }: Row,
): Promise<void> {
  // Each row gets its own tag, so that rows about the same person cannot be linked afterwards.
  const newPk = logPk(scope, `erased.${randomBytes(TAG_BYTES).toString('base64url')}`);
  const put = {
    TableName: tableName,
    Item: { ...row, pk: newPk },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  const remove = {
    TableName: tableName,
    Key: { pk, sk: row['sk'] },
    ConditionExpression: 'attribute_exists(pk)',
  };
  await client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }, { Delete: remove }] }));
}

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_MS } from '../core/clock.ts';
import { collectRows, wasApplied } from '../core/database.ts';
import { numberLookUpKey, profileChecksKey } from '../core/keys.ts';
import { type NumberLookUp, numberLookUp } from '../members/rows.ts';

/** Identifies a look-up. A request looks up a number only once. */
interface NumberLookUpRef {
  readonly organisationId: string;
  readonly numberTag: string;
  readonly requestId: string;
}

/**
 * Look-ups of the numbers in profiles, in Console: `LOOKUPS#<org>` / `<number tag>#<request ID>`, and how many were made
 * on a day: `PERSON#<person>` / `CHECKS#<day>`, or for the stage `ORG#STAGE` / `CHECKS#<day>`.
 */
export type NumberLookUpTable = ReturnType<typeof numberLookUpTable>;

/** The row of a day's look-ups is deleted this long after the day began. */
const CHECKS_KEPT_MS = 7 * DAY_MS;

export function numberLookUpTable(client: DynamoDBDocumentClient, tableName: string) {
  const rowsOf = async (organisationId: string, numberTag: string) => {
    const { pk, sk } = numberLookUpKey(organisationId, numberTag, '');
    const query = {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :tag)',
      ExpressionAttributeValues: { ':pk': pk, ':tag': sk },
    };
    const rows = await collectRows(paginateQuery({ client }, query));
    return rows.map((row) => ({ numberTag, row: v.parse(numberLookUp, row) }));
  };
  const rowsOfAll = async (organisationId: string, numberTags: readonly string[]) =>
    (await Promise.all(numberTags.map((tag) => rowsOf(organisationId, tag)))).flat();
  return {
    /**
     * Counts `count` look-ups on this day (`yyyy-mm-dd`, UTC) for a person, or for the stage if `personId` is
     * undefined. Returns false if the total would exceed `most`.
     */
    takeChecks(personId: string | undefined, day: string, count: number, most: number) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: profileChecksKey(personId, day),
        UpdateExpression: 'SET expiresAt = :expiresAt ADD used :count',
        ConditionExpression: 'attribute_not_exists(used) OR used <= :left',
        ExpressionAttributeValues: {
          ':count': count,
          ':left': most - count,
          ':expiresAt': Math.ceil((Date.parse(day) + CHECKS_KEPT_MS) / 1000),
        },
      });
      return wasApplied(client.send(command));
    },
    /** Returns false if the row exists, because a call whose response was lost had written it. */
    insertLookUp({ organisationId, numberTag, requestId }: NumberLookUpRef, row: NumberLookUp) {
      const command = new PutCommand({
        TableName: tableName,
        Item: { ...numberLookUpKey(organisationId, numberTag, requestId), ...row },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return wasApplied(client.send(command));
    },
    /** Stores how a look-up ended, unless it has been erased in the meantime. */
    setResult({ organisationId, numberTag, requestId }: NumberLookUpRef, result: NumberLookUp['result']) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: numberLookUpKey(organisationId, numberTag, requestId),
        UpdateExpression: 'SET #result = :result',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#result': 'result' },
        ExpressionAttributeValues: { ':result': result },
      });
      return wasApplied(client.send(command));
    },
    /** Returns an organisation's look-ups of one number, oldest first. Expired ones count as deleted. */
    async lookUpsOf(
      organisationId: string,
      numberTags: readonly string[],
      nowMs: number,
    ): Promise<NumberLookUp[]> {
      const rows = (await rowsOfAll(organisationId, numberTags)).map(({ row }) => row);
      return rows
        .filter(({ expiresAt }) => expiresAt > nowMs / 1000)
        .sort((a, b) => a.lookedUpAt.localeCompare(b.lookedUpAt));
    },
    /** Deletes an organisation's look-ups of one number, which only operators may. Returns how many there were. */
    async deleteLookUps(organisationId: string, numberTags: readonly string[]): Promise<number> {
      const rows = await rowsOfAll(organisationId, numberTags);
      const deletions = rows.map(({ numberTag, row }) => {
        const Key = numberLookUpKey(organisationId, numberTag, row.requestId);
        const remove = { TableName: tableName, Key, ConditionExpression: 'attribute_exists(pk)' };
        return wasApplied(client.send(new DeleteCommand(remove)));
      });
      return (await Promise.all(deletions)).filter(Boolean).length;
    },
  };
}

import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { everyPage, wasApplied } from '../core/database.ts';
import type { Told } from './event.ts';

/** What was told last of each subject, in ApiKeys: `EVENTS` / `<subject>`. */
export interface ToldTable {
  listTold(): Promise<Told[]>;
  /** Notes what was told now. False where another run has told something since `seen`. */
  noteTold(next: Told, seen: Told | undefined): Promise<boolean>;
}

const EVENTS = 'EVENTS';
/** Long after anybody could still wait for the other half of an event. */
const KEPT_SECONDS = 400 * 24 * 3600;

const toldRow = v.object({
  sk: v.string(),
  state: v.picklist(['normal', 'down', 'low', 'empty', 'expiring']),
  toldAtMs: v.number(),
});

export function toldTable(client: DynamoDBDocumentClient, tableName: string): ToldTable {
  return {
    async listTold() {
      const rows = await everyPage((start) =>
        client.send(
          new QueryCommand({
            TableName: tableName,
            ConsistentRead: true,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': EVENTS },
            ExclusiveStartKey: start,
          }),
        ),
      );
      return rows.map((row) => {
        const { sk, ...told } = v.parse(toldRow, row);
        return { subject: sk, ...told };
      });
    },
    noteTold({ subject, state, toldAtMs }, seen) {
      const expiresAt = Math.floor(toldAtMs / 1000) + KEPT_SECONDS;
      const values = { ':state': state, ':now': toldAtMs, ':expiresAt': expiresAt };
      return wasApplied(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: { pk: EVENTS, sk: subject },
            UpdateExpression: 'SET #state = :state, toldAtMs = :now, expiresAt = :expiresAt',
            ConditionExpression: seen ? 'toldAtMs = :seen' : 'attribute_not_exists(pk)',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ...values, ...(seen && { ':seen': seen.toldAtMs }) },
          }),
        ),
      );
    },
  };
}

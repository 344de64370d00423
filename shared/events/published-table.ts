import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_SECONDS } from '../core/clock.ts';
import { collectRows, wasApplied } from '../core/database.ts';
import { EVENTS_PK } from '../core/keys.ts';
import { type PublishedState, STATES } from './event.ts';

/** The last published state of each subject, in ApiKeys under `EVENTS_PK` / `<subject>`. */
export type PublishedTable = ReturnType<typeof publishedTable>;

/** How long a state is kept. If it lasts longer, its event is sent again. */
const RETENTION_SECONDS = 400 * DAY_SECONDS;

const publishedRow = v.object({
  sk: v.string(),
  state: v.picklist(STATES),
  publishedAtMs: v.number(),
});

export function publishedTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async listPublished(): Promise<PublishedState[]> {
      const rows = await collectRows(
        paginateQuery(
          { client },
          {
            TableName: tableName,
            ConsistentRead: true,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': EVENTS_PK },
          },
        ),
      );
      return rows.map((row) => {
        const { sk, ...published } = v.parse(publishedRow, row);
        return { subject: sk, ...published };
      });
    },
    /** Records a published state. Returns false if another run has recorded one since `seen`. */
    recordPublished({ subject, state, publishedAtMs }: PublishedState, seen: PublishedState | undefined) {
      const expiresAt = Math.floor(publishedAtMs / 1000) + RETENTION_SECONDS;
      const values = { ':state': state, ':now': publishedAtMs, ':expiresAt': expiresAt };
      return wasApplied(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: { pk: EVENTS_PK, sk: subject },
            UpdateExpression: 'SET #state = :state, publishedAtMs = :now, expiresAt = :expiresAt',
            ConditionExpression: seen ? 'publishedAtMs = :seen' : 'attribute_not_exists(pk)',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ...values, ...(seen && { ':seen': seen.publishedAtMs }) },
          }),
        ),
      );
    },
  };
}

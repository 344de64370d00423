import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { wasApplied } from '../core/database.ts';
import { sessionKey } from '../core/keys.ts';
import type { Session } from './rows.ts';

/** Sessions in Console: `SESSION#<hash>` / `SESSION`. The row of an ended session is not deleted: it expires. */
export type SessionTable = ReturnType<typeof sessionTable>;

export function sessionTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async insertSession(hash: string, row: Session) {
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: { ...sessionKey(hash), ...row },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },
    /** Sets the time of last use (ISO), unless the session has been ended or has a later time. */
    async useSession(hash: string, usedAt: string) {
      await wasApplied(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: sessionKey(hash),
            UpdateExpression: 'SET usedAt = :usedAt',
            ConditionExpression: 'usedAt < :usedAt AND attribute_not_exists(endedAt)',
            ExpressionAttributeValues: { ':usedAt': usedAt },
          }),
        ),
      );
    },
    /** Ends a session, and deletes its token. Returns false if there is no such session, or if it has already ended. */
    endSession(hash: string, endedAt: string) {
      return wasApplied(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: sessionKey(hash),
            UpdateExpression: 'SET endedAt = :endedAt REMOVE idToken',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(endedAt)',
            ExpressionAttributeValues: { ':endedAt': endedAt },
          }),
        ),
      );
    },
  };
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { wasApplied } from '../core/database.ts';
import { ABSENT, change, put, sendWrite, update, where } from '../core/expressions.ts';
import { sessionKey } from '../core/keys.ts';
import type { Session } from './rows.ts';

/** Sessions in Console: `SESSION#<hash>` / `SESSION`. The row of an ended session is not deleted: it expires. */
export type SessionTable = ReturnType<typeof sessionTable>;

export function sessionTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    insertSession: (hash: string, row: Session) =>
      sendWrite(client, put(tableName, { ...sessionKey(hash), ...row }, ABSENT)),
    /** Sets the time of last use (ISO), unless the session has been ended or has a later time. */
    async useSession(hash: string, usedAt: string) {
      const isEarlier = where`usedAt < ${usedAt} AND attribute_not_exists(endedAt)`;
      const write = update(tableName, sessionKey(hash), change`SET usedAt = ${usedAt}`, isEarlier);
      await wasApplied(sendWrite(client, write));
    },
    /** Ends a session, and deletes its token. Returns false if there is no such session, or if it has already ended. */
    endSession(hash: string, endedAt: string) {
      const write = update(
        tableName,
        sessionKey(hash),
        change`SET endedAt = ${endedAt} REMOVE idToken`,
        where`attribute_exists(pk) AND attribute_not_exists(endedAt)`,
      );
      return wasApplied(sendWrite(client, write));
    },
  };
}

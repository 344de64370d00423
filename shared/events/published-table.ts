import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_SECONDS } from '../core/clock.ts';
import { wasApplied } from '../core/database.ts';
import { ABSENT, changeTo, listRows, query, sendWrite, update, where } from '../core/expressions.ts';
import { EVENTS_PK } from '../core/keys.ts';
import { type PublishedState, STATES } from './event.ts';

/** In ApiKeys under `EVENTS_PK` / `<subject>`. */
export type PublishedTable = ReturnType<typeof publishedTable>;

/** If a state lasts longer, its event is sent again. */
const RETENTION_SECONDS = 400 * DAY_SECONDS;

export const publishedRow = v.object({
  sk: v.string(),
  state: v.picklist(STATES),
  publishedAtMs: v.number(),
});

export function publishedTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async listPublished(): Promise<PublishedState[]> {
      const rows = await listRows(client, publishedRow, query(tableName, where`pk = ${EVENTS_PK}`));
      return rows.map(({ sk, ...published }) => ({ subject: sk, ...published }));
    },
    /** Returns false if another run has recorded one since `seen`. */
    recordPublished({ subject, state, publishedAtMs }: PublishedState, seen: PublishedState | undefined) {
      const expiresAt = Math.floor(publishedAtMs / 1000) + RETENTION_SECONDS;
      const write = update(
        tableName,
        { pk: EVENTS_PK, sk: subject },
        changeTo({ state, publishedAtMs, expiresAt }),
        seen ? where`publishedAtMs = ${seen.publishedAtMs}` : ABSENT,
      );
      return wasApplied(sendWrite(client, write));
    },
  };
}

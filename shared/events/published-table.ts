import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_SECONDS } from '../core/clock.ts';
import { getRow, wasApplied } from '../core/database.ts';
import { ABSENT, change, changeTo, listRows, query, sendWrite, update, where } from '../core/expressions.ts';
import { EVENTS_PK } from '../core/keys.ts';
import { type PublishedState, type PublishedWallet, type ServiceEvent, STATES } from './event.ts';

/** In ApiKeys under `EVENTS_PK` / `<subject>`. */
export type PublishedTable = ReturnType<typeof publishedTable>;

/** If a state lasts longer, its event is sent again. */
const RETENTION_SECONDS = 400 * DAY_SECONDS;

export const publishedRow = v.object({
  sk: v.string(),
  state: v.picklist(STATES),
  publishedAtMs: v.number(),
  /** Of wallets: the number of the last event. */
  sequence: v.optional(v.number()),
  /** Of wallets: events that may not be sent yet. */
  unsent: v.optional(v.array(v.custom<ServiceEvent>((value) => typeof Object(value).id === 'string'))),
});

const FIRST: v.InferOutput<typeof publishedRow> = { sk: '', state: 'normal', publishedAtMs: 0 };

export function publishedTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async listPublished(): Promise<PublishedState[]> {
      const rows = await listRows(client, publishedRow, query(tableName, where`pk = ${EVENTS_PK}`));
      return rows.map(({ sk, ...published }) => ({ subject: sk, ...published }));
    },
    async getWallet(subject: string): Promise<PublishedWallet> {
      const row = await getRow(client, tableName, { pk: EVENTS_PK, sk: subject });
      const { state, publishedAtMs, sequence = 0, unsent = [] } = row ? v.parse(publishedRow, row) : FIRST;
      return { subject, state, publishedAtMs, sequence, unsent };
    },
    /** Returns false if another run has stored one since `seen`. */
    storeWallet({ subject, unsent, ...changed }: PublishedWallet, { publishedAtMs }: PublishedWallet) {
      const key = { pk: EVENTS_PK, sk: subject };
      const isUnchanged = publishedAtMs > 0 ? where`publishedAtMs = ${publishedAtMs}` : ABSENT;
      const events = unsent.length > 0 ? unsent : undefined;
      const changes = changeTo({ ...changed, unsent: events, expiresAt: undefined });
      return wasApplied(sendWrite(client, update(tableName, key, changes, isUnchanged)));
    },
    /** Does nothing if another run has stored others. */
    async markSent({ subject, publishedAtMs }: PublishedWallet): Promise<void> {
      const key = { pk: EVENTS_PK, sk: subject };
      const isUnchanged = where`publishedAtMs = ${publishedAtMs}`;
      await wasApplied(sendWrite(client, update(tableName, key, change`REMOVE unsent`, isUnchanged)));
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

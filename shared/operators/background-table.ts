import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_MS } from '../core/clock.ts';
import {
  ABSENT,
  attribute,
  change,
  joined,
  put,
  readRow,
  rowUpdate,
  sendWrite,
  update,
  where,
} from '../core/expressions.ts';
import { backgroundKey } from '../core/keys.ts';

const KEPT_MS = 7 * DAY_MS;

/** An operator's change that continues after the response to its request. */
export const backgroundChange = v.object({
  /** A ULID, which is also the `commandId` of the change in the audit trail. */
  id: v.string(),
  action: v.string(),
  actor: v.string(),
  state: v.picklist(['RUNNING', 'DONE', 'FAILED']),
  updatedAtMs: v.number(),
  /** How often its function began to make it, without an end. */
  attempts: v.optional(v.number(), 0),
  /** How far the change has progressed. What it contains depends on the action. */
  progress: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  /** Why the change failed, for the operator. */
  problem: v.optional(v.string()),
  /** When the row may be deleted, in epoch seconds. */
  expiresAt: v.number(),
});
export type BackgroundChange = v.InferOutput<typeof backgroundChange>;

const IS_RUNNING = where`state = ${'RUNNING'}`;

/** The changes in the background, in Approvals: `BACKGROUND#<id>` / `BACKGROUND`. */
export function backgroundTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async insert(begun: Pick<BackgroundChange, 'id' | 'action' | 'actor'>, nowMs: number): Promise<void> {
      const expiresAt = Math.ceil((nowMs + KEPT_MS) / 1000);
      const row = { ...backgroundKey(begun.id), ...begun, state: 'RUNNING', updatedAtMs: nowMs, expiresAt };
      await sendWrite(client, put(tableName, row, ABSENT));
    },
    get: (id: string): Promise<BackgroundChange | undefined> =>
      readRow(client, backgroundChange, tableName, backgroundKey(id)),
    /** Counts an attempt to make a change that is still running. Returns how many there were, including this one. */
    async begin(id: string): Promise<number> {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: backgroundKey(id),
          ...rowUpdate(change`ADD attempts ${1}`, IS_RUNNING),
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return Number(Attributes?.['attempts']);
    },
    /** Sets the given attributes of a change that is still running. */
    async update(
      id: string,
      values: Partial<Pick<BackgroundChange, 'state' | 'progress' | 'result' | 'problem'>>,
      nowMs: number,
    ): Promise<void> {
      const given = Object.entries({ ...values, updatedAtMs: nowMs }).filter(
        ([, value]) => value !== undefined,
      );
      const changed = change`SET ${joined(given.map(([name, value]) => change`${attribute(name)} = ${value}`))}`;
      await sendWrite(client, update(tableName, backgroundKey(id), changed, IS_RUNNING));
    },
  };
}
export type BackgroundTable = ReturnType<typeof backgroundTable>;

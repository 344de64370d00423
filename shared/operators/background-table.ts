import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_MS } from '../core/clock.ts';
import { backgroundKey } from '../core/keys.ts';

const KEPT_MS = 7 * DAY_MS;

/** An operator's change that continues after the response to its request. */
const backgroundChange = v.object({
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

/** The changes in the background, in Approvals: `BACKGROUND#<id>` / `BACKGROUND`. */
export function backgroundTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async insert(change: Pick<BackgroundChange, 'id' | 'action' | 'actor'>, nowMs: number): Promise<void> {
      const expiresAt = Math.ceil((nowMs + KEPT_MS) / 1000);
      const Item = {
        ...backgroundKey(change.id),
        ...change,
        state: 'RUNNING',
        updatedAtMs: nowMs,
        expiresAt,
      };
      await client.send(
        new PutCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
    },
    async get(id: string): Promise<BackgroundChange | undefined> {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: backgroundKey(id), ConsistentRead: true }),
      );
      return Item && v.parse(backgroundChange, Item);
    },
    /** Counts an attempt to make a change that is still running. Returns how many there were, including this one. */
    async begin(id: string): Promise<number> {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: backgroundKey(id),
          UpdateExpression: 'ADD attempts :one',
          ConditionExpression: '#state = :running',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':one': 1, ':running': 'RUNNING' },
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
      const all = Object.entries({ ...values, updatedAtMs: nowMs }).filter(
        ([, value]) => value !== undefined,
      );
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: backgroundKey(id),
          UpdateExpression: `SET ${all.map(([name]) => `#${name} = :${name}`).join(', ')}`,
          ConditionExpression: '#state = :running',
          ExpressionAttributeNames: Object.fromEntries(
            [...all.map(([name]) => name), 'state'].map((name) => [`#${name}`, name]),
          ),
          ExpressionAttributeValues: {
            ...Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
            ':running': 'RUNNING',
          },
        }),
      );
    },
  };
}
export type BackgroundTable = ReturnType<typeof backgroundTable>;

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type RowUpdate, updateRow } from '../core/database.ts';
import { slipTriesKey } from '../core/keys.ts';
import { firstTry, nextTry, nextTryAt, tryTakenBack } from './tries.ts';

/** A row can expire between the two updates of a try. */
const ROUNDS = 2;

export type Try =
  | { readonly isAllowed: true }
  /** `nextAt`: when the next try is allowed. */
  | { readonly isAllowed: false; readonly nextAt: Date };

/**
 * The tries to guess the details on a slip, in ApiKeys: one row for each token with such tries. The row contains no
 * identity data, and its key does not reveal the token. It expires when all tries are available again.
 */
export interface TriesTable {
  /** Counts a try before it is checked, so that concurrent tries cannot exceed the limit. */
  take(tries: string, nowMs: number): Promise<Try>;
  /** Takes back a try that matched, because the details were not a guess. */
  giveBack(tries: string, nowMs: number): Promise<void>;
}

export function triesTable(client: DynamoDBDocumentClient, tableName: string): TriesTable {
  const send = (tries: string, update: RowUpdate) =>
    updateRow(client, tableName, slipTriesKey(tries), update);
  return {
    async take(tries, nowMs) {
      for (let round = 0; round < ROUNDS; round += 1) {
        if ((await send(tries, firstTry(nowMs))).isApplied) return { isAllowed: true };
        const { isApplied, row } = await send(tries, nextTry(nowMs));
        if (isApplied) return { isAllowed: true };
        const nextAt = nextTryAt(row, nowMs);
        if (nextAt !== undefined) return { isAllowed: false, nextAt };
      }
      throw new Error('The row of tries changed with each update.');
    },
    async giveBack(tries, nowMs) {
      await send(tries, tryTakenBack(nowMs));
    },
  };
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type RowUpdate, updateRow } from '../core/database.ts';
import { slipAttemptsKey } from '../core/keys.ts';
import { attemptTakenBack, firstAttempt, nextAttempt, nextAttemptAt } from './attempts.ts';

/** A row can expire between the two updates of an attempt. */
const ROUNDS = 2;

type Attempt =
  | { readonly isAllowed: true }
  /** `nextAt`: when the next attempt is allowed. */
  | { readonly isAllowed: false; readonly nextAt: Date };

/**
 * The attempts to guess the details on a slip, in ApiKeys: one row for each token with such attempts. The row contains
 * no identity data, and its key does not reveal the token. It expires when all attempts are available again.
 */
export type AttemptsTable = ReturnType<typeof attemptsTable>;

export function attemptsTable(client: DynamoDBDocumentClient, tableName: string) {
  const send = (name: string, update: RowUpdate) =>
    updateRow(client, tableName, slipAttemptsKey(name), update);
  return {
    /** Counts an attempt before the details are checked, so that concurrent attempts cannot exceed the limit. */
    async take(name: string, nowMs: number): Promise<Attempt> {
      for (let round = 0; round < ROUNDS; round += 1) {
        if ((await send(name, firstAttempt(nowMs))).isApplied) return { isAllowed: true };
        const { isApplied, row } = await send(name, nextAttempt(nowMs));
        if (isApplied) return { isAllowed: true };
        const nextAt = nextAttemptAt(row, nowMs);
        if (nextAt !== undefined) return { isAllowed: false, nextAt };
      }
      throw new Error('The row of attempts kept changing between updates.');
    },
    /** Takes back an attempt that matched, because the details were not a guess. */
    async giveBack(name: string, nowMs: number) {
      await send(name, attemptTakenBack(nowMs));
    },
  };
}

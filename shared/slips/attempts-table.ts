import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../core/clock.ts';
import { type Row, updateRow } from '../core/database.ts';
import { change, changeTo, type Expression, rowUpdate, where } from '../core/expressions.ts';
import { slipAttemptsKey } from '../core/keys.ts';

/** After this many attempts that do not match, a token gets another attempt every ATTEMPT_MS. */
const FREE_ATTEMPTS = 10;
const ATTEMPT_MS = 7 * DAY_MS;
const FREE_MS = (FREE_ATTEMPTS - 1) * ATTEMPT_MS;
/** A row can expire between the two updates of an attempt. */
const ROUNDS = 2;
const seconds = (ms: number) => Math.ceil(ms / 1000);

type Attempt = { readonly isAllowed: true } | { readonly isAllowed: false; readonly nextAt: Date };

/**
 * The attempts to guess the details on a slip, in ApiKeys: one row for each token with such attempts. The row contains
 * no identity data, and its key does not reveal the token. It expires when all attempts are available again.
 */
export type AttemptsTable = ReturnType<typeof attemptsTable>;

export function attemptsTable(client: DynamoDBDocumentClient, tableName: string) {
  const send = (name: string, changed: Expression, condition: Expression) =>
    updateRow(client, tableName, slipAttemptsKey(name), rowUpdate(changed, condition));
  return {
    /** Counts an attempt before the details are checked, so that concurrent attempts cannot exceed the limit. */
    async take(name: string, nowMs: number): Promise<Attempt> {
      const usedUntilMs = nowMs + ATTEMPT_MS;
      for (let round = 0; round < ROUNDS; round += 1) {
        const first = await send(
          name,
          changeTo({ usedUntilMs, expiresAt: seconds(usedUntilMs) }),
          where`attribute_not_exists(pk) OR usedUntilMs <= ${nowMs}`,
        );
        if (first.isApplied) return { isAllowed: true };
        const { isApplied, row } = await send(
          name,
          change`SET usedUntilMs = usedUntilMs + ${ATTEMPT_MS}, expiresAt = expiresAt + ${seconds(ATTEMPT_MS)}`,
          where`usedUntilMs > ${nowMs} AND usedUntilMs <= ${nowMs + FREE_MS}`,
        );
        if (isApplied) return { isAllowed: true };
        const nextAt = nextAttemptAt(row, nowMs);
        if (nextAt !== undefined) return { isAllowed: false, nextAt };
      }
      throw new Error('The row of attempts kept changing between updates.');
    },
    /**
     * Takes back an attempt that matched, because the details were not a guess. A row that has expired in the meantime
     * has nothing to take back.
     */
    async giveBack(name: string, nowMs: number) {
      await send(
        name,
        change`SET usedUntilMs = usedUntilMs - ${ATTEMPT_MS}, expiresAt = expiresAt - ${seconds(ATTEMPT_MS)}`,
        where`usedUntilMs > ${nowMs}`,
      );
    },
  };
}

/**
 * For a token without remaining attempts, returns when the next attempt is permitted. Undefined if the token has all
 * its attempts.
 */
function nextAttemptAt(row: Row, nowMs: number): Date | undefined {
  const usedUntilMs = Number(row['usedUntilMs'] ?? 0);
  return usedUntilMs > nowMs ? new Date(usedUntilMs - FREE_MS) : undefined;
}

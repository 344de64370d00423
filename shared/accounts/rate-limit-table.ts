import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refusedRow } from '../core/database.ts';
import { rateKey } from '../core/keys.ts';
import type { RateLimit } from './organisation.ts';
import { describe, intervalMs, isCorrupt, isWithin, type RateDecision, toleranceMs } from './rate-limit.ts';

/**
 * The limiter's rows in ApiKeys: `RATE#<key hash>` / class. A condition can neither add nor take a maximum, so the
 * two cases of GCRA are two conditional updates, and the row that refused one says whether to try the other.
 */
export type RateClass = 'requests' | 'not-found';

export interface RateLimitTable {
  /**
   * Takes one place. At most one successful write; a flood is refused from memory without a call. The clock is read
   * again where the first reading is refused: a call that was held up must not be taken for a flood.
   */
  take(keyHash: string, rateClass: RateClass, limit: RateLimit, clock: () => number): Promise<RateDecision>;
}

const TRIES = 4;

export function rateLimitTable(client: DynamoDBDocumentClient, tableName: string): RateLimitTable {
  /** The last TAT seen of each row. It only ever grows, so what it refuses the table would refuse too. */
  const lastTatMs = new Map<string, number>();

  /** One conditional update. Returns the TAT that stands after it, and whether ours was the one that set it. */
  async function update(key: ReturnType<typeof rateKey>, busy: boolean, limit: RateLimit, nowMs: number) {
    const values = { ':step': intervalMs(limit), ':now': nowMs };
    const corrupt = nowMs + 2 * limit.burst * intervalMs(limit);
    const command = busy
      ? {
          UpdateExpression: 'SET tatMs = tatMs + :step',
          ConditionExpression: 'tatMs > :now AND tatMs <= :latest',
          ExpressionAttributeValues: { ...values, ':latest': nowMs + toleranceMs(limit) },
        }
      : {
          UpdateExpression: 'SET tatMs = :next',
          ConditionExpression: 'attribute_not_exists(tatMs) OR tatMs <= :now OR tatMs > :corrupt',
          ExpressionAttributeValues: {
            ':now': nowMs,
            ':next': nowMs + intervalMs(limit),
            ':corrupt': corrupt,
          },
        };
    try {
      const answer = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: key,
          ...command,
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { taken: true, tatMs: Number(answer.Attributes?.['tatMs']) };
    } catch (error) {
      const old = refusedRow(error);
      if (!old) throw error;
      return { taken: false, tatMs: Number(old['tatMs'] ?? 0) };
    }
  }

  return {
    async take(keyHash, rateClass, limit, clock) {
      const key = rateKey(keyHash, rateClass);
      const name = `${key.pk}/${key.sk}`;
      let tatMs = lastTatMs.get(name) ?? 0;
      let nowMs = clock();
      for (let tries = 0; tries < TRIES && isWithin(tatMs, nowMs, limit); tries += 1) {
        const busy = tatMs > nowMs && !isCorrupt(tatMs, nowMs, limit);
        const result = await update(key, busy, limit, nowMs);
        tatMs = result.tatMs;
        remember(lastTatMs, name, tatMs);
        if (result.taken) return describe(true, tatMs, nowMs, limit);
        // Of many at once each finds the others' times ahead of its own, and goes behind them. Only where these are
        // ahead by more than the burst was the call itself held up, and it is later than its first reading says.
        if (!isWithin(tatMs, nowMs, limit)) nowMs = clock();
      }
      return describe(false, tatMs, nowMs, limit);
    },
  };
}

const REMEMBERED = 1000;

/** Keeps the map small: the oldest entry goes first. */
function remember(map: Map<string, number>, name: string, tatMs: number): void {
  map.delete(name);
  map.set(name, tatMs);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value ?? name);
}

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { rowOfFailedCondition } from '../core/database.ts';
import { rateKey } from '../core/keys.ts';
import type { RateLimit } from './organisation.ts';
import { describe, intervalMs, isCorrupt, isWithin, type RateDecision, toleranceMs } from './rate-limit.ts';

/**
 * The rate limiter's rows in ApiKeys: `RATE#<key hash>` / class. A condition can neither add nor take a maximum, so the
 * two cases of GCRA are two conditional updates. If one is rejected, the returned row shows whether to try the other.
 */
export type RateClass = 'requests' | 'not-found';

export interface RateLimitTable {
  /**
   * Counts one request. At most one write succeeds; a flood is rejected from memory without a call. If the first clock
   * reading is rejected, the clock is read again, so that a delayed call is not mistaken for a flood.
   */
  take(keyHash: string, rateClass: RateClass, limit: RateLimit, clock: () => number): Promise<RateDecision>;
}

const TRIES = 4;

export function rateLimitTable(client: DynamoDBDocumentClient, tableName: string): RateLimitTable {
  /** The last known TAT of each row. It only grows, so whatever it rejects, the table would reject too. */
  const lastTatMs = new Map<string, number>();

  /** One conditional update. Returns the stored TAT, and whether this update set it. */
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
      const old = rowOfFailedCondition(error);
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
        // Concurrent requests find each other's times ahead of their own and queue behind them. Only if these are
        // ahead by more than the burst was this call delayed, and the clock has moved on since its first reading.
        if (!isWithin(tatMs, nowMs, limit)) nowMs = clock();
      }
      return describe(false, tatMs, nowMs, limit);
    },
  };
}

const REMEMBERED = 1000;

/** Limits the size of the map by removing the oldest entry. */
function remember(map: Map<string, number>, name: string, tatMs: number): void {
  map.delete(name);
  map.set(name, tatMs);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value ?? name);
}

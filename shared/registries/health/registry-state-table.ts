import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, rowOfFailedCondition, wasApplied } from '../../core/database.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { type Breaker, breakerAfterFailure, hasRecovered, type RegistryState } from '../breaker.ts';
import { type CallTimes, countFailure } from './count-failure.ts';
import type { ProviderChange } from './provider-change.ts';
import { stateAmong, stateRow } from './registry-state.ts';

/**
 * The shared state of each provider, in the ApiKeys table under `REGISTRY#<provider>#<env>` / `STATE`. Only failures,
 * probes and recoveries are written, so that a healthy provider costs no writes. None of these writes changes
 * `disabled`.
 */
export type RegistryStateTable = ReturnType<typeof registryStateTable>;

const MAX_ATTEMPTS = 4;

export function registryStateTable(client: DynamoDBDocumentClient, tableName: string) {
  const update = (key: ProviderKey, expressions: object, values: Readonly<Record<string, unknown>>) =>
    client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: registryStateKey(key),
        ReturnValues: 'ALL_NEW',
        ...expressions,
        ExpressionAttributeValues: values,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );

  /**
   * Changes the breaker if its state is still the one that was read, and returns undefined. Otherwise, returns the
   * current row.
   */
  async function changeBreaker(
    key: ProviderKey,
    { breaker, sinceMs, streak }: RegistryState,
    next: Breaker,
    nowMs: number,
  ): Promise<RegistryState | undefined> {
    const wasClosed = breaker === 'closed';
    const expressions = {
      UpdateExpression: `SET breaker = :next, sinceMs = :now, streak = :streak${wasClosed ? ', probedAtMs = :now' : ''}`,
      ConditionExpression:
        '(attribute_not_exists(breaker) OR breaker = :seen) AND (attribute_not_exists(sinceMs) OR sinceMs = :since)',
    };
    const values = {
      ':seen': breaker,
      ':since': sinceMs,
      ':next': next,
      ':now': nowMs,
      ':streak': wasClosed ? 1 : streak,
    };
    try {
      await update(key, expressions, values);
      return undefined;
    } catch (error) {
      const row = rowOfFailedCondition(error);
      if (!row) throw error;
      return v.parse(stateRow, row);
    }
  }

  return {
    /** Returns the states in the order of the keys. Strongly consistent. */
    async getStates(keys: readonly ProviderKey[]): Promise<RegistryState[]> {
      const rows = await batchGet(client, tableName, keys.map(registryStateKey));
      return keys.map((key) => stateAmong(key, rows));
    },
    /**
     * Counts a failure, and the successes of this instance in the 10 s before it, then changes the breaker if the
     * counts require it. Ignores a call that started before the last recovery. Returns the change that it made, if any.
     */
    async recordFailure(
      key: ProviderKey,
      call: CallTimes & { readonly successes: number },
    ): Promise<ProviderChange | undefined> {
      let state = await countFailure(update, key, call);
      // If another instance changes the breaker first, applies the rule to the new row.
      for (let attempts = 0; state && attempts < MAX_ATTEMPTS; attempts += 1) {
        const next = breakerAfterFailure(state, call.endedMs);
        if (next === state.breaker || hasRecovered(state, call.startedMs)) return undefined;
        const current = await changeBreaker(key, state, next, call.endedMs);
        if (!current) return changeOf(state, next, call.endedMs);
        state = current;
      }
      return undefined;
    },
    /**
     * Closes the breaker after a success, unless the call started before the breaker became suspect or open. Returns
     * the change that it made, if any.
     */
    async recordRecovery(
      key: ProviderKey,
      { startedMs, endedMs }: CallTimes,
    ): Promise<ProviderChange | undefined> {
      const close = {
        ReturnValues: 'ALL_OLD',
        UpdateExpression: 'SET breaker = :closed, sinceMs = :now, streak = :none ADD successes :one',
        ConditionExpression: 'breaker <> :closed AND sinceMs <= :started',
      };
      const values = { ':closed': 'closed', ':now': endedMs, ':started': startedMs, ':none': 0, ':one': 1 };
      try {
        const { Attributes } = await update(key, close, values);
        return changeOf(v.parse(stateRow, Attributes), 'closed', endedMs);
      } catch (error) {
        if (rowOfFailedCondition(error)) return undefined;
        throw error;
      }
    },
    /**
     * Acquires the right to probe. Returns false if another request has acquired it, or the provider was disabled,
     * since `seen` was read.
     */
    takeProbe(key: ProviderKey, { breaker, sinceMs, probedAtMs }: RegistryState, nowMs: number) {
      const lease = {
        UpdateExpression: 'SET probedAtMs = :now',
        ConditionExpression:
          'breaker = :breaker AND sinceMs = :since AND probedAtMs = :probed AND attribute_not_exists(disabled)',
      };
      const values = { ':now': nowMs, ':breaker': breaker, ':since': sinceMs, ':probed': probedAtMs };
      return wasApplied(update(key, lease, values));
    },
  };
}

const changeOf = ({ breaker, sinceMs }: RegistryState, became: Breaker, atMs: number): ProviderChange => ({
  became,
  atMs,
  was: breaker,
  wasSinceMs: sinceMs,
});

import * as v from 'valibot';
import { rowOfFailedCondition } from '../../core/database.ts';
import type { ProviderKey } from '../../core/keys.ts';
import { hasRecovered, type RegistryState, WINDOW_MS } from '../breaker.ts';
import { stateRow } from './registry-state.ts';

/** When a call to a provider started and ended, in epoch milliseconds. */
export interface CallTimes {
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Writes the state of a provider, and returns its new row. */
type UpdateState = (
  key: ProviderKey,
  expressions: object,
  values: Readonly<Record<string, unknown>>,
) => Promise<{ readonly Attributes?: Record<string, unknown> | undefined }>;

const MAX_ATTEMPTS = 4;
const NOT_RECOVERED = '(attribute_not_exists(breaker) OR breaker <> :closed OR sinceMs <= :started)';
const SAME_WINDOW = {
  UpdateExpression: 'ADD failures :one, successes :successes, streak :one',
  ConditionExpression: `windowMs = :window AND ${NOT_RECOVERED}`,
};
const NEW_WINDOW = {
  UpdateExpression: 'SET windowMs = :window, failures = :one, successes = :successes ADD streak :one',
  ConditionExpression: `(attribute_not_exists(windowMs) OR windowMs < :window) AND ${NOT_RECOVERED}`,
};

/** Counts a failure. Returns the new row, or undefined if the provider has recovered or too many writes collided. */
export async function countFailure(
  update: UpdateState,
  key: ProviderKey,
  { startedMs, endedMs, successes }: CallTimes & { readonly successes: number },
): Promise<RegistryState | undefined> {
  let windowMs = Math.floor(endedMs / WINDOW_MS) * WINDOW_MS;
  let isNewWindow = false;
  const notRecovered = { ':started': startedMs, ':closed': 'closed' };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const values = { ':one': 1, ':successes': successes, ':window': windowMs, ...notRecovered };
    try {
      const { Attributes } = await update(key, isNewWindow ? NEW_WINDOW : SAME_WINDOW, values);
      return v.parse(stateRow, Attributes);
    } catch (error) {
      const row = rowOfFailedCondition(error);
      if (!row) throw error;
      const current = v.parse(stateRow, row);
      if (hasRecovered(current, startedMs)) return undefined;
      // If another instance's clock is ahead of ours, its window is used.
      isNewWindow = current.windowMs < windowMs;
      windowMs = Math.max(windowMs, current.windowMs);
    }
  }
  return undefined;
}

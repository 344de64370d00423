import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, refusedRow, wasApplied } from '../../core/database.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { type Breaker, breakerAfterFailure, type RegistryState, WINDOW_MS } from '../breaker.ts';
import { stateAmong, stateRow } from './registry-state.ts';

/**
 * The shared state of each provider in ApiKeys: `REGISTRY#<provider>#<env>` / `STATE`. A healthy provider has no
 * writes: only failures, the probe's lease and the answer that ends a bad time are noted.
 */
export interface RegistryStateTable {
  /** In the order of the places, read consistently. */
  getStates(places: readonly ProviderKey[]): Promise<RegistryState[]>;
  /**
   * Counts a failure of a call begun at `startedMs`, with the answers that this instance had in the window before it,
   * and moves the breaker where that is due. News of a call that began before the last recovery is dropped.
   */
  noteFailure(
    place: ProviderKey,
    news: { readonly startedMs: number; readonly nowMs: number; readonly successes: number },
  ): Promise<void>;
  /** Closes the breaker after an answer to a call that began since it was suspect or open. */
  recordOutcome(
    place: ProviderKey,
    news: { readonly startedMs: number; readonly nowMs: number },
  ): Promise<void>;
  /** Takes the right to be the probe; false where another request has it. `seen` is the state that was read. */
  takeProbe(place: ProviderKey, seen: RegistryState, nowMs: number): Promise<boolean>;
}

/** Is the failure of a call that began at `startedMs` old news, since an answer has come meanwhile? */
function hasRecovered({ breaker, sinceMs }: RegistryState, startedMs: number): boolean {
  return breaker === 'closed' && sinceMs > startedMs;
}

const TRIES = 4;
const NOT_STALE = '(attribute_not_exists(breaker) OR breaker <> :closed OR sinceMs <= :started)';
const SAME_WINDOW = {
  UpdateExpression: 'ADD failures :one, successes :successes, streak :one',
  ConditionExpression: `windowMs = :window AND ${NOT_STALE}`,
};
const NEW_WINDOW = {
  UpdateExpression: 'SET windowMs = :window, failures = :one, successes = :successes ADD streak :one',
  ConditionExpression: `(attribute_not_exists(windowMs) OR windowMs < :window) AND ${NOT_STALE}`,
};

export function registryStateTable(client: DynamoDBDocumentClient, tableName: string): RegistryStateTable {
  const update = (place: ProviderKey, expressions: object, values: Readonly<Record<string, unknown>>) =>
    client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: registryStateKey(place),
        ...expressions,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );

  /** The row after the failure was counted; undefined where it is stale, or the row was too busy. */
  async function count(
    place: ProviderKey,
    { startedMs, nowMs, successes }: Parameters<RegistryStateTable['noteFailure']>[1],
  ): Promise<RegistryState | undefined> {
    let windowMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS;
    let isNew = false;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const values = { ':one': 1, ':successes': successes, ':window': windowMs };
      const stale = { ':started': startedMs, ':closed': 'closed' };
      try {
        const answer = await update(place, isNew ? NEW_WINDOW : SAME_WINDOW, { ...values, ...stale });
        return v.parse(stateRow, answer.Attributes);
      } catch (error) {
        const old = refusedRow(error);
        if (!old) throw error;
        const standing = v.parse(stateRow, old);
        if (hasRecovered(standing, startedMs)) return undefined;
        // Another clock may run ahead of ours: its window is the one in force.
        isNew = standing.windowMs < windowMs;
        windowMs = Math.max(windowMs, standing.windowMs);
      }
    }
    return undefined;
  }

  /** Moves the breaker from the state that was seen. Undefined once it is done, else the row that stands. */
  async function move(
    place: ProviderKey,
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
    const values = { ':seen': breaker, ':since': sinceMs, ':next': next, ':now': nowMs };
    try {
      await update(place, expressions, { ...values, ':streak': wasClosed ? 1 : streak });
      return undefined;
    } catch (error) {
      const old = refusedRow(error);
      if (!old) throw error;
      return v.parse(stateRow, old);
    }
  }

  return {
    async getStates(places) {
      const rows = await batchGet(client, tableName, places.map(registryStateKey));
      return places.map((place) => stateAmong(place, rows));
    },
    async noteFailure(place, news) {
      let state = await count(place, news);
      // Another failure may move it first: what it must become is judged again by the row that then stands.
      for (let tries = 0; state && tries < TRIES; tries += 1) {
        const next = breakerAfterFailure(state, news.nowMs);
        if (next === state.breaker || hasRecovered(state, news.startedMs)) return;
        state = await move(place, state, next, news.nowMs);
      }
    },
    async recordOutcome(place, { startedMs, nowMs }) {
      const close = {
        UpdateExpression: 'SET breaker = :closed, sinceMs = :now, streak = :none ADD successes :one',
        ConditionExpression: 'breaker <> :closed AND sinceMs <= :started',
      };
      const values = { ':closed': 'closed', ':now': nowMs, ':started': startedMs, ':none': 0, ':one': 1 };
      await wasApplied(update(place, close, values));
    },
    takeProbe(place, { breaker, sinceMs, probedAtMs }, nowMs) {
      const lease = {
        UpdateExpression: 'SET probedAtMs = :now',
        ConditionExpression: 'breaker = :breaker AND sinceMs = :since AND probedAtMs = :probed',
      };
      const values = { ':now': nowMs, ':breaker': breaker, ':since': sinceMs, ':probed': probedAtMs };
      return wasApplied(update(place, lease, values));
    },
  };
}

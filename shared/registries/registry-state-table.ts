import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row, refusedRow, wasApplied } from '../core/database.ts';
import { ALWAYS_CLOSED, breakerAfterFailure, type RegistryState, WINDOW_MS } from './breaker.ts';

/**
 * The shared state of each provider in ApiKeys: `REGISTRY#<provider>#<env>` / `STATE`. A healthy provider has no
 * writes: only failures, the probe's lease and the answer that ends a bad time are noted.
 */
export interface StatePlace {
  readonly provider: string;
  readonly env: 'live' | 'test';
}

export interface RegistryStateTable {
  /** In the order of the places, read consistently. */
  getStates(places: readonly StatePlace[]): Promise<RegistryState[]>;
  /**
   * Counts a failure of a call begun at `startedMs`, with the answers that this instance had in the window before it,
   * and moves the breaker where that is due. News of a call that began before the last recovery is dropped.
   */
  noteFailure(
    place: StatePlace,
    news: { readonly startedMs: number; readonly nowMs: number; readonly successes: number },
  ): Promise<void>;
  /** Closes the breaker after an answer to a call that began since it was suspect or open. */
  noteAnswer(place: StatePlace, news: { readonly startedMs: number; readonly nowMs: number }): Promise<void>;
  /** Takes the right to be the probe; false where another request has it. `seen` is the state that was read. */
  takeProbe(place: StatePlace, seen: RegistryState, nowMs: number): Promise<boolean>;
}

export const stateKey = ({ provider, env }: StatePlace) => ({
  pk: `REGISTRY#${provider}#${env}`,
  sk: 'STATE',
});

const millis = v.optional(v.number(), 0);
const stateRow = v.object({
  breaker: v.optional(v.picklist(['closed', 'suspect', 'open']), 'closed'),
  sinceMs: millis,
  probedAtMs: millis,
  windowMs: millis,
  failures: v.optional(v.number(), 0),
  successes: v.optional(v.number(), 0),
  streak: v.optional(v.number(), 0),
});

/** The states by provider, of one environment's places, among rows that were read with others. */
export function statesAmong(places: readonly StatePlace[], rows: readonly Row[]): Map<string, RegistryState> {
  return new Map(places.map((place) => [place.provider, stateAmong(place, rows)]));
}

/** A place without a row was never in trouble. */
function stateAmong(place: StatePlace, rows: readonly Row[]): RegistryState {
  const row = rows.find(({ pk }) => pk === stateKey(place).pk);
  return row ? v.parse(stateRow, row) : ALWAYS_CLOSED;
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
  const update = (place: StatePlace, expressions: object, values: Readonly<Record<string, unknown>>) =>
    client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: stateKey(place),
        ...expressions,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );

  /** The row after the failure was counted; undefined where it is stale, or the row was too busy. */
  async function count(
    place: StatePlace,
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
        if (standing.breaker === 'closed' && standing.sinceMs > startedMs) return undefined;
        // Another clock may run ahead of ours: its window is the one in force.
        isNew = standing.windowMs < windowMs;
        windowMs = Math.max(windowMs, standing.windowMs);
      }
    }
    return undefined;
  }

  return {
    async getStates(places) {
      const rows = await batchGet(client, tableName, places.map(stateKey));
      return places.map((place) => stateAmong(place, rows));
    },
    async noteFailure(place, news) {
      const state = await count(place, news);
      const next = state && breakerAfterFailure(state, news.nowMs);
      if (!state || next === state.breaker) return;
      const wasClosed = state.breaker === 'closed';
      const move = {
        UpdateExpression: `SET breaker = :next, sinceMs = :now, streak = :streak${wasClosed ? ', probedAtMs = :now' : ''}`,
        ConditionExpression:
          '(attribute_not_exists(breaker) OR breaker = :seen) AND (attribute_not_exists(sinceMs) OR sinceMs = :since)',
      };
      const { breaker, sinceMs, streak } = state;
      const values = { ':seen': breaker, ':since': sinceMs, ':next': next, ':now': news.nowMs };
      await wasApplied(update(place, move, { ...values, ':streak': wasClosed ? 1 : streak }));
    },
    async noteAnswer(place, { startedMs, nowMs }) {
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

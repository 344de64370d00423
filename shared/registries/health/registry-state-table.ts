import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { MINUTE_MS } from '../../core/clock.ts';
import { batchGet, type UpdatedRow, updateRow } from '../../core/database.ts';
import { change, changeTo, type Expression, removal, rowUpdate, where } from '../../core/expressions.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import {
  type Breaker,
  breakerAfterFailure,
  hasRecovered,
  OPENING_ORGANISATIONS,
  type RegistryState,
  WINDOW_MS,
} from '../breaker.ts';

import type { ProviderChange } from './provider-change.ts';
import { stateAmong, stateRow } from './registry-state.ts';

/**
 * The shared state of each provider and ID type, in the ApiKeys table under `REGISTRY#<provider>#<env>#<ID type>` /
 * `STATE`. Only failures,
 * probes and recoveries are written, so that a healthy provider costs no writes.
 */
export type RegistryStateTable = ReturnType<typeof registryStateTable>;

/** When a call to a provider started and ended, in epoch milliseconds. */
interface CallTimes {
  readonly startedMs: number;
  readonly endedMs: number;
}

interface FailedCall extends CallTimes {
  readonly successes: number;
  /** Of the account. */
  readonly bankCodes?: readonly string[] | undefined;
  readonly organisationId?: string | undefined;
}

const MAX_ATTEMPTS = 4;
/** Without a failure for this long, the banks and organisations that failed before do not count. */
const FAILED_MS = MINUTE_MS;
const HAS_ROOM = where` AND (attribute_not_exists(organisations) OR size(organisations) < ${OPENING_ORGANISATIONS})`;

export function registryStateTable(client: DynamoDBDocumentClient, tableName: string) {
  const update = (
    key: ProviderKey,
    changed: Expression,
    condition: Expression,
    returned: 'ALL_NEW' | 'ALL_OLD' = 'ALL_NEW',
  ) => updateRow(client, tableName, registryStateKey(key), rowUpdate(changed, condition), returned);

  /** Counts a failure. Returns the new row, or undefined if the provider has recovered or too many writes collided. */
  async function countFailure(
    key: ProviderKey,
    { startedMs, endedMs, successes, bankCodes = [], organisationId }: FailedCall,
  ): Promise<RegistryState | undefined> {
    let windowMs = Math.floor(endedMs / WINDOW_MS) * WINDOW_MS;
    let earlierMs: number | undefined;
    const room = organisationId === undefined ? where`` : HAS_ROOM;
    let isFull = false;
    const notRecovered = where`(attribute_not_exists(breaker) OR breaker <> ${'closed'} OR sinceMs <= ${startedMs})`;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const isLongAgo = earlierMs !== undefined && earlierMs < windowMs - FAILED_MS;
      const { added, onlyThese } = failedFor(bankCodes, organisationId, isFull);
      const [alsoThese, hasRoom] = isLongAgo ? [where``, where``] : [added, isFull ? where`` : room];
      const { isApplied, row }: UpdatedRow = await (earlierMs !== undefined
        ? update(
            key,
            change`SET windowMs = ${windowMs}, failures = ${1}, successes = ${successes}${isLongAgo ? onlyThese : where``} ADD streak ${1}${alsoThese}`,
            where`(attribute_not_exists(windowMs) OR windowMs < ${windowMs}) AND ${notRecovered}${hasRoom}`,
          )
        : update(
            key,
            change`ADD failures ${1}, successes ${successes}, streak ${1}${alsoThese}`,
            where`windowMs = ${windowMs} AND ${notRecovered}${hasRoom}`,
          ));
      const current: RegistryState = v.parse(stateRow, row);
      if (isApplied) return current;
      if (hasRecovered(current, startedMs)) return undefined;
      isFull = (current.organisations?.size ?? 0) >= OPENING_ORGANISATIONS;
      // If another instance's clock is ahead of ours, its window is used.
      earlierMs = current.windowMs < windowMs ? current.windowMs : undefined;
      windowMs = Math.max(windowMs, current.windowMs);
    }
    return undefined;
  }

  /** Changes the breaker if its state is still the one that was read, and returns undefined. */
  async function changeBreaker(
    key: ProviderKey,
    { breaker, sinceMs, streak, organisations }: RegistryState,
    next: Breaker,
    { endedMs, organisationId }: FailedCall,
  ): Promise<RegistryState | undefined> {
    const since = { breaker: next, sinceMs: endedMs };
    const countsThem = organisations && organisationId !== undefined;
    // Look-ups that failed while the provider was healthy do not count.
    const only = countsThem ? { organisations: new Set([organisationId]) } : {};
    const changed =
      breaker === 'closed' ? { ...since, ...only, streak: 1, probedAtMs: endedMs } : { ...since, streak };
    const isSame = where`(attribute_not_exists(breaker) OR breaker = ${breaker}) AND (attribute_not_exists(sinceMs) OR sinceMs = ${sinceMs})`;
    const { isApplied, row } = await update(key, changeTo(changed), isSame);
    return isApplied ? undefined : v.parse(stateRow, row);
  }

  return {
    /** Returns the states in the order of the keys. Strongly consistent. */
    async getStates(keys: readonly ProviderKey[]): Promise<RegistryState[]> {
      const rows = await batchGet(client, tableName, keys.map(registryStateKey));
      return keys.map((key) => stateAmong(key, rows));
    },
    /**
     * Counts a failure, and the successes of this instance in the 10 s before it, then changes the breaker if the
     * counts require it.
     */
    async recordFailure(key: ProviderKey, call: FailedCall): Promise<ProviderChange | undefined> {
      let state = await countFailure(key, call);
      // If another instance changes the breaker first, applies the rule to the new row.
      for (let attempts = 0; state && attempts < MAX_ATTEMPTS; attempts += 1) {
        const next = breakerAfterFailure(state, call.endedMs);
        if (next === state.breaker || hasRecovered(state, call.startedMs)) return undefined;
        const current = await changeBreaker(key, state, next, call);
        if (!current) return changeOf(state, next, call.endedMs);
        state = current;
      }
      return undefined;
    },
    /**
     * Closes the breaker after a success, unless the call started before the breaker became suspect or open.
     */
    async recordRecovery(
      key: ProviderKey,
      { startedMs, endedMs }: CallTimes,
    ): Promise<ProviderChange | undefined> {
      const { isApplied, row } = await update(
        key,
        change`SET breaker = ${'closed'}, sinceMs = ${endedMs}, streak = ${0} REMOVE banks, organisations ADD successes ${1}`,
        where`breaker <> ${'closed'} AND sinceMs <= ${startedMs}`,
        'ALL_OLD',
      );
      return isApplied ? changeOf(v.parse(stateRow, row), 'closed', endedMs) : undefined;
    },
    /**
     * Acquires the right to probe. Returns false if another request has acquired it, or the provider was disabled,
     * since `seen` was read.
     */
    async takeProbe(
      key: ProviderKey,
      { breaker, sinceMs, probedAtMs }: RegistryState,
      nowMs: number,
      probedBy?: string,
    ) {
      const isSame = where`breaker = ${breaker} AND sinceMs = ${sinceMs} AND probedAtMs = ${probedAtMs}`;
      const isEnabled = where`${isSame} AND attribute_not_exists(disabled)`;
      return (await update(key, changeTo({ probedAtMs: nowMs, probedBy }), isEnabled)).isApplied;
    },
  };
}

/** Returns the changes that add to what has failed, without a further organisation if they are full, and that replace it. */
function failedFor(bankCodes: readonly string[], organisationId: string | undefined, isFull: boolean) {
  const banks = bankCodes.length > 0 && new Set(bankCodes);
  const organisations = organisationId !== undefined && new Set([organisationId]);
  const removed = [...(banks ? [] : ['banks']), ...(organisations ? [] : ['organisations'])];
  return {
    added: where`${banks ? where`, banks ${banks}` : where``}${organisations && !isFull ? where`, organisations ${organisations}` : where``}`,
    onlyThese: where`${banks ? where`, banks = ${banks}` : where``}${organisations ? where`, organisations = ${organisations}` : where``} ${removal(removed)}`,
  };
}

const changeOf = ({ breaker, sinceMs }: RegistryState, became: Breaker, atMs: number): ProviderChange => ({
  became,
  atMs,
  was: breaker,
  wasSinceMs: sinceMs,
});

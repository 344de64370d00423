import { withDeadline } from '../../core/deadline.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { Attempt } from '../ask-provider.ts';
import { type RegistryState, WINDOW_MS } from '../breaker.ts';
import type { ProviderChange } from './provider-change.ts';
import type { ProviderHistoryTable } from './provider-history-table.ts';
import type { RegistryStateTable } from './registry-state-table.ts';
import { stateCopies } from './state-copies.ts';

/**
 * Shares an instance's observations of providers with the other instances. Recording never changes a response, and
 * delays it only briefly.
 */
export type ProviderRecorder = ReturnType<typeof providerRecorder>;

const MAX_WAIT_MS = 500;
/** An instance does not report failures of accounts for this long after it has looked up one. */
const SERVES_MS = 3_000;
const NOT_STORED = "A change of a provider's state is missing from its history.";

/** A successful look-up at a healthy provider writes to neither table. */
export function providerRecorder(
  table: RegistryStateTable,
  history: Pick<ProviderHistoryTable, 'addChange'>,
  nowMs: () => number = Date.now,
) {
  const copies = stateCopies(nowMs);
  /** The times of this instance's latest successes, by provider. */
  const successesMs = new Map<string, number[]>();

  async function recordAttempt(attempt: Attempt, seen: RegistryState): Promise<void> {
    const { provider, env, idType, bankCodes, organisationId, result, startedMs, endedMs } = attempt;
    if (result.kind !== 'found' && result.excludedFromHealth) return;
    const key = { provider: provider.name, env, idType };
    const { pk } = registryStateKey(key);
    const recent = (successesMs.get(pk) ?? []).filter((atMs) => atMs > endedMs - WINDOW_MS);
    if (result.kind === 'unreachable' || result.kind === 'timeout') {
      // One bank whose systems are down must not stop look-ups at all others.
      if (bankCodes && (recent.at(-1) ?? 0) > endedMs - SERVES_MS) return;
      successesMs.delete(pk);
      const call = { startedMs, endedMs, successes: recent.length, bankCodes, organisationId };
      await store(key, await changing(key, () => table.recordFailure(key, call)));
      return;
    }
    successesMs.set(pk, [...recent, endedMs]);
    if (seen.breaker === 'closed') return;
    await store(key, await changing(key, () => table.recordRecovery(key, { startedMs, endedMs })));
  }

  /** Stores a change after the state has changed, because the state is more important. */
  async function store(key: ProviderKey, change: ProviderChange | undefined): Promise<void> {
    if (!change) return;
    await history
      .addChange(key, change)
      .catch((error: unknown) => logger.warn(NOT_STORED, errorFields(error)));
  }

  /**
   * Drops the copy before the write, which may take a long time, and again after it, in case a copy was read in the
   * meantime.
   */
  async function changing<T>(key: ProviderKey, write: () => Promise<T>): Promise<T> {
    copies.drop(key);
    try {
      return await write();
    } finally {
      copies.drop(key);
    }
  }

  return {
    /** Begins reading the states that a request needs, except those that this instance has just read. */
    beginRead: copies.beginRead,
    /** Records the outcome of an attempt. Never rejects, and takes at most 500 ms. */
    record: (attempt: Attempt, seen: RegistryState) => withinLimit(recordAttempt(attempt, seen)),
    /**
     * Acquires the right to probe. Returns false if another request has acquired it, if the provider was disabled, or
     * if the write fails or takes longer than 500 ms.
     */
    async takeProbe(key: ProviderKey, seen: RegistryState, atMs: number, organisationId?: string) {
      const taken = changing(key, () => table.takeProbe(key, seen, atMs, organisationId));
      return (await withinLimit(taken)) === true;
    },
  };
}

/** Returns the result of a write, or undefined if it fails or takes longer than 500 ms. */
async function withinLimit<T>(write: Promise<T>): Promise<T | undefined> {
  const nowMs = Date.now();
  const logged = write.catch((error: unknown) => {
    logger.warn("A provider's shared state could not be written.", errorFields(error));
    return undefined;
  });
  return withDeadline(logged, nowMs + MAX_WAIT_MS, nowMs, () => undefined);
}

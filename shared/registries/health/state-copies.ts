import type { Row } from '../../core/database.ts';
import { type ProviderKey, type RowKey, registryStateKey } from '../../core/keys.ts';
import { ALWAYS_CLOSED, planAttempts, type RegistryState } from '../breaker.ts';
import { stateAmong } from './registry-state.ts';

/** Returns the state of a provider for an ID type, as it was read with the account. */
export type RegistryStates = (key: ProviderKey) => RegistryState;

/**
 * Copies of the provider states that one function instance has read. An instance uses a copy for one second, because
 * all requests of all customers would otherwise read the same row, and DynamoDB returns one row at most 3,000 times a
 * second.
 */
export type StateCopies = ReturnType<typeof stateCopies>;

export interface StateRead {
  /** The rows of which this instance has no copy from the last 10 s. */
  readonly required: readonly RowKey[];
  /** The rows whose copy may be too old. The copy is used if DynamoDB throttles the row. */
  readonly spare: readonly RowKey[];
  /** Keeps the states in `rows`, and returns all states. `leftOut` contains the spare rows that were throttled. */
  complete(rows: readonly Row[], leftOut: readonly RowKey[]): RegistryStates;
}

export const NO_STATES: StateRead = { required: [], spare: [], complete: () => () => ALWAYS_CLOSED };

const REUSE_MS = 1_000;
/** A copy replaces a throttled read for this long. */
const SPARE_MS = 10_000;

interface Copy {
  readonly state: RegistryState;
  readonly readMs: number;
}

export function stateCopies(nowMs: () => number) {
  const copies = new Map<string, Copy>();
  const droppedMs = new Map<string, number>();
  const copyOf = (key: ProviderKey) => copies.get(registryStateKey(key).pk);

  function keep(key: ProviderKey, copy: Copy): void {
    const { pk } = registryStateKey(key);
    if (copy.readMs > (droppedMs.get(pk) ?? 0)) copies.set(pk, copy);
  }

  /**
   * Returns the partitions of the providers that this request may probe. Their newest state is read, so that instances
   * do not compete for a probe that one of them has made.
   */
  function mayProbe(keys: readonly ProviderKey[], atMs: number): Set<string> {
    const idTypes = [...new Set(keys.map(({ idType }) => idType))];
    const plans = idTypes.flatMap((idType) => {
      const ofType = keys.filter((key) => key.idType === idType);
      const candidates = ofType.map((key) => ({
        name: registryStateKey(key).pk,
        state: copyOf(key)?.state ?? ALWAYS_CLOSED,
      }));
      return planAttempts(candidates, atMs);
    });
    return new Set(plans.filter(({ isProbe }) => isProbe).map(({ name }) => name));
  }

  return {
    beginRead(keys: readonly ProviderKey[]): StateRead {
      const readMs = nowMs();
      const probes = mayProbe(keys, readMs);
      const ageMs = (key: ProviderKey) => readMs - (copyOf(key)?.readMs ?? Number.NEGATIVE_INFINITY);
      const isFresh = (key: ProviderKey) => ageMs(key) < REUSE_MS && !probes.has(registryStateKey(key).pk);
      const due = keys.filter((key) => !isFresh(key));
      const isSpare = (key: ProviderKey) => ageMs(key) < SPARE_MS;
      const usable = new Map(keys.map((key) => [registryStateKey(key).pk, copyOf(key)?.state]));
      return {
        required: due.filter((key) => !isSpare(key)).map(registryStateKey),
        spare: due.filter(isSpare).map(registryStateKey),
        complete(rows, leftOut) {
          for (const key of due) {
            if (leftOut.some(({ pk }) => pk === registryStateKey(key).pk)) continue;
            const state = stateAmong(key, rows);
            keep(key, { state, readMs });
            usable.set(registryStateKey(key).pk, state);
          }
          return (key) => usable.get(registryStateKey(key).pk) ?? ALWAYS_CLOSED;
        },
      };
    },
    drop(key: ProviderKey) {
      const { pk } = registryStateKey(key);
      copies.delete(pk);
      droppedMs.set(pk, nowMs());
    },
  };
}

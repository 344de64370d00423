import { DAY_MS } from '../core/clock.ts';
import type { Row } from '../core/database.ts';
import { attributeAt, countsOf, type WindowedCounter } from './windowed-counter.ts';

/**
 * What the limiter's row shows about the use of a key: when, from where, and the number of look-ups on each day (UTC).
 */

/** Look-ups with a live key, counted for today and for each of the 14 days before. */
export const DAILY_LOOK_UPS: WindowedCounter = { letter: 'd', windowMs: DAY_MS, windows: 15 };
/** Look-ups without a record, counted for today and for yesterday. */
export const DAILY_MISSES: WindowedCounter = { letter: 'm', windowMs: DAY_MS, windows: 2 };

/** How many networks a row keeps, so that it stays below 1 KB. Concurrent requests can briefly exceed this number. */
export const MAX_NETWORKS = 10;

export interface KeyUsage {
  /** When the key was last used, in epoch milliseconds. */
  readonly usedAtMs?: number;
  readonly network?: string;
  /** The newest network of the key. Undefined if the key has been used from only one. */
  readonly newNetwork?: string;
  readonly newNetworkAtMs?: number;
  readonly lookUpsToday: number;
  /** Look-ups on each of the 14 days before today that had any, by the attribute that counts them. */
  readonly earlierLookUps: ReadonlyMap<string, number>;
  readonly missesToday: number;
}

/** Reads the use of a key from its limiter row. */
export function keyUsageOf(row: Row, nowMs: number): KeyUsage {
  const { usedAtMs, network, newNetwork, newNetworkAtMs } = row;
  const today = attributeAt(DAILY_LOOK_UPS, nowMs);
  const days = countsOf(DAILY_LOOK_UPS, row, nowMs);
  return {
    ...(typeof usedAtMs === 'number' && { usedAtMs }),
    ...(typeof network === 'string' && { network }),
    ...(typeof newNetwork === 'string' && { newNetwork }),
    ...(typeof newNetworkAtMs === 'number' && { newNetworkAtMs }),
    lookUpsToday: days.get(today) ?? 0,
    earlierLookUps: new Map([...days].filter(([name]) => name !== today)),
    missesToday: Number(row[attributeAt(DAILY_MISSES, nowMs)] ?? 0),
  };
}

/** Returns the networks of a row, each with the day of its last request, in days since 1970. */
function networksOf(row: Row): Readonly<Record<string, number>> {
  return (row['networks'] ?? {}) as Record<string, number>;
}

interface NetworkChange {
  readonly sets: readonly string[];
  readonly removes: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Whether the key was used before, but never from this network, as far as the row shows. */
export function isNewNetwork(row: Row, network: string | undefined): network is string {
  return network !== undefined && row['networks'] !== undefined && !Object.hasOwn(networksOf(row), network);
}

/** Whether another network was new for the key in the last 24 hours: its addresses change, so one more means little. */
export function changesNetworks({ newNetworkAtMs }: Row, nowMs: number): boolean {
  return typeof newNetworkAtMs === 'number' && nowMs - newNetworkAtMs < DAY_MS;
}

const NO_CHANGE: NetworkChange = { sets: [], removes: [], names: {}, values: {} };

/** An update removes at most this many networks, so that its expression stays small. */
const MAX_REMOVED = 50;

/**
 * Returns the changes that a request from this network makes to the row. A new network replaces the least recently used
 * ones if there are too many.
 */
export function networkChange(row: Row, network: string | undefined, nowMs: number): NetworkChange {
  if (network === undefined) return NO_CHANGE;
  const today = Math.floor(nowMs / DAY_MS);
  const sets = ['network = :network'];
  const values = { ':network': network };
  if (row['networks'] === undefined)
    return {
      ...NO_CHANGE,
      sets: [...sets, 'networks = :networks'],
      values: { ...values, ':networks': { [network]: today } },
    };
  const removed = surplusNetworks(row, network);
  if (networksOf(row)[network] === today && removed.length === 0) return { ...NO_CHANGE, sets, values };
  const isNew = isNewNetwork(row, network);
  return {
    sets: [
      ...sets,
      'networks.#network = :today',
      ...(isNew ? ['newNetwork = :network', 'newNetworkAtMs = :now'] : []),
    ],
    removes: removed.map((_, index) => `networks.#old${index}`),
    names: {
      '#network': network,
      ...Object.fromEntries(removed.map((name, index) => [`#old${index}`, name])),
    },
    values: { ...values, ':today': today },
  };
}

/**
 * Returns the least recently used networks to remove, so that there is room for this one. There may be several, because
 * concurrent requests from new networks each add one.
 */
function surplusNetworks(row: Row, network: string): string[] {
  const others = Object.entries(networksOf(row)).filter(([name]) => name !== network);
  const surplus = Math.max(0, others.length + 1 - MAX_NETWORKS);
  return others
    .sort(([, a], [, b]) => a - b)
    .slice(0, Math.min(surplus, MAX_REMOVED))
    .map(([name]) => name);
}

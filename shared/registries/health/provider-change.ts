import * as v from 'valibot';
import { DAY_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { ABSENT, changeTo, update } from '../../core/expressions.ts';
import { type ProviderKey, registryChangeKey } from '../../core/keys.ts';
import type { Breaker } from '../breaker.ts';

/**
 * The states that a change can lead to: those of the breaker, and those of the operator's switch, which is independent
 * of it.
 */
export type ProviderCondition = Breaker | 'enabled' | 'disabled';

/**
 * A change of a provider's breaker or switch. It also contains the previous state, so that each change can be derived
 * from the next one if its own row is missing. Times are epoch milliseconds.
 */
export interface ProviderChange {
  readonly became: ProviderCondition;
  readonly atMs: number;
  readonly was: ProviderCondition;
  /** When the previous state began. 0 if unknown. */
  readonly wasSinceMs: number;
}

const condition = v.picklist(['closed', 'suspect', 'open', 'enabled', 'disabled']);
export const changeRow = v.object({
  became: condition,
  atMs: v.number(),
  was: condition,
  wasSinceMs: v.number(),
});

/** Changes are shown for 90 days. They are kept 10 days longer, because an incident may have begun earlier. */
const KEPT_DAYS = 100;
/**
 * If a breaker changes to the same state several times within this time, only the first change is stored. This limits
 * it to 3 rows in 10 s.
 */
const STORED_EVERY_MS = 10_000;

/**
 * Returns the update that writes the row of a change, if there is none. It is an update, so that functions that look up
 * numbers need no permission to put rows into ApiKeys.
 */
export function changeUpdate(tableName: string, key: ProviderKey, change: ProviderChange) {
  const { became, atMs, was, wasSinceMs } = change;
  const isSwitched = became === 'enabled' || became === 'disabled';
  const timeMs = isSwitched ? atMs : Math.floor(atMs / STORED_EVERY_MS) * STORED_EVERY_MS;
  const rowKey = registryChangeKey(key, new Date(timeMs).toISOString(), became);
  const expiresAt = Math.floor((atMs + KEPT_DAYS * DAY_MS) / 1000);
  return update(tableName, rowKey, changeTo({ became, atMs, was, wasSinceMs, expiresAt }), ABSENT);
}

/** Parses the row of a change. */
export function changeOfRow(row: Row): ProviderChange {
  return v.parse(changeRow, row);
}

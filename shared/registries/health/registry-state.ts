import * as v from 'valibot';
import type { Row } from '../../core/database.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { ALWAYS_CLOSED, type RegistryState } from '../breaker.ts';

const millis = v.optional(v.number(), 0);
const disabling = v.object({ actor: v.string(), reason: v.string(), atMs: v.number() });
export const stateRow = v.object({
  breaker: v.optional(v.picklist(['closed', 'suspect', 'open']), 'closed'),
  sinceMs: millis,
  probedAtMs: millis,
  windowMs: millis,
  failures: v.optional(v.number(), 0),
  successes: v.optional(v.number(), 0),
  streak: v.optional(v.number(), 0),
  banks: v.optional(v.set(v.string())),
  organisations: v.optional(v.set(v.string())),
  probedBy: v.optional(v.string()),
  disabled: v.optional(disabling),
});

/** Returns the state of a provider from the rows that were read. A provider without a row has never failed. */
export function stateAmong(key: ProviderKey, rows: readonly Row[]): RegistryState {
  const row = rows.find(({ pk }) => pk === registryStateKey(key).pk);
  return row ? v.parse(stateRow, row) : ALWAYS_CLOSED;
}

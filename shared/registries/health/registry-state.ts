import * as v from 'valibot';
import type { Row } from '../../core/database.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { ALWAYS_CLOSED, type RegistryState } from '../breaker.ts';

const millis = v.optional(v.number(), 0);
export const stateRow = v.object({
  breaker: v.optional(v.picklist(['closed', 'suspect', 'open']), 'closed'),
  sinceMs: millis,
  probedAtMs: millis,
  windowMs: millis,
  failures: v.optional(v.number(), 0),
  successes: v.optional(v.number(), 0),
  streak: v.optional(v.number(), 0),
});

/** The states by provider, of one environment's places, among rows that were read with others. */
export function statesAmong(
  places: readonly ProviderKey[],
  rows: readonly Row[],
): Map<string, RegistryState> {
  return new Map(places.map((place) => [place.provider, stateAmong(place, rows)]));
}

/** A place without a row was never in trouble. */
export function stateAmong(place: ProviderKey, rows: readonly Row[]): RegistryState {
  const row = rows.find(({ pk }) => pk === registryStateKey(place).pk);
  return row ? v.parse(stateRow, row) : ALWAYS_CLOSED;
}

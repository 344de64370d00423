import type { RegistryRouting } from '../../core/config.ts';
import type { ProviderKey } from '../../core/keys.ts';
import { type Health, healthOf, type RegistryState, troubleSinceMs } from '../breaker.ts';
import type { RegistryStateTable } from './registry-state-table.ts';

/** How one provider is for the keys of one environment, from its recent outcomes. */
export interface RegistryHealth {
  readonly name: string;
  readonly displayName: string;
  readonly environment: ProviderKey['env'];
  readonly status: Health;
  /** Since when it is so, epoch milliseconds; undefined where it never was in trouble. */
  readonly sinceMs: number | undefined;
}

/** What may be asked: every live provider of the routing, each once, and the sandbox for test keys. */
export function configuredProviderKeys(routing: RegistryRouting): ProviderKey[] {
  const live = new Set(Object.values(routing).flat());
  const places = [...live].map((provider) => ({ provider, env: 'live' }) as const);
  return [...places, { provider: 'sandbox', env: 'test' }];
}

/** Reads how all of them are, in one round trip. */
export async function readHealth(
  places: readonly ProviderKey[],
  table: RegistryStateTable,
  displayName: (provider: string) => string,
  nowMs: number,
): Promise<RegistryHealth[]> {
  const states = await table.getStates(places);
  return places.map((place, index) => {
    const state: RegistryState | undefined = states[index];
    if (!state) throw new Error('The table told fewer states than it was asked for.');
    const status = healthOf(state, nowMs);
    const { provider: name, env: environment } = place;
    const sinceMs = troubleSinceMs(state, nowMs);
    return { name, displayName: displayName(name), environment, status, sinceMs };
  });
}

/**
 * The service's own state as a caller sees it: the registries make it degraded, and down only where no live one is
 * left. The sandbox can do no more than degrade it.
 */
export function worstOf(registries: readonly RegistryHealth[]): Health {
  const live = registries.filter(({ environment }) => environment === 'live');
  if (live.length > 0 && live.every(({ status }) => status === 'down')) return 'down';
  return registries.every(({ status }) => status === 'up') ? 'up' : 'degraded';
}

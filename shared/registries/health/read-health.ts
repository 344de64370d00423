import type { RegistryRouting } from '../../core/config.ts';
import type { Environment } from '../../core/environment.ts';
import type { ProviderKey } from '../../core/keys.ts';
import { type Disabling, type Health, healthOf, healthSinceMs, type RegistryState } from '../breaker.ts';
import { displayNameOf } from '../providers/catalogue.ts';
import type { RegistryStateTable } from './registry-state-table.ts';

export interface RegistryHealth {
  readonly name: string;
  readonly displayName: string;
  readonly environment: Environment;
  readonly status: Health;
  /**
   * When the current health began, in epoch milliseconds. Undefined if the breaker has never changed and the provider
   * is up.
   */
  readonly sinceMs: number | undefined;
  readonly disabled: Disabling | undefined;
}

/** Returns the providers that requests can reach: those in the routing for live keys, and the sandbox for test keys. */
export function configuredProviderKeys(routing: RegistryRouting): ProviderKey[] {
  const live = new Set(Object.values(routing).flat());
  const keys = [...live].map((provider) => ({ provider, env: 'live' }) as const);
  return [...keys, { provider: 'sandbox', env: 'test' }];
}

/** Reads the health of providers in one round trip. */
export async function readHealth(
  keys: readonly ProviderKey[],
  table: RegistryStateTable,
  nowMs: number,
): Promise<RegistryHealth[]> {
  const states = await table.getStates(keys);
  return keys.map(({ provider: name, env: environment }, index) => {
    const state: RegistryState | undefined = states[index];
    if (!state) throw new Error('The table returned fewer states than requested.');
    return {
      name,
      displayName: displayNameOf(name),
      environment,
      status: healthOf(state, nowMs),
      sinceMs: healthSinceMs(state, nowMs),
      disabled: state.disabled,
    };
  });
}

/**
 * Returns the health of the service as far as it depends on providers: down if all live providers are down, degraded if
 * any provider, including the sandbox, is not up.
 */
export function worstOf(registries: readonly RegistryHealth[]): Health {
  const live = registries.filter(({ environment }) => environment === 'live');
  if (live.length > 0 && live.every(({ status }) => status === 'down')) return 'down';
  return registries.every(({ status }) => status === 'up') ? 'up' : 'degraded';
}

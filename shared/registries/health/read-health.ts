import type { RegistryRouting } from '../../core/config.ts';
import type { Environment } from '../../core/environment.ts';
import { ID_TYPES, type IdType } from '../../core/id-types.ts';
import type { ProviderKey } from '../../core/keys.ts';
import { type Disabling, type Health, healthOf, healthSinceMs, type RegistryState } from '../breaker.ts';
import { displayNameOf } from '../providers/catalogue.ts';
import type { RegistryStateTable } from './registry-state-table.ts';

/** The health of a provider for the numbers of one ID type. */
export interface RegistryHealth extends ProviderHealth {
  readonly idType: IdType;
}

export interface ProviderHealth {
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
  const live = ID_TYPES.flatMap((idType) =>
    (routing[idType] ?? []).map((provider) => ({ provider, env: 'live', idType }) as const),
  );
  return [...live, ...ID_TYPES.map((idType) => ({ provider: 'sandbox', env: 'test', idType }) as const)];
}

/** Reads the health of providers in one round trip. */
export async function readHealth(
  keys: readonly ProviderKey[],
  table: RegistryStateTable,
  nowMs: number,
): Promise<RegistryHealth[]> {
  const states = await table.getStates(keys);
  return keys.map(({ provider: name, env: environment, idType }, index) => {
    const state: RegistryState | undefined = states[index];
    if (!state) throw new Error('The table returned fewer states than requested.');
    return {
      name,
      displayName: displayNameOf(name),
      environment,
      idType,
      status: healthOf(state, nowMs),
      sinceMs: healthSinceMs(state, nowMs),
      disabled: state.disabled,
    };
  });
}

/**
 * Returns the health of each provider: down if it is down for all its ID types, degraded if it is not up for one. It
 * began with the latest change, or for a degraded provider with the first of the ID types that are not up.
 */
export function healthOfProviders(all: readonly RegistryHealth[]): ProviderHealth[] {
  const groups = Map.groupBy(all, ({ name, environment }) => `${name} ${environment}`);
  return [...groups.values()].flatMap((group) => {
    const [{ idType: _, ...first }] = group as [RegistryHealth];
    const isEach = (health: Health) => group.every(({ status }) => status === health);
    const timesOf = (some: readonly RegistryHealth[]) => some.flatMap(({ sinceMs }) => sinceMs ?? []);
    const changedMs = Math.max(...timesOf(group));
    const sinceMs = Math.min(...timesOf(group.filter(({ status }) => status !== 'up')));
    if (isEach('up') || isEach('down'))
      return { ...first, sinceMs: Number.isFinite(changedMs) ? changedMs : undefined };
    return { ...first, status: 'degraded', sinceMs: Number.isFinite(sinceMs) ? sinceMs : undefined };
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

import type { LiveRouting } from '../../../infra/config.ts';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import type { ProviderKey } from '../../../shared/core/keys.ts';
import type { Disabling } from '../../../shared/registries/breaker.ts';
import {
  configuredProviderKeys,
  healthOfProviders,
  type ProviderHealth,
  type RegistryHealth,
  readHealth,
} from '../../../shared/registries/health/read-health.ts';
import { registryStateTable } from '../../../shared/registries/health/registry-state-table.ts';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import type { Deployment } from '../deployment.ts';

/** The health of a provider, and the ID types that it serves. */
export interface RegistryStatus extends Omit<ProviderHealth, 'sinceMs' | 'disabled'> {
  /** When the current health began (ISO time); null if the provider is up and its breaker has never changed. */
  readonly since: string | null;
  /**
   * The ID types. For a live provider, each includes the provider's position in the routing order: with `NIN (1)`, the
   * provider is tried first for NIN. It names the health if the ID type is not up.
   */
  readonly serves: readonly string[];
  /** Who disabled the provider, when (ISO time) and why; null if it is enabled. */
  readonly disabled: DisabledView | null;
}

export interface DisabledView extends Omit<Disabling, 'atMs'> {
  readonly at: string;
}

/**
 * Returns the health of the providers in a stage's routing, of the sandbox for its test keys, and of disabled providers
 * that are not in the routing, because they would remain disabled if they were added to it.
 */
export async function registryStatus(
  { client, tables }: Deployment,
  routing: LiveRouting,
  nowMs: number,
): Promise<RegistryStatus[]> {
  const configured = configuredProviderKeys(routing);
  const others = LIVE_PROVIDER_NAMES.filter((name) => !configured.some(({ provider }) => provider === name));
  const keys = [...configured, ...others.map((provider) => liveKey(provider, ID_TYPES[0]))];
  const all = await readHealth(keys, registryStateTable(client, tables.apiKeys), nowMs);
  const shown = all.filter(({ disabled }, index) => index < configured.length || disabled);
  return healthOfProviders(shown).map(({ sinceMs, disabled, ...health }) => ({
    ...health,
    since: sinceMs === undefined ? null : isoTime(sinceMs),
    serves: all.filter(isOf(health)).flatMap((one) => servedIdType(one, routing)),
    disabled: disabled ? disabledView(disabled) : null,
  }));
}

const isOf = (provider: Pick<ProviderHealth, 'name' | 'environment'>) => (one: RegistryHealth) =>
  one.name === provider.name && one.environment === provider.environment;

function servedIdType({ name, environment, idType, status, disabled }: RegistryHealth, routing: LiveRouting) {
  const order: readonly string[] = routing[idType] ?? [];
  const index = order.indexOf(name);
  if (environment === 'live' && index < 0) return [];
  const position = environment === 'live' ? [`(${index + 1})`] : [];
  const health = disabled || status === 'up' ? [] : [status];
  return [[idType, ...position, ...health].join(' ')];
}

/** Returns the ID types that live keys could not look up if this provider were disabled. */
export async function idTypesWithout(
  provider: LiveProviderName,
  { client, tables }: Pick<Deployment, 'client' | 'tables'>,
  routing: LiveRouting,
): Promise<IdType[]> {
  const keys = configuredProviderKeys(routing);
  const states = await registryStateTable(client, tables.apiKeys).getStates(keys);
  const enabled = keys.filter((key, index) => key.provider !== provider && !states[index]?.disabled);
  return ID_TYPES.filter((idType) => {
    const order: readonly string[] = routing[idType] ?? [];
    return order.includes(provider) && !enabled.some((key) => key.env === 'live' && key.idType === idType);
  });
}

/** Test keys never reach a live provider, so only the state for live keys has a switch. */
function liveKey(provider: LiveProviderName, idType: IdType): ProviderKey {
  return { provider, env: 'live', idType };
}

export function disabledView({ actor, reason, atMs }: Disabling): DisabledView {
  return { actor, reason, at: isoTime(atMs) };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

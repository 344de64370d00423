import type { LiveRouting } from '../../../infra/config.ts';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import {
  configuredProviderKeys,
  type RegistryHealth,
  readHealth,
} from '../../../shared/registries/health/read-health.ts';
import { registryStateTable } from '../../../shared/registries/health/registry-state-table.ts';
import type { RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import type { ProviderConfig } from '../../../shared/registries/providers/access.ts';
import { liveProviderName } from '../../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import type { Deployment } from '../deployment.ts';

/** The health of a provider, and the ID types that it serves. */
export interface RegistryStatus extends Omit<RegistryHealth, 'sinceMs'> {
  /** ISO time; null if the provider has never been down. */
  readonly since: string | null;
  /** ID types with the provider's position in the routing order: `NIN (1)` is tried first. */
  readonly serves: readonly string[];
}

/** Returns the health of the providers of a stage's routing, and of the sandbox for its test keys. */
export async function registryStatus(
  { client, tables }: Deployment,
  routing: LiveRouting,
  nowMs: number,
): Promise<RegistryStatus[]> {
  const table = registryStateTable(client, tables.apiKeys);
  const all = await readHealth(configuredProviderKeys(routing), table, nowMs);
  return all.map(({ sinceMs, ...health }) => ({
    ...health,
    since: sinceMs === undefined ? null : new Date(sinceMs).toISOString(),
    serves: health.environment === 'test' ? [...ID_TYPES] : servedIdTypes(health.name, routing),
  }));
}

function servedIdTypes(provider: string, routing: LiveRouting): string[] {
  return ID_TYPES.flatMap((idType) => {
    const order: readonly string[] = routing[idType] ?? [];
    const index = order.indexOf(provider);
    return index < 0 ? [] : [`${idType} (${index + 1})`];
  });
}

/** The result of a test look-up, without the record: personal data does not belong in a terminal. */
export interface RegistryTest {
  readonly provider: string;
  readonly idType: IdType;
  readonly level: RegistryQuery['level'];
  readonly outcome: RegistryResult['kind'];
  readonly detail: string;
  /** True if the provider may bill the look-up although it returned no record. */
  readonly maybeBilled: boolean;
  readonly latencyMs: number;
}

/** Sends one look-up directly to a provider. It bypasses the router, so the recorded health does not change. */
export async function testRegistry(
  name: string,
  query: RegistryQuery,
  config: ProviderConfig,
): Promise<RegistryTest> {
  const provider = liveProvider(liveProviderName(name), config);
  const { idType, level } = query;
  if (!provider.idTypes[idType]?.includes(level))
    throw new Error(`${provider.displayName} does not offer ${idType} look-ups of level ${level}.`);
  const startedMs = Date.now();
  const result = await provider.lookUp(query);
  return {
    provider: provider.displayName,
    idType,
    level,
    outcome: result.kind,
    detail: result.kind === 'found' ? '' : result.detail,
    maybeBilled: result.kind !== 'found' && result.maybeBilled === true,
    latencyMs: Date.now() - startedMs,
  };
}

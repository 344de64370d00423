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
import { LIVE_PROVIDER_NAMES, liveProviderName } from '../../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import type { Deployment } from '../deployment.ts';

/** What an operator does with registries: sees how they are, and asks one directly. */

export const PROVIDER_NAMES = LIVE_PROVIDER_NAMES;

/** How the services see a provider, and which ID types it stands in the order of, `NIN (1)` for the first place. */
export interface RegistryStatus extends Omit<RegistryHealth, 'sinceMs'> {
  readonly since: string | null;
  readonly serves: readonly string[];
}

/** The providers of a stage's routing, and the sandbox of its test keys. */
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
    serves: health.environment === 'test' ? [...ID_TYPES] : placesOf(health.name, routing),
  }));
}

function placesOf(name: string, routing: LiveRouting): string[] {
  return ID_TYPES.flatMap((idType) => {
    const order: readonly string[] = routing[idType] ?? [];
    const deployment = order.indexOf(name);
    return deployment < 0 ? [] : [`${idType} (${deployment + 1})`];
  });
}

/** What came of one look-up. Nothing of the record: an operator's terminal is no place for a person's data. */
export interface RegistryTest {
  readonly provider: string;
  readonly idType: IdType;
  readonly level: RegistryQuery['level'];
  readonly outcome: RegistryResult['kind'];
  readonly detail: string;
  /** May it have billed the look-up without a record to show for it? */
  readonly maybeBilled: boolean;
  readonly latencyMs: number;
}

/** Asks a provider past the router, so that the service's own view of it stays as it is. */
export async function testRegistry(
  name: string,
  query: RegistryQuery,
  config: ProviderConfig,
): Promise<RegistryTest> {
  const provider = liveProvider(liveProviderName(name), config);
  const { idType, level } = query;
  if (!provider.idTypes[idType]?.includes(level))
    throw new Error(`${provider.displayName} does not serve ${idType} ${level}.`);
  const startedMs = Date.now();
  const answer = await provider.lookUp(query);
  return {
    ...{ provider: provider.displayName, idType, level, outcome: answer.kind },
    detail: answer.kind === 'found' ? '' : answer.detail,
    maybeBilled: answer.kind !== 'found' && answer.maybeBilled === true,
    latencyMs: Date.now() - startedMs,
  };
}

import { setting } from '../../core/config.ts';
import { connect } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ProviderKey } from '../../core/keys.ts';
import type { Run } from '../../http/public-route.ts';
import type { Information } from '../../http/result.ts';
import {
  configuredProviderKeys,
  healthOfProviders,
  type ProviderHealth,
  readHealth,
  worstOf,
} from '../health/read-health.ts';
import { type RegistryStateTable, registryStateTable } from '../health/registry-state-table.ts';

/** The route is public, so an instance reads the table at most once in this time. */
const CACHED_MS = 5_000;
const SLOW_MS = 500;

/** Replaces the catalogue's message, which names a registry as the cause. */
const DATABASE_UNAVAILABLE = "The service's database does not respond.";

export interface HealthDependencies {
  readonly states: RegistryStateTable;
  readonly providers: readonly ProviderKey[];
  readonly nowMs: () => number;
}

function healthDependencies(): HealthDependencies {
  return {
    // One attempt only: retries would hide a slow database.
    states: registryStateTable(connect(1), setting('API_KEYS_TABLE')),
    providers: configuredProviderKeys(setting('REGISTRIES')),
    nowMs: Date.now,
  };
}

/**
 * GET /v1/health: 200 with the state of the service's components and of each registry, derived from recent outcomes.
 * 503 if the database does not respond, because no request with a key can then be served.
 */
export function showHealth({ states, providers, nowMs }: HealthDependencies = healthDependencies()): Run {
  let cached: { readonly untilMs: number; readonly result: Promise<Information> } | undefined;

  async function readState(): Promise<Information> {
    const startedMs = nowMs();
    const registries = await readHealth(providers, states, startedMs).catch((cause: unknown) => {
      throw new ServiceError('SERVICE_UNAVAILABLE', {
        message: DATABASE_UNAVAILABLE,
        cause,
      });
    });
    const database = nowMs() - startedMs > SLOW_MS ? 'degraded' : 'up';
    const worst = worstOf(registries);
    const status = worst === 'up' ? database : worst;
    const data = { status, parts: { database }, registries: healthOfProviders(registries).map(registryView) };
    return { kind: 'information', code: 'HEALTH', message: 'Service health.', data };
  }

  return () => {
    if (!cached || cached.untilMs <= nowMs()) cached = { untilMs: nowMs() + CACHED_MS, result: readState() };
    return cached.result;
  };
}

function registryView({ displayName, environment, status, sinceMs }: ProviderHealth) {
  const since = sinceMs === undefined ? null : new Date(sinceMs).toISOString();
  return { provider: displayName, environment, status, since };
}

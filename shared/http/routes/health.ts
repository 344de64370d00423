import { setting } from '../../core/config.ts';
import { connect } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ProviderKey } from '../../core/keys.ts';
import {
  configuredProviderKeys,
  type RegistryHealth,
  readHealth,
  worstOf,
} from '../../registries/health/read-health.ts';
import { type RegistryStateTable, registryStateTable } from '../../registries/health/registry-state-table.ts';
import type { Run } from '../chains.ts';
import type { Information } from '../result.ts';

/** Anybody may ask, so an instance reads the table no more often than this. */
const KEPT_MS = 5_000;
/** A database that takes longer does answer, but is not well. */
const SLOW_MS = 500;

/** In place of the catalogue's words, which speak of a registry. */
export const DATABASE_SILENT = "The service's database does not answer.";

export interface HealthDependencies {
  readonly states: RegistryStateTable;
  readonly places: readonly ProviderKey[];
  readonly nowMs: () => number;
}

function healthDependencies(): HealthDependencies {
  return {
    // One try: who asks how we are wants no answer that was fetched with patience.
    states: registryStateTable(connect(1), setting('API_KEYS_TABLE')),
    places: configuredProviderKeys(setting('REGISTRIES')),
    nowMs: Date.now,
  };
}

/**
 * GET /v1/health: 200 with the state of the service's parts and of each registry, as told by recent outcomes; no
 * registry is asked for it. 503 where the database does not answer: without it no request can be served.
 */
export function showHealth({ states, places, nowMs }: HealthDependencies = healthDependencies()): Run {
  let kept: { readonly untilMs: number; readonly answer: Promise<Information> } | undefined;

  async function look(): Promise<Information> {
    const startedMs = nowMs();
    const registries = await readHealth(places, states, startedMs).catch((cause: unknown) => {
      throw new ServiceError('SERVICE_UNAVAILABLE', {
        message: DATABASE_SILENT,
        cause,
      });
    });
    const database = nowMs() - startedMs > SLOW_MS ? 'degraded' : 'up';
    const worst = worstOf(registries);
    const status = worst === 'up' ? database : worst;
    const data = { status, parts: { database }, registries: registries.map(registryView) };
    return { kind: 'information', code: 'HEALTH', message: 'Service health.', data };
  }

  return () => {
    if (!kept || kept.untilMs <= nowMs()) kept = { untilMs: nowMs() + KEPT_MS, answer: look() };
    return kept.answer;
  };
}

function registryView({ displayName, environment, status, sinceMs }: RegistryHealth) {
  const since = sinceMs === undefined ? null : new Date(sinceMs).toISOString();
  return { provider: displayName, environment, status, since };
}

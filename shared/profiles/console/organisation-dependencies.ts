import type { Recorder } from '../../audit/recorder.ts';
import { REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { secret } from '../../core/secrets.ts';
import { providerHistoryTable } from '../../registries/health/provider-history-table.ts';
import { providerRecorder } from '../../registries/health/recorder.ts';
import { registryStateTable } from '../../registries/health/registry-state-table.ts';
import { servedRouting } from '../../registries/providers/catalogue.ts';
import { CAC_PROVIDERS, TIN_PROVIDERS } from '../../registries/providers/connections.ts';
import { configuredProvider } from '../../registries/providers/make-provider.ts';
import { registryRouter } from '../../registries/router.ts';
import { numberLookUpTable } from '../number-look-up-table.ts';
import { type ProfileTable, profileTable } from '../profile-table.ts';
import type { SubmitDependencies } from './organisation.ts';

export function profiles(): (recorder?: Recorder) => ProfileTable {
  const client = database();
  const tables = { console: setting('CONSOLE_TABLE'), apiKeys: setting('API_KEYS_TABLE') };
  return (recorder) => profileTable(client, tables, recorder);
}

/** At the stage's live registries. */
export function numberChecks(): SubmitDependencies['checks'] {
  const { nowMs } = REAL_CLOCK;
  const [client, table] = [database(), setting('API_KEYS_TABLE')];
  const states = registryStateTable(client, table);
  const connections = { ...CAC_PROVIDERS, ...TIN_PROVIDERS };
  const registries = registryRouter({
    routing: servedRouting(setting('REGISTRIES')),
    makeProvider: (name) => configuredProvider(name, connections),
    recorder: providerRecorder(states, providerHistoryTable(client, table)),
    nowMs,
  });
  return {
    lookUps: numberLookUpTable(client, setting('CONSOLE_TABLE')),
    pepper: () => secret('PEPPER'),
    registries,
    states,
    nowMs,
    timeoutMs: setting('REGISTRY_TIMEOUT_MS'),
  };
}

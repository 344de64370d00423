import { type CallerDependencies, callerDependencies } from '../../accounts/middleware/dependencies.ts';
import type { RateLimitTable } from '../../accounts/rate-limit-table.ts';
import { type TestTrafficTable, testTrafficTable } from '../../accounts/test-traffic-table.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database, databaseWithoutRetries } from '../../core/database.ts';
import { refreshSecret, type Secret, secret } from '../../core/secrets.ts';
import { type PublishSoon, publishSoon } from '../../events/publish-soon.ts';
import { type InstanceMemory, instanceMemory, type LedgerTables } from '../../ledger/dependencies.ts';
import { chargeTable } from '../../ledger/tables/charge-table.ts';
import { idempotencyTable } from '../../ledger/tables/idempotency-table.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { walletTable } from '../../ledger/tables/wallet-table.ts';
import { providerHistoryTable } from '../../registries/health/provider-history-table.ts';
import { providerRecorder } from '../../registries/health/recorder.ts';
import { registryStateTable } from '../../registries/health/registry-state-table.ts';
import { servedRouting } from '../../registries/providers/catalogue.ts';
import type { Connections } from '../../registries/providers/connections.ts';
import { configuredProvider } from '../../registries/providers/make-provider.ts';
import { type RegistryRouter, registryRouter } from '../../registries/router.ts';
import { type LogTable, logTable } from '../log-table.ts';

export interface LedgerDependencies {
  readonly ledger: LedgerTables;
  readonly log: LogTable;
}

export interface LookUpDependencies extends LedgerDependencies {
  readonly clock: Clock;
  readonly memory: InstanceMemory;
  readonly limiter: Pick<RateLimitTable, 'takeGuess' | 'giveBackGuess'>;
  readonly registries: RegistryRouter;
  readonly testTraffic: TestTrafficTable;
  readonly pepper: () => Promise<Secret>;
  /** Fetches the pepper again. Returns undefined if it was fetched less than a second ago. */
  readonly refreshPepper: () => Promise<Secret | undefined>;
  readonly registryTimeoutMs: number;
  readonly publishSoon: PublishSoon;
  /** If an organisation has no threshold. */
  readonly lowBalanceCredits: number;
}

export interface VerificationDependencies extends CallerDependencies, LookUpDependencies {
  readonly limiter: RateLimitTable;
  readonly registries: RegistryRouter;
}

export function ledgerDependencies(): LedgerDependencies {
  const client = database();
  const onceClient = databaseWithoutRetries();
  const wallets = setting('WALLETS_TABLE');
  const log = logTable(client, onceClient, setting('VERIFICATION_LOGS_TABLE'), setting('LOG_RETENTION_DAYS'));
  const ledger = {
    wallets: walletTable(client, onceClient, wallets),
    shards: shardTable(client, wallets),
    charges: chargeTable(client, onceClient, wallets),
    idempotency: idempotencyTable(client, wallets),
    log,
  };
  return { ledger, log };
}

function registries(connections: Connections): RegistryRouter {
  const [client, table] = [database(), setting('API_KEYS_TABLE')];
  return registryRouter({
    routing: servedRouting(setting('REGISTRIES')),
    makeProvider: (name) => configuredProvider(name, connections),
    recorder: providerRecorder(registryStateTable(client, table), providerHistoryTable(client, table)),
    nowMs: REAL_CLOCK.nowMs,
  });
}

/** Returns the dependencies of a route that looks up numbers at these live providers, or at the sandbox. */
export function verificationDependencies(connections: Connections): VerificationDependencies {
  const pepper = () => secret('PEPPER');
  // Fetched while the instance starts, so that the first request does not wait for it. If this fails, that request
  // fetches it again.
  pepper().catch(() => undefined);
  return {
    ...callerDependencies(),
    ...ledgerDependencies(),
    memory: instanceMemory(),
    registries: registries(connections),
    testTraffic: testTrafficTable(database(), setting('API_KEYS_TABLE'), setting('TEST_TRAFFIC')),
    pepper,
    refreshPepper: () => refreshSecret('PEPPER'),
    registryTimeoutMs: setting('REGISTRY_TIMEOUT_MS'),
    publishSoon: publishSoon(),
    lowBalanceCredits: setting('LOW_BALANCE_CREDITS'),
  };
}

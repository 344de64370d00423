import { accountReads } from '../shared/accounts/account-reads.ts';
import { REAL_CLOCK } from '../shared/core/clock.ts';
import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import { logger } from '../shared/core/logger.ts';
import { onlyAboveZero, publishMetrics } from '../shared/core/metrics.ts';
import { secretAges } from '../shared/core/secret-age.ts';
import { eventBus } from '../shared/events/event-bus.ts';
import { type PublishReport, runPublisher } from '../shared/events/publish-events.ts';
import { publishedTable } from '../shared/events/published-table.ts';
import { shardTable } from '../shared/ledger/tables/shard-table.ts';
import { creditedTable } from '../shared/payments/orders/credited-table.ts';
import { configuredProviderKeys, readHealth } from '../shared/registries/health/read-health.ts';
import { registryStateTable } from '../shared/registries/health/registry-state-table.ts';

const [client, accounts] = [database(), setting('API_KEYS_TABLE')];
const providerKeys = configuredProviderKeys(setting('REGISTRIES'));
const deps = {
  ...REAL_CLOCK,
  ...accountReads(client, accounts),
  published: publishedTable(client, accounts),
  shards: shardTable(client, setting('WALLETS_TABLE')),
  readRegistries: () => readHealth(providerKeys, registryStateTable(client, accounts), Date.now()),
  topUps: creditedTable(client, setting('PAYMENTS_TABLE')),
  send: eventBus(setting('EVENT_BUS')),
  lowBalanceCredits: setting('LOW_BALANCE_CREDITS'),
};
const reportSecretAges = secretAges(setting('MONITORED_SECRETS'));

/** Metrics about registries, unusual use of keys and the age of secrets. */
const report = async ({ registriesDown, withManyLookUps, withManyMisses, ...others }: PublishReport) => {
  logger.info('events', { registriesDown, withManyLookUps, withManyMisses, ...others });
  // 0 is also published, because the alarm on the registries fires if there is no value.
  publishMetrics({ values: { registriesDown, ...onlyAboveZero({ withManyLookUps, withManyMisses }) } });
  await reportSecretAges(Date.now());
};

/** Runs every minute, and for each wallet that another function reports as changed. */
export const handler = logFailure((event: unknown) => runPublisher(event, deps, report));

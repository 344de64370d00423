import type { ApiKey } from '../../accounts/api-key.ts';
import { type ApiKeyTable, apiKeyTable } from '../../accounts/api-key-table.ts';
import { readUseOfKeys } from '../../accounts/console/use-of-keys.ts';
import { type KeyUsageTable, keyUsageTable } from '../../accounts/key-usage-table.ts';
import type { Organisation } from '../../accounts/organisation.ts';
import type { Alert } from '../../alerts/alert.ts';
import { type AlertTable, alertTable } from '../../alerts/alert-table.ts';
import { dayPlus, lagosDay } from '../../core/accounting-month.ts';
import { type Clock, DAY_MS, REAL_CLOCK } from '../../core/clock.ts';
import { type RegistryRouting, setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import { later } from '../../core/time-order.ts';
import type { NoInput } from '../../http/console/middleware/json-body.ts';
import { type BalanceTable, readBalance } from '../../ledger/read-balance.ts';
import { walletBusy } from '../../ledger/routes/wallet-busy.ts';
import type { Balance } from '../../ledger/rows/wallet.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import type { Profile } from '../../members/rows.ts';
import { type ProfileTable, profileTable } from '../../profiles/profile-table.ts';
import {
  configuredProviderKeys,
  type RegistryHealth,
  readHealth,
} from '../../registries/health/read-health.ts';
import { type RegistryStateTable, registryStateTable } from '../../registries/health/registry-state-table.ts';
import type { UsageRow } from '../../usage/rows.ts';
import { type BalanceDay, monthsShown } from '../../usage/run-out.ts';
import { type UsageTable, usageTable } from '../../usage/usage-table.ts';
import { firstDayShown, homeView } from './home-view.ts';
import type { HomeView } from './views.ts';

export interface HomeDependencies {
  readonly keys: Pick<ApiKeyTable, 'listApiKeys'>;
  readonly usage: Pick<KeyUsageTable, 'readKeyUsage'>;
  readonly profiles: Pick<ProfileTable, 'getProfile'>;
  readonly states: RegistryStateTable;
  readonly shards: BalanceTable;
  readonly alerts: Pick<AlertTable, 'listAlerts'>;
  readonly counts: Pick<UsageTable, 'readBalances' | 'readDays'>;
  readonly routing: RegistryRouting;
  readonly clock: Clock;
}

export function homeDependencies(): HomeDependencies {
  const client = database();
  const apiKeys = setting('API_KEYS_TABLE');
  return {
    keys: apiKeyTable(client, apiKeys),
    usage: keyUsageTable(client, apiKeys),
    profiles: profileTable(client, { console: setting('CONSOLE_TABLE'), apiKeys }),
    states: registryStateTable(client, apiKeys),
    shards: shardTable(client, setting('WALLETS_TABLE')),
    alerts: alertTable(client, setting('CONSOLE_TABLE')),
    counts: usageTable(client, setting('CONSOLE_TABLE')),
    routing: setting('REGISTRIES'),
    clock: REAL_CLOCK,
  };
}

const ALERTS_SHOWN_MS = 7 * DAY_MS;

export interface HomeReads {
  readonly keys: readonly ApiKey[];
  readonly profile: Profile | undefined;
  readonly days: readonly BalanceDay[];
  readonly requests: readonly UsageRow[];
  readonly alerts: readonly Alert[];
  readonly health: readonly RegistryHealth[];
}

/**
 * Reads the organisation's keys, profile, daily balances and recent alerts, and the state of the live providers, while
 * the session is checked.
 */
export function readHome({
  keys,
  profiles,
  counts,
  alerts,
  states,
  routing,
  clock,
}: HomeDependencies): Prefetch<HomeReads> {
  const providers = configuredProviderKeys(routing).filter(({ env }) => env === 'live');
  return async (organisationId) => {
    const live = { env: 'live', organisationId } as const;
    const today = lagosDay(clock.nowMs());
    const first = firstDayShown(clock.nowMs());
    // A query reads days of one month.
    const start = monthStart(today);
    const [rows, profile, days, requests, earlier, recent, health] = await Promise.all([
      keys.listApiKeys(organisationId),
      profiles.getProfile(organisationId),
      counts.readBalances(live, monthsShown(today)),
      counts.readDays(live, later(first, start), today),
      first < start ? counts.readDays(live, first, dayPlus(start, -1)) : [],
      alerts.listAlerts(organisationId, new Date(clock.nowMs() - ALERTS_SHOWN_MS).toISOString()),
      readHealth(providers, states, clock.nowMs()),
    ]);
    return { keys: rows, profile, days, requests: [...earlier, ...requests], alerts: recent, health };
  };
}

const monthStart = (day: string) => `${day.slice(0, 7)}-01`;

/** GET /home */
export function showHome(deps: HomeDependencies): ConsoleRun<ConsoleRequest, NoInput, HomeReads> {
  return async ({ organisation, nowMs }, _, reads) => {
    const [usage, live, test] = await Promise.all([
      readUseOfKeys(reads.keys, deps.usage, nowMs),
      balanceOf('live', organisation, deps),
      balanceOf('test', organisation, deps),
    ]);
    const rows = { ...reads, organisation, usage, balances: { live, test } };
    return { data: homeView(rows, nowMs) satisfies HomeView };
  };
}

async function balanceOf(
  env: Environment,
  { id, walletShards }: Organisation,
  { shards, clock }: HomeDependencies,
): Promise<Balance> {
  const balance = await readBalance({ env, organisationId: id }, walletShards, shards, clock);
  if (!balance) throw walletBusy();
  return balance;
}

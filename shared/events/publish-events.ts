import { type ApiKey, isUsable } from '../accounts/api-key.ts';
import type { ApiKeyTable } from '../accounts/api-key-table.ts';
import type { KeyUsageTable } from '../accounts/key-usage-table.ts';
import type { OrganisationTable } from '../accounts/organisation-table.ts';
import type { Clock } from '../core/clock.ts';
import type { RegistryRouting } from '../core/config.ts';
import { errorFields, logger } from '../core/logger.ts';
import { type BalanceTable, readBalance } from '../ledger/read-balance.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import type { RegistryHealth } from '../registries/health/read-health.ts';
import {
  type CreditedTopUp,
  eventOf,
  isChange,
  type Observation,
  observeApprovals,
  observeIdTypes,
  observeKey,
  observeRegistry,
  observeWallet,
  topUpEvent,
} from './event.ts';
import type { SendEvents } from './event-bus.ts';
import { observeKeyUsage, observeOrganisationUsage } from './observe-key-usage.ts';
import type { PublishedTable } from './published-table.ts';

interface PublishDependencies extends Clock {
  readonly published: PublishedTable;
  readonly shards: Pick<ShardTable, 'listShards'> & BalanceTable;
  readonly organisations: Pick<OrganisationTable, 'getOrganisations'>;
  readonly keys: Pick<ApiKeyTable, 'listApiKeys'>;
  readonly usage: KeyUsageTable;
  readonly readRegistries: () => Promise<readonly RegistryHealth[]>;
  /** The live providers of each ID type. */
  readonly routing: RegistryRouting;
  readonly send: SendEvents;
  readonly topUps: CreditedTopUps;
  /** If an organisation has none. */
  readonly lowBalanceCredits: number;
}

/** Top-ups whose events are not published yet. */
export interface CreditedTopUps {
  listCredited(): Promise<readonly CreditedTopUp[]>;
  /** Does nothing if the order is no longer on the list. */
  markPublished(topUp: CreditedTopUp): Promise<void>;
}

/** The result of a run. */
export interface PublishReport {
  readonly sent: number;
  /** Without those that an operator disabled. */
  readonly registriesDown: number;
  /** Live keys, and organisations with several, whose use today is unusual. */
  readonly withManyLookUps: number;
  readonly withManyMisses: number;
  /** Organisations that keys name which were rejected unusually often. */
  readonly withManyRejections: number;
}

const ORGANISATIONS_AT_ONCE = 10;

/** Events are sent before their state is recorded, so each is sent at least once, with the same ID. */
export async function publishEvents(deps: PublishDependencies): Promise<PublishReport> {
  const { published, send } = deps;
  const registries = (await deps.readRegistries()).filter(({ environment }) => environment === 'live');
  const seen = new Map((await published.listPublished()).map((one) => [one.subject, one]));
  const observations = [
    ...registries.map(observeRegistry),
    ...observeIdTypes(deps.routing, registries),
    ...observeApprovals(seen.values()),
    ...(await observeAccounts(deps)),
  ].filter((one) => one !== undefined);
  const changes = observations.filter((one) => isChange(one, seen.get(one.subject)));
  const events = changes
    .map((change) => eventOf(change, seen.get(change.subject)))
    .filter((event) => event !== undefined);
  const topUps = await deps.topUps.listCredited();
  events.push(...topUps.map(topUpEvent));
  await send(events);
  for (const { type, detail } of events) logger.info('event', { type, ...detail });
  for (const topUp of topUps) await deps.topUps.markPublished(topUp);
  for (const { subject, state, sinceMs } of changes)
    await published.recordPublished(
      { subject, state, publishedAtMs: sinceMs ?? deps.nowMs() },
      seen.get(subject),
    );
  const failing = registries.filter(({ status, disabled }) => status === 'down' && !disabled);
  const inState = (state: Observation['state']) => observations.filter((one) => one.state === state).length;
  return {
    sent: events.length,
    registriesDown: failing.length,
    withManyLookUps: inState('many-look-ups'),
    withManyMisses: inState('many-misses'),
    withManyRejections: inState('many-rejections'),
  };
}

async function observeAccounts(deps: PublishDependencies): Promise<(Observation | undefined)[]> {
  const listed = Map.groupBy(await deps.shards.listShards('live'), ({ wallet }) => wallet.organisationId);
  const ids = [...listed.keys()];
  const organisations = new Map((await deps.organisations.getOrganisations(ids)).map((one) => [one.id, one]));
  const apiKeys = (await inBatches(ids, (id) => keysOf(id, deps))).flat();
  const wallets = await inBatches(ids, (organisationId) => {
    // The list is eventually consistent.
    const shards = organisations.get(organisationId)?.walletShards ?? 1;
    const count = Math.max(shards, listed.get(organisationId)?.length ?? 1);
    return observeBalance(organisationId, count, organisations.get(organisationId)?.lowBalanceCredits, deps);
  });
  return [
    ...(await observeUsage(ids, apiKeys, deps)),
    ...wallets,
    ...apiKeys.map((key) => observeKey(key, deps.nowMs())),
  ];
}

/** One row that cannot be read must not stop the events of others. */
async function keysOf(organisation: string, { keys }: PublishDependencies): Promise<readonly ApiKey[]> {
  try {
    return await keys.listApiKeys(organisation);
  } catch (error) {
    logger.error('The API keys of an organisation were not read.', { organisation, ...errorFields(error) });
    return [];
  }
}

/** Keys that no longer work count only for their organisation. */
async function observeUsage(
  organisationIds: readonly string[],
  apiKeys: readonly ApiKey[],
  { usage, nowMs }: PublishDependencies,
): Promise<(Observation | undefined)[]> {
  const live = apiKeys.filter(({ env }) => env === 'live');
  const wallets = organisationIds.map((organisationId) => ({ env: 'live' as const, organisationId }));
  const [usageByKey, rejections] = await Promise.all([
    usage.readKeyUsage(
      live.map(({ hash }) => hash),
      nowMs(),
    ),
    usage.readRejections(wallets, nowMs()),
  ]);
  const used = live.flatMap((key) => {
    const found = usageByKey.get(key.hash);
    return found ? [{ key, usage: found }] : [];
  });
  const ofOrganisation = Map.groupBy(used, ({ key }) => key.organisationId);
  return [
    ...used.filter(({ key }) => isUsable(key, nowMs())).flatMap(observeKeyUsage),
    ...organisationIds.flatMap((id, index) => {
      const usages = (ofOrganisation.get(id) ?? []).map((one) => one.usage);
      return observeOrganisationUsage(id, usages, rejections[index] ?? 0);
    }),
  ];
}

/** Undefined if the wallet is too busy: the next run tries again. */
async function observeBalance(
  organisationId: string,
  shards: number,
  lowBalanceCredits: number | undefined,
  deps: PublishDependencies,
): Promise<Observation | undefined> {
  const balance = await readBalance({ env: 'live', organisationId }, shards, deps.shards, deps);
  return balance && observeWallet(organisationId, balance, lowBalanceCredits ?? deps.lowBalanceCredits);
}

async function inBatches<T>(ids: readonly string[], read: (id: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let first = 0; first < ids.length; first += ORGANISATIONS_AT_ONCE)
    results.push(...(await Promise.all(ids.slice(first, first + ORGANISATIONS_AT_ONCE).map(read))));
  return results;
}

import * as v from 'valibot';
import { isUsable, type ObservedKey } from '../accounts/api-key.ts';
import type { ApiKeyTable } from '../accounts/api-key-table.ts';
import type { KeyUsageTable } from '../accounts/key-usage-table.ts';
import { type WalletId, walletOfSubject, walletSubject } from '../core/keys.ts';
import { errorFields, logger } from '../core/logger.ts';
import { type BalanceTable, readBalance } from '../ledger/read-balance.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import { healthOfProviders, type RegistryHealth } from '../registries/health/read-health.ts';
import {
  eventOf,
  isChange,
  type Observation,
  observeApprovals,
  observeIdTypes,
  observeKey,
  observeRegistry,
  observeWallet,
  type PublishedState,
} from './event.ts';
import { observeKeyUsage, observeOrganisationUsage } from './observe-key-usage.ts';
import { walletChange } from './publish-soon.ts';
import {
  type CreditedTopUps,
  publishChange,
  publishWallet,
  type WalletDependencies,
} from './publish-wallet.ts';
import type { PublishedTable } from './published-table.ts';

interface PublishDependencies extends WalletDependencies {
  readonly published: PublishedTable;
  readonly shards: Pick<ShardTable, 'listShards'> & BalanceTable;
  readonly keys: Pick<ApiKeyTable, 'listObservedKeys'>;
  readonly usage: KeyUsageTable;
  readonly readRegistries: () => Promise<readonly RegistryHealth[]>;
  /** The live providers of each ID type. */
  readonly topUps: CreditedTopUps;
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

/** Publishes the events of the wallet that the event names, or all. `report` receives the result of the latter. */
export async function runPublisher(
  event: unknown,
  deps: PublishDependencies,
  report: (result: PublishReport) => Promise<void>,
): Promise<void> {
  if (v.is(walletChange, event)) await publishChange(event, deps);
  else await report(await publishEvents(deps));
}

/**
 * Events are sent before their state is recorded, so each is sent at least once, with the same ID. Those of wallets are
 * stored first.
 */
export async function publishEvents(deps: PublishDependencies): Promise<PublishReport> {
  const { published, send } = deps;
  const registries = (await deps.readRegistries()).filter(({ environment }) => environment === 'live');
  const seen = new Map((await published.listPublished()).map((one) => [one.subject, one]));
  const accounts = await observeAccounts(deps);
  const observations = [
    ...healthOfProviders(registries).map(observeRegistry),
    ...observeIdTypes(registries),
    ...observeApprovals(seen.values()),
    ...accounts.observations,
  ].filter((one) => one !== undefined);
  const changes = observations.filter((one) => isChange(one, seen.get(one.subject)));
  const events = changes
    .map((change) => eventOf(change, seen.get(change.subject)))
    .filter((event) => event !== undefined);
  await send(events);
  for (const { type, detail } of events) logger.info('event', { type, ...detail });
  for (const { subject, state, sinceMs } of changes)
    await published.recordPublished(
      { subject, state, publishedAtMs: sinceMs ?? deps.nowMs() },
      seen.get(subject),
    );
  const ofWallets = await publishWallets(accounts.wallets, seen, deps);
  const failing = registries.filter(({ status, disabled }) => status === 'down' && !disabled);
  const inState = (state: Observation['state']) => observations.filter((one) => one.state === state).length;
  return {
    sent: events.length + ofWallets,
    registriesDown: failing.length,
    withManyLookUps: inState('many-look-ups'),
    withManyMisses: inState('many-misses'),
    withManyRejections: inState('many-rejections'),
  };
}

interface ObservedWallet {
  readonly wallet: WalletId;
  readonly shards: number;
  /** Undefined without credits, or if the wallet is too busy: the next run tries again. */
  readonly observation: Observation | undefined;
}

/** Of the live wallets that have changed, and of those with credited top-ups or unsent events. Returns their number. */
async function publishWallets(
  wallets: readonly ObservedWallet[],
  seen: ReadonlyMap<string, PublishedState>,
  deps: PublishDependencies,
): Promise<number> {
  const changed = wallets.filter(
    ({ observation }) => observation && isChange(observation, seen.get(observation.subject)),
  );
  const unsent = [...seen.values()]
    .filter((one) => one.unsent)
    .map(({ subject }) => walletOfSubject(subject));
  const topUps = await deps.topUps.listCredited();
  const due = [...changed.map(({ wallet }) => wallet), ...unsent, ...topUps].filter(
    (one) => one !== undefined,
  );
  const bySubject = [...new Map(due.map((one) => [walletSubject(one), one]))];
  const counts = await inBatches(bySubject, ([subject, { env, organisationId }]) => {
    const isOfWallet = (one: WalletId) => walletSubject(one) === subject;
    const references = topUps.filter(isOfWallet).map(({ reference }) => reference);
    const shards = wallets.find(({ wallet }) => isOfWallet(wallet))?.shards ?? 1;
    return publishWallet({ env, organisationId }, { references, shards }, deps);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

async function observeAccounts(deps: PublishDependencies) {
  const listed = Map.groupBy(await deps.shards.listShards('live'), ({ wallet }) => wallet.organisationId);
  const ids = [...listed.keys()];
  const organisations = new Map((await deps.organisations.getOrganisations(ids)).map((one) => [one.id, one]));
  const apiKeys = (await inBatches(ids, (id) => keysOf(id, deps))).flat();
  const wallets = await inBatches(ids, async (organisationId): Promise<ObservedWallet> => {
    const { walletShards = 1, lowBalanceCredits } = organisations.get(organisationId) ?? {};
    // The list is eventually consistent.
    const shards = Math.max(walletShards, listed.get(organisationId)?.length ?? 1);
    const observation = await observeBalance(organisationId, shards, lowBalanceCredits, deps);
    return { wallet: { env: 'live', organisationId }, shards, observation };
  });
  const observations = [
    ...(await observeUsage(ids, apiKeys, deps)),
    ...apiKeys.map((key) => observeKey(key, deps.nowMs())),
  ];
  return { observations, wallets };
}

/** One row that cannot be read must not stop the events of others. */
async function keysOf(organisation: string, { keys }: PublishDependencies): Promise<readonly ObservedKey[]> {
  try {
    return await keys.listObservedKeys(organisation);
  } catch (error) {
    logger.error('The API keys of an organisation were not read.', { organisation, ...errorFields(error) });
    return [];
  }
}

/** Keys that no longer work count only for their organisation. */
async function observeUsage(
  organisationIds: readonly string[],
  apiKeys: readonly ObservedKey[],
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

async function observeBalance(
  organisationId: string,
  shards: number,
  lowBalanceCredits: number | undefined,
  deps: PublishDependencies,
): Promise<Observation | undefined> {
  const balance = await readBalance({ env: 'live', organisationId }, shards, deps.shards, deps);
  return balance && observeWallet(organisationId, balance, lowBalanceCredits ?? deps.lowBalanceCredits);
}

async function inBatches<S, T>(all: readonly S[], run: (one: S) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let first = 0; first < all.length; first += ORGANISATIONS_AT_ONCE)
    results.push(...(await Promise.all(all.slice(first, first + ORGANISATIONS_AT_ONCE).map(run))));
  return results;
}

import type { ApiKeyTable } from '../accounts/api-key-table.ts';
import type { OrganisationTable } from '../accounts/organisation-table.ts';
import { balanceOf, type WalletShard } from '../ledger/rows/wallet.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import type { RegistryHealth } from '../registries/health/read-health.ts';
import { eventOf, type Observation, observeKey, observeRegistry, observeWallet } from './event.ts';
import type { SendEvents } from './event-bus.ts';
import type { PublishedTable } from './published-table.ts';

export interface PublishDependencies {
  readonly published: PublishedTable;
  readonly shards: Pick<ShardTable, 'listShards' | 'getShards'>;
  readonly organisations: Pick<OrganisationTable, 'getOrganisations'>;
  readonly keys: Pick<ApiKeyTable, 'listApiKeys'>;
  readonly readRegistries: () => Promise<readonly RegistryHealth[]>;
  readonly send: SendEvents;
  readonly nowMs: () => number;
  /** A balance below so many credits is low, where its organisation has no number of its own. */
  readonly lowBelow: number;
}

export interface PublishReport {
  readonly sent: number;
  /** Registries that live keys cannot reach. */
  readonly registriesDown: number;
}

/** Shards, and organisations' keys, read at once. */
const PAGE = 100;
const KEYS_AT_ONCE = 10;

/**
 * Tells what has changed since it was told last. An event is sent first and noted after, so that each is sent at least
 * once; a run that dies between the two sends it again, under the same id.
 */
export async function publishEvents(deps: PublishDependencies): Promise<PublishReport> {
  const { published, send, nowMs } = deps;
  const registries = (await deps.readRegistries()).filter(({ environment }) => environment === 'live');
  const seen = new Map((await published.listPublished()).map((one) => [one.subject, one]));
  const observations = [...registries.map(observeRegistry), ...(await observeAccounts(deps))].filter(
    (one) => one !== undefined,
  );
  const changes = observations.filter(
    ({ subject, state }) => state !== (seen.get(subject)?.state ?? 'normal'),
  );
  const events = changes
    .map((change) => eventOf(change, seen.get(change.subject)))
    .filter((event) => event !== undefined);
  await send(events);
  for (const { subject, state } of changes)
    await published.recordPublished({ subject, state, publishedAtMs: nowMs() }, seen.get(subject));
  return { sent: events.length, registriesDown: registries.filter(({ status }) => status === 'down').length };
}

/** Live wallets and the keys of who has one. */
async function observeAccounts({
  shards,
  organisations: accounts,
  keys,
  lowBelow,
  nowMs,
}: PublishDependencies): Promise<(Observation | undefined)[]> {
  const places = await shards.listShards('live');
  const rows = new Map<string, WalletShard[]>();
  for (let first = 0; first < places.length; first += PAGE) {
    for (const { wallet, row } of await shards.getShards(places.slice(first, first + PAGE)))
      rows.set(wallet.organisationId, [...(rows.get(wallet.organisationId) ?? []), row]);
  }
  const organisations = [...rows.keys()];
  const limits = new Map(
    (await accounts.getOrganisations(organisations)).map(({ id, lowBalanceCredits }) => [
      id,
      lowBalanceCredits,
    ]),
  );
  const found = [];
  for (let first = 0; first < organisations.length; first += KEYS_AT_ONCE) {
    const some = organisations.slice(first, first + KEYS_AT_ONCE);
    found.push(...(await Promise.all(some.map((id) => keys.listApiKeys(id)))).flat());
  }
  return [
    ...[...rows].map(([id, own]) => observeWallet(id, balanceOf(own), limits.get(id) ?? lowBelow)),
    ...found.map((key) => observeKey(key, nowMs())),
  ];
}

import type { OrganisationTable } from '../accounts/organisation-table.ts';
import type { Clock } from '../core/clock.ts';
import { type WalletId, walletSubject } from '../core/keys.ts';
import { logger } from '../core/logger.ts';
import { jitterMs } from '../ledger/dependencies.ts';
import { type BalanceTable, readBalance } from '../ledger/read-balance.ts';
import type { Balance } from '../ledger/rows/wallet.ts';
import {
  type CreditedTopUp,
  eventOf,
  isChange,
  type Observation,
  observeWallet,
  type PublishedWallet,
  type ServiceEvent,
  topUpEvent,
} from './event.ts';
import type { SendEvents } from './event-bus.ts';
import type { WalletChange } from './publish-soon.ts';
import type { PublishedTable } from './published-table.ts';

export interface WalletDependencies extends Clock {
  readonly published: Pick<PublishedTable, 'getWallet' | 'storeWallet' | 'markSent'>;
  readonly shards: BalanceTable;
  readonly organisations: Pick<OrganisationTable, 'getOrganisations'>;
  readonly send: SendEvents;
  readonly topUps: Pick<CreditedTopUps, 'getCredited' | 'markPublished'>;
  /** If an organisation has none. */
  readonly lowBalanceCredits: number;
}

/** Top-ups whose events are not published yet. */
export interface CreditedTopUps {
  listCredited(): Promise<readonly CreditedTopUp[]>;
  /** Undefined if its event is published. */
  getCredited(topUp: Pick<CreditedTopUp, 'env' | 'reference'>): Promise<CreditedTopUp | undefined>;
  /** Does nothing if the order is no longer on the list. */
  markPublished(topUp: Pick<CreditedTopUp, 'env' | 'reference'>): Promise<void>;
}

/** What is known of a wallet without reading it. */
type Known = Partial<Pick<WalletChange, 'atMs' | 'atMost'>> & {
  readonly references: readonly string[];
  /** The organisation's row may be older. @default 1 */
  readonly shards?: number;
};

const MAX_ATTEMPTS = 10;

/**
 * Publishes the events of one wallet, and returns their number. They are stored with their sequence numbers before they
 * are sent, so that each is sent at least once, and even if its state has ended meanwhile.
 */
export async function publishWallet(
  wallet: WalletId,
  known: Known,
  deps: WalletDependencies,
): Promise<number> {
  const subject = walletSubject(wallet);
  let sent = 0;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const before = await deps.published.getWallet(subject);
    sent += await sendStored(wallet, before, deps);
    const after = await nextState(wallet, before, known, deps);
    if (!after) return sent;
    if (await deps.published.storeWallet(after, before))
      return sent + (await sendStored(wallet, after, deps));
    // Another run was faster.
    await deps.pause(jitterMs(attempts, deps));
  }
  throw new Error('Other runs publish the events of the wallet at the same time.');
}

/** Publishes the events of a wallet that a function reports as changed. */
export async function publishChange(
  { wallet, reference, ...known }: WalletChange,
  deps: WalletDependencies,
): Promise<void> {
  await publishWallet(wallet, { ...known, references: reference === undefined ? [] : [reference] }, deps);
}

async function sendStored(
  { env }: WalletId,
  row: PublishedWallet,
  { send, published, topUps }: WalletDependencies,
): Promise<number> {
  if (row.unsent.length === 0) return 0;
  await send(row.unsent);
  for (const { type, detail } of row.unsent) {
    logger.info('event', { type, ...detail });
    const reference = detail['reference'];
    if (reference !== undefined) await topUps.markPublished({ env, reference: String(reference) });
  }
  await published.markSent(row);
  return row.unsent.length;
}

/** Undefined if there is nothing to store, or if the wallet is too busy: the next run tries again. */
async function nextState(
  wallet: WalletId,
  before: PublishedWallet,
  { atMs = 0, atMost, references, shards = 1 }: Known,
  deps: WalletDependencies,
): Promise<PublishedWallet | undefined> {
  const [organisation] = await deps.organisations.getOrganisations([wallet.organisationId]);
  const balance = await readBalance(
    wallet,
    Math.max(shards, organisation?.walletShards ?? 1),
    deps.shards,
    deps,
  );
  if (!balance) return undefined;
  const threshold = organisation?.lowBalanceCredits ?? deps.lowBalanceCredits;
  const observe = (one: Balance) =>
    wallet.env === 'live' ? observeWallet(wallet.organisationId, one, threshold) : undefined;
  // An older observation is already published.
  const isNewer = atMost !== undefined && atMs > before.publishedAtMs;
  const seen = isNewer ? observe({ ...balance, available: atMost, held: 0 }) : undefined;
  const topUps = await Promise.all(
    references.map((reference) => deps.topUps.getCredited({ ...wallet, reference })),
  );
  const credited = topUps.filter((one) => one !== undefined);
  const now = observe(balance);
  const hasChanged = [seen, now].some((one) => one && isChange(one, before));
  if (!hasChanged && credited.length === 0) return undefined;
  const earlier = seen ? eventsOf(seen, before) : [];
  const events = [
    ...earlier,
    ...credited.map((one) => topUpEvent(one, balance.available)),
    ...(now ? eventsOf(now, seen ? { ...before, state: seen.state } : before) : []),
  ];
  return {
    subject: before.subject,
    state: now?.state ?? before.state,
    publishedAtMs: Math.max(deps.nowMs(), before.publishedAtMs + 1),
    sequence: before.sequence + Math.max(events.length, 1),
    unsent: events.map((event, index) => ({
      ...event,
      detail: { ...event.detail, sequence: before.sequence + index + 1 },
    })),
  };
}

/** A wallet that became empty was low before. */
function eventsOf(to: Observation, before: PublishedWallet): ServiceEvent[] {
  const wasNormal = before.state === 'normal' && to.state === 'empty' && Number(to.detail['low_below']) > 1;
  const low = wasNormal ? { ...to, state: 'low' as const } : undefined;
  return [
    ...(low ? [eventOf(low, before)] : []),
    eventOf(to, low ? { ...before, state: 'low' } : before),
  ].filter((event) => event !== undefined);
}

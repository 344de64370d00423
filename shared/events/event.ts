import { createHash } from 'node:crypto';
import { DAY_MS } from '../core/clock.ts';
import type { RegistryRouting } from '../core/config.ts';
import type { Environment } from '../core/environment.ts';
import { ID_TYPES, type IdType } from '../core/id-types.ts';
import {
  idTypeSubject,
  keyExpirySubject,
  organisationOfSubject,
  registrySubject,
  walletSubject,
} from '../core/keys.ts';
import type { Balance } from '../ledger/rows/wallet.ts';
import type { RegistryHealth } from '../registries/health/read-health.ts';

/**
 * The rules that decide which events are published (docs/operate/events.md), from the current state of a subject and its last
 * published state. Events contain no person's data and no API key.
 */

/** The source in all events of the service, by which the rules of the bus select them. */
export const EVENT_SOURCE = 'identity-verification';

export interface ServiceEvent {
  readonly type:
    | 'Registry Down'
    | 'Registry Up'
    | 'Look-Ups Unavailable'
    | 'Look-Ups Available'
    | 'Balance Low'
    | 'Wallet Empty'
    | 'Top-Up Credited'
    | 'Organisation Approved'
    | 'API Key Expiring'
    | 'Key Used From New Network'
    | 'Look-Ups High'
    | 'Misses High'
    | 'Rejected Keys High';
  /** Identifies the event. It is the same if the event is sent again, so that receivers can drop duplicates. */
  readonly id: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** All states of subjects. */
export const STATES = [
  'normal',
  'down',
  'unavailable',
  'low',
  'empty',
  'expiring',
  'expiring-soon',
  'new-network',
  'many-look-ups',
  'many-misses',
  'many-rejections',
  'approved',
  'approval-published',
] as const;

/** The current state of a registry, an ID type, a wallet, an API key or an organisation. */
export interface Observation {
  /** For example `REGISTRY#prembly`, `WALLET#<org>` or `KEY#<sha256>#<expiry>`. */
  readonly subject: string;
  readonly state: (typeof STATES)[number];
  /**
   * When the state began. Present if each occurrence of the state has its own event, even if the last published state
   * is the same.
   */
  readonly sinceMs?: number;
  readonly detail: ServiceEvent['detail'];
}

/** The last published state of a subject. */
export interface PublishedState {
  readonly subject: string;
  readonly state: Observation['state'];
  readonly publishedAtMs: number;
}

/** How long before its expiry a key is reported for the first and the second time. */
const KEY_NOTICE_MS = 30 * DAY_MS;
const LAST_KEY_NOTICE_MS = 7 * DAY_MS;

/** The event for a change from the last published state to the current one. Other changes have none. */
const EVENT_BY_CHANGE: Readonly<Record<string, ServiceEvent['type']>> = {
  'normal>down': 'Registry Down',
  'down>normal': 'Registry Up',
  'normal>unavailable': 'Look-Ups Unavailable',
  'unavailable>normal': 'Look-Ups Available',
  'normal>low': 'Balance Low',
  'normal>empty': 'Wallet Empty',
  'low>empty': 'Wallet Empty',
  'normal>expiring': 'API Key Expiring',
  'normal>expiring-soon': 'API Key Expiring',
  'expiring>expiring-soon': 'API Key Expiring',
  'normal>new-network': 'Key Used From New Network',
  'new-network>new-network': 'Key Used From New Network',
  'normal>many-look-ups': 'Look-Ups High',
  'normal>many-misses': 'Misses High',
  'normal>many-rejections': 'Rejected Keys High',
  // `approved` is written with the approval itself.
  'approved>approval-published': 'Organisation Approved',
};

/** Whether the observation differs from what was last published. */
export function isChange({ state, sinceMs }: Observation, published?: PublishedState): boolean {
  if (state !== (published?.state ?? 'normal')) return true;
  return sinceMs !== undefined && sinceMs > (published?.publishedAtMs ?? 0);
}

/** Returns the event for a change of state, or undefined if the change has none. */
export function eventOf(
  { subject, state, detail }: Observation,
  published?: PublishedState,
): ServiceEvent | undefined {
  const type = EVENT_BY_CHANGE[`${published?.state ?? 'normal'}>${state}`];
  if (!type) return undefined;
  return { type, id: eventId(`${subject}/${state}/${published?.publishedAtMs ?? 0}`), detail };
}

/** Observes a registry. Returns undefined for a degraded registry, which keeps its published state. */
export function observeRegistry({
  name,
  displayName,
  status,
}: {
  name: string;
  displayName: string;
  status: 'up' | 'degraded' | 'down';
}): Observation | undefined {
  if (status === 'degraded') return undefined;
  const state = status === 'down' ? 'down' : 'normal';
  return { subject: registrySubject(name), state, detail: { registry: name, name: displayName } };
}

/**
 * Observes the ID types that live keys can look up. An ID type is unavailable if all of its providers are down or
 * disabled, and available again when one of them is up. Otherwise, it keeps its published state.
 */
export function observeIdTypes(
  routing: RegistryRouting,
  registries: readonly Pick<RegistryHealth, 'name' | 'status'>[],
): Observation[] {
  return ID_TYPES.flatMap((idType) => {
    const providers = registries.filter(({ name }) => routing[idType]?.includes(name));
    const isUp = providers.some(({ status }) => status === 'up');
    const isDown = providers.length > 0 && providers.every(({ status }) => status === 'down');
    return isUp || isDown ? [observeIdType(idType, isDown)] : [];
  });
}

function observeIdType(idType: IdType, isDown: boolean): Observation {
  const state = isDown ? 'unavailable' : 'normal';
  return { subject: idTypeSubject(idType), state, detail: { id_type: idType } };
}

/**
 * Observes a live wallet, summed over its shards. Returns undefined if its top-ups and corrections add up to 0. Held
 * credits count as part of the balance: most are charged or released within a minute, and the state would otherwise
 * change back and forth.
 */
export function observeWallet(
  organisationId: string,
  { available, held, credited }: Balance,
  lowBalanceCredits: number,
): Observation | undefined {
  if (credited === 0) return undefined;
  const left = available + held;
  const state = left === 0 ? 'empty' : left < lowBalanceCredits ? 'low' : 'normal';
  const detail = { organisation: organisationId, available, low_below: lowBalanceCredits };
  return { subject: walletSubject(organisationId), state, detail };
}

/** Observes the approvals whose events are not published yet. */
export function observeApprovals(published: Iterable<PublishedState>): Observation[] {
  return [...published]
    .filter(({ state }) => state === 'approved')
    .map(({ subject }) => ({
      subject,
      state: 'approval-published',
      detail: { organisation: organisationOfSubject(subject) },
    }));
}

/** A top-up whose credits are in the wallet, and whose event is not published yet. */
export interface CreditedTopUp {
  readonly organisationId: string;
  readonly env: Environment;
  readonly reference: string;
  readonly credits: number;
  /** The number of the invoice. */
  readonly invoice: string;
}

/** Returns the event about a top-up. Every top-up has one. */
export function topUpEvent({
  organisationId,
  env,
  reference,
  credits,
  invoice,
}: CreditedTopUp): ServiceEvent {
  const detail = { organisation: organisationId, environment: env, reference, credits, invoice };
  return { type: 'Top-Up Credited', id: eventId(`top-up/${env}/${reference}`), detail };
}

/** Returns a hash as the ID, because the subject of an API key contains the key's hash, which is not published. */
function eventId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

interface ExpiringKey {
  readonly organisationId: string;
  readonly hash: string;
  readonly env: Environment;
  readonly status: string;
  readonly label: string;
  readonly lastFour: string;
  readonly notAfter?: string | undefined;
}

/** Observes an API key. Returns undefined unless it is active and expires within 30 days. */
export function observeKey(key: ExpiringKey, nowMs: number): Observation | undefined {
  if (key.status !== 'ACTIVE' || key.notAfter === undefined) return undefined;
  const leftMs = Date.parse(key.notAfter) - nowMs;
  if (leftMs <= 0 || leftMs > KEY_NOTICE_MS) return undefined;
  const { organisationId: organisation, env: environment, label, lastFour: last_four, notAfter } = key;
  const days_left = Math.ceil(leftMs / DAY_MS);
  const detail = { organisation, environment, label, last_four, not_after: notAfter, days_left };
  const state = leftMs > LAST_KEY_NOTICE_MS ? 'expiring' : 'expiring-soon';
  // The subject contains the expiry, so that a key is reported again if its expiry changes.
  return { subject: keyExpirySubject(key.hash, notAfter), state, detail };
}

import { createHash } from 'node:crypto';
import { DAY_MS } from '../core/clock.ts';
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

/** Which events are published (docs/operate/events.md). They contain no person's data and no API key. */

/** The rules of the bus select events by it. */
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
    | 'Automatic Top-Up Charged'
    | 'Automatic Top-Up Stopped'
    | 'Organisation Approved'
    | 'API Key Expiring'
    | 'Key Used From New Network'
    | 'Look-Ups High'
    | 'Misses High'
    | 'Rejected Keys High';
  /** It is the same if the event is sent again, so that receivers can drop duplicates. */
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

export interface Observation {
  /** For example `REGISTRY#prembly`, `WALLET#<org>` or `KEY#<sha256>#<expiry>`. */
  readonly subject: string;
  readonly state: (typeof STATES)[number];
  /** When the state began, if each occurrence has its own event. */
  readonly sinceMs?: number;
  readonly detail: ServiceEvent['detail'];
}

/** The last published state of a subject. */
export interface PublishedState {
  readonly subject: string;
  readonly state: Observation['state'];
  readonly publishedAtMs: number;
  /** Of wallets only. */
  readonly unsent?: readonly ServiceEvent[] | undefined;
}

/** It has no expiry: its sequence numbers must not start again. */
export interface PublishedWallet extends PublishedState {
  /** Of the last event. It rises with each change. */
  readonly sequence: number;
  /** Events that are stored, but perhaps not sent yet. */
  readonly unsent: readonly ServiceEvent[];
}

/** The first and the second notice. */
const KEY_NOTICE_MS = 30 * DAY_MS;
const LAST_KEY_NOTICE_MS = 7 * DAY_MS;

/** From the last published state. */
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

export function isChange({ state, sinceMs }: Observation, published?: PublishedState): boolean {
  if (state !== (published?.state ?? 'normal')) return true;
  return sinceMs !== undefined && sinceMs > (published?.publishedAtMs ?? 0);
}

/** Undefined if the change of state has no event. */
export function eventOf(
  { subject, state, detail }: Observation,
  published?: PublishedState,
): ServiceEvent | undefined {
  const type = EVENT_BY_CHANGE[`${published?.state ?? 'normal'}>${state}`];
  if (!type) return undefined;
  return { type, id: eventId(`${subject}/${state}/${published?.publishedAtMs ?? 0}`), detail };
}

/** Undefined for a degraded registry, which keeps its published state. */
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
 * Unavailable if all providers are down or disabled, available when one is up; otherwise the published state is kept.
 */
export function observeIdTypes(
  registries: readonly Pick<RegistryHealth, 'idType' | 'status'>[],
): Observation[] {
  return ID_TYPES.flatMap((idType) => {
    const providers = registries.filter((one) => one.idType === idType);
    const isUp = providers.some(({ status }) => status === 'up');
    const isDown = providers.length > 0 && providers.every(({ status }) => status === 'down');
    return isUp || isDown ? [observeIdType(idType, isDown)] : [];
  });
}

function observeIdType(idType: IdType, isDown: boolean): Observation {
  const state = isDown ? 'unavailable' : 'normal';
  return { subject: idTypeSubject(idType), state, detail: { id_type: idType } };
}

/** Undefined if its credits add up to 0. Held credits count, or the state would change back and forth. */
export function observeWallet(
  organisationId: string,
  { available, held, credited }: Balance,
  lowBalanceCredits: number,
): Observation | undefined {
  if (credited === 0) return undefined;
  const left = available + held;
  const state = left === 0 ? 'empty' : left < lowBalanceCredits ? 'low' : 'normal';
  const detail = { organisation: organisationId, available, low_below: lowBalanceCredits };
  return { subject: walletSubject({ env: 'live', organisationId }), state, detail };
}

/** Approvals whose events are not published yet. */
export function observeApprovals(published: Iterable<PublishedState>): Observation[] {
  return [...published]
    .filter(({ state }) => state === 'approved')
    .map(({ subject }) => ({
      subject,
      state: 'approval-published',
      detail: { organisation: organisationOfSubject(subject) },
    }));
}

/** Its event is not published yet. */
export interface CreditedTopUp {
  readonly organisationId: string;
  readonly env: Environment;
  readonly reference: string;
  readonly credits: number;
  /** The number of the invoice. */
  readonly invoice: string;
}

/** `available`: the balance that includes the credits. */
export function topUpEvent(
  { organisationId, env, reference, credits, invoice }: CreditedTopUp,
  available: number,
): ServiceEvent {
  const detail = { organisation: organisationId, environment: env, reference, credits, invoice, available };
  return { type: 'Top-Up Credited', id: eventId(`top-up/${env}/${reference}`), detail };
}

/**
 * `charged`: the credits are in the wallet. `limit`: the next charge would exceed the monthly limit. Otherwise, why the
 * card is no longer charged. `declined`: the bank or Paystack refused. `unconfirmed`: the bank asks the cardholder to
 * confirm. `unknown`: the outcome is unknown after an hour. `unreadable`: the card cannot be decrypted. `not_sold`: the
 * price or the billing details are missing, or so many credits are no longer sold at once. `paid_back`: a purchase was
 * refunded, disputed or charged back.
 */
export const STOP_REASONS = [
  'declined',
  'unconfirmed',
  'unknown',
  'unreadable',
  'not_sold',
  'paid_back',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];
type AutomaticOutcome = StopReason | 'charged' | 'limit';

/** The outcome of a charge of a saved card. `reference` is that of the top-up if the card was charged. */
export function automaticTopUpEvent(
  topUp: Pick<CreditedTopUp, 'organisationId' | 'credits' | 'reference'> & { readonly totalKobo?: number },
  outcome: AutomaticOutcome,
): ServiceEvent {
  const { organisationId: organisation, credits, reference, totalKobo } = topUp;
  const id = eventId(`automatic/${organisation}/${reference}/${outcome}`);
  const detail = { organisation, credits, ...(totalKobo !== undefined && { total_kobo: totalKobo }) };
  if (outcome === 'charged')
    return { type: 'Automatic Top-Up Charged', id, detail: { ...detail, reference } };
  return { type: 'Automatic Top-Up Stopped', id, detail: { ...detail, reason: outcome } };
}

/** The subject of a key contains its hash, which is not published. */
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
  readonly replacedAt?: string | undefined;
}

/** Undefined unless active, not replaced by a rotation, and expiring within 30 days. */
export function observeKey(key: ExpiringKey, nowMs: number): Observation | undefined {
  if (key.status !== 'ACTIVE' || key.notAfter === undefined || key.replacedAt !== undefined) return undefined;
  const leftMs = Date.parse(key.notAfter) - nowMs;
  if (leftMs <= 0 || leftMs > KEY_NOTICE_MS) return undefined;
  const { organisationId: organisation, env: environment, label, lastFour: last_four, notAfter } = key;
  const days_left = Math.ceil(leftMs / DAY_MS);
  const detail = { organisation, environment, label, last_four, not_after: notAfter, days_left };
  const state = leftMs > LAST_KEY_NOTICE_MS ? 'expiring' : 'expiring-soon';
  // A key is reported again if its expiry changes.
  return { subject: keyExpirySubject(key.hash, notAfter), state, detail };
}

import { createHash } from 'node:crypto';
import type { Environment } from '../core/environment.ts';
import { keyExpirySubject, registrySubject, walletSubject } from '../core/keys.ts';
import type { Balance } from '../ledger/rows/wallet.ts';

/**
 * The rules that decide which events are published for operators' systems (docs/events.md), from the current state of
 * a subject and its last published state. Events contain no person's data and no API key.
 */

export interface ServiceEvent {
  readonly type: 'Registry Down' | 'Registry Up' | 'Balance Low' | 'Wallet Empty' | 'API Key Expiring';
  /** Identifies the event. It is the same if the event is sent again, so that receivers can drop duplicates. */
  readonly id: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** The current state of a wallet, an API key or a registry. */
export interface Observation {
  /** `REGISTRY#prembly`, `WALLET#<org>` or `KEY#<sha256>#<expiry>`. */
  readonly subject: string;
  readonly state: 'normal' | 'down' | 'low' | 'empty' | 'expiring';
  readonly detail: ServiceEvent['detail'];
}

/** The last published state of a subject. */
export interface PublishedState {
  readonly subject: string;
  readonly state: Observation['state'];
  readonly publishedAtMs: number;
}

/** How long before its expiry a key is reported. */
const KEY_NOTICE_MS = 7 * 24 * 3600_000;

/** The event for a change from the last published state to the current one. Other changes have none. */
const EVENT_BY_CHANGE: Readonly<Record<string, ServiceEvent['type']>> = {
  'normal>down': 'Registry Down',
  'down>normal': 'Registry Up',
  'normal>low': 'Balance Low',
  'normal>empty': 'Wallet Empty',
  'low>empty': 'Wallet Empty',
  'normal>expiring': 'API Key Expiring',
};

/** Returns the event for a change of state, or undefined if the change has none. */
export function eventOf(
  { subject, state, detail }: Observation,
  published?: PublishedState,
): ServiceEvent | undefined {
  const type = EVENT_BY_CHANGE[`${published?.state ?? 'normal'}>${state}`];
  if (!type) return undefined;
  // Hashed, because the subject of an API key contains the key's hash.
  const id = createHash('sha256')
    .update(`${subject}/${state}/${published?.publishedAtMs ?? 0}`)
    .digest('hex');
  return { type, id: id.slice(0, 32), detail };
}

/** Observes a registry. Returns undefined for a degraded one, which keeps its published state. */
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
 * Observes a live wallet, summed over its shards. Returns undefined for one that never had credits. Held credits count
 * as left: they are charged or released within a minute, and the state would otherwise change back and forth.
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

interface ExpiringKey {
  readonly organisationId: string;
  readonly hash: string;
  readonly env: Environment;
  readonly status: string;
  readonly label: string;
  readonly lastFour: string;
  readonly notAfter?: string | undefined;
}

/** Observes an API key. Returns undefined unless it is active and expires within 7 days. */
export function observeKey(key: ExpiringKey, nowMs: number): Observation | undefined {
  if (key.status !== 'ACTIVE' || key.notAfter === undefined) return undefined;
  const leftMs = Date.parse(key.notAfter) - nowMs;
  if (leftMs <= 0 || leftMs > KEY_NOTICE_MS) return undefined;
  const { organisationId: organisation, env: environment, label, lastFour: last_four, notAfter } = key;
  const detail = { organisation, environment, label, last_four, not_after: notAfter };
  // The subject contains the expiry, so that a key is reported again if its expiry changes.
  return { subject: keyExpirySubject(key.hash, notAfter), state: 'expiring', detail };
}

import { createHash } from 'node:crypto';
import { keyExpirySubject, registrySubject, walletSubject } from '../core/keys.ts';
import type { Balance } from '../ledger/rows/wallet.ts';

/**
 * What operators' own systems are told of (docs/events.md): pure rules over what stands now and what was told last.
 * Nothing here names a person or holds a key; organisations and keys appear by id and label.
 */

export interface ServiceEvent {
  readonly type: 'Registry Down' | 'Registry Up' | 'Balance Low' | 'Wallet Empty' | 'API Key Expiring';
  /** The same for each sending of the same event, so that receivers can drop a second one. */
  readonly id: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** How something is, as far as events go. */
export interface Observation {
  /** What it is of: `REGISTRY#prembly`, `WALLET#<org>`, `KEY#<sha256>`. */
  readonly subject: string;
  readonly state: 'normal' | 'down' | 'low' | 'empty' | 'expiring';
  readonly detail: ServiceEvent['detail'];
}

/** What was told last of a subject. */
export interface Published {
  readonly subject: string;
  readonly state: Observation['state'];
  readonly publishedAtMs: number;
}

/** A key is told of once, so long before its end. */
const KEY_NOTICE_MS = 7 * 24 * 3600_000;

/** From what was told last to what is: the event, if the step has one. */
const EVENT_OF_STEP: Readonly<Record<string, ServiceEvent['type']>> = {
  'normal>down': 'Registry Down',
  'down>normal': 'Registry Up',
  'normal>low': 'Balance Low',
  'normal>empty': 'Wallet Empty',
  'low>empty': 'Wallet Empty',
  'normal>expiring': 'API Key Expiring',
};

/** The event of a change; undefined where nobody waits for it. */
export function eventOf(
  { subject, state, detail }: Observation,
  published?: Published,
): ServiceEvent | undefined {
  const type = EVENT_OF_STEP[`${published?.state ?? 'normal'}>${state}`];
  if (!type) return undefined;
  // A digest, since the subject of a key has its hash.
  const id = createHash('sha256')
    .update(`${subject}/${state}/${published?.publishedAtMs ?? 0}`)
    .digest('hex');
  return { type, id: id.slice(0, 32), detail };
}

/** A registry that is merely unwell is neither up nor down: what was told stays. */
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
 * A live wallet, all its shards together. One that never had credit is not empty: it is not in use yet. Credits
 * that are held count as left: they are spent or back within the minute, and near a limit the state would flap.
 */
export function observeWallet(
  organisationId: string,
  { available, held, credited }: Balance,
  lowBelow: number,
): Observation | undefined {
  if (credited === 0) return undefined;
  const left = available + held;
  const state = left === 0 ? 'empty' : left < lowBelow ? 'low' : 'normal';
  const detail = { organisation: organisationId, available, low_below: lowBelow };
  return { subject: walletSubject(organisationId), state, detail };
}

interface ExpiringKey {
  readonly organisationId: string;
  readonly hash: string;
  readonly env: string;
  readonly status: string;
  readonly label: string;
  readonly lastFour: string;
  readonly notAfter?: string | undefined;
}

/** A key that still works and ends within 7 days; undefined for all others. */
export function observeKey(key: ExpiringKey, nowMs: number): Observation | undefined {
  if (key.status !== 'ACTIVE' || key.notAfter === undefined) return undefined;
  const leftMs = Date.parse(key.notAfter) - nowMs;
  if (leftMs <= 0 || leftMs > KEY_NOTICE_MS) return undefined;
  const { organisationId: organisation, env: environment, label, lastFour: last_four, notAfter } = key;
  const detail = { organisation, environment, label, last_four, not_after: notAfter };
  // A key whose end is moved is told of again.
  return { subject: keyExpirySubject(key.hash, notAfter), state: 'expiring', detail };
}

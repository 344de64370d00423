import * as v from 'valibot';
import { randomBase62 } from '../core/base62.ts';
import { DAY_MS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import type { WalletId } from '../core/keys.ts';
import { EVENT_TYPES, type EventType } from './event-type.ts';

/** Rows contain no secret. */

/** The secret is derived from its version and a master secret, whose ID is `master`. */
const secretRef = v.object({ version: v.number(), master: v.string() });
export type SecretRef = v.InferOutput<typeof secretRef>;

/** `DISABLED`: by a member, or after a 410. `DELETED`: the row is kept until its deliveries have expired. */
const ENDPOINT_STATES = ['ENABLED', 'DISABLED', 'DELETED'] as const;

/** An endpoint receives at most two deliveries at once, each with one of its leases. */
const storedLease = v.object({
  /** The ID of the delivery. */
  holder: v.string(),
  /** Epoch milliseconds. */
  untilMs: v.number(),
});

/** An endpoint in Console: `HOOKS#<env>#<org>` / `HOOK#<id>`. */
export const endpoint = v.object({
  id: v.string(),
  organisationId: v.string(),
  env: v.picklist(ENVIRONMENTS),
  url: v.string(),
  eventTypes: v.array(v.picklist(EVENT_TYPES)),
  state: v.picklist(ENDPOINT_STATES),
  /** `GONE`: the endpoint responded with 410. */
  disabledBecause: v.optional(v.picklist(['MEMBER', 'GONE'])),
  secret: secretRef,
  /** Still signs until `untilMs` (epoch milliseconds). */
  previousSecret: v.optional(v.object({ ...secretRef.entries, untilMs: v.number() })),
  createdAt: v.string(),
  /**
   * Incremented by each change by a member, and after a 410. A change applies only to the version that was read.
   */
  version: v.number(),
  leaseA: v.optional(storedLease),
  leaseB: v.optional(storedLease),
  /** Epoch seconds. */
  expiresAt: v.optional(v.number()),
});
export type Endpoint = v.InferOutput<typeof endpoint>;

const LEASES = ['leaseA', 'leaseB'] as const;

/** A lease that is held. */
export interface Lease {
  readonly name: (typeof LEASES)[number];
  readonly holder: string;
  readonly untilMs: number;
}

/** Free or expired. */
export function freeLeases(row: Endpoint, nowMs: number): Lease['name'][] {
  return LEASES.filter((name) => (row[name]?.untilMs ?? 0) < nowMs);
}

/** Of an organisation in one environment, without deleted ones. */
export const MOST_ENDPOINTS = 5;
/** With those deleted in the last 30 days, which every event reads. */
export const MOST_WITH_DELETED = 50;
/** The previous secret still signs. */
export const ROTATION_MS = DAY_MS;

export interface EndpointChoice {
  readonly url: string;
  readonly eventTypes: readonly EventType[];
}

/** `master` is the current master secret's ID. */
export function newEndpoint(
  { env, organisationId }: WalletId,
  choice: EndpointChoice,
  master: string,
  nowMs: number,
): Endpoint {
  return {
    id: `hook_${randomBase62(16)}`,
    organisationId,
    env,
    url: choice.url,
    eventTypes: inOrder(choice.eventTypes),
    state: 'ENABLED',
    secret: { version: 1, master },
    createdAt: new Date(nowMs).toISOString(),
    version: 1,
  };
}

/** Each once, as documented. */
function inOrder(types: readonly EventType[]): EventType[] {
  return EVENT_TYPES.filter((type) => types.includes(type));
}

export function changedEndpoint(row: Endpoint, { url, eventTypes }: EndpointChoice): Endpoint {
  return { ...row, url, eventTypes: inOrder(eventTypes) };
}

export function switchedEndpoint({ disabledBecause: _, ...row }: Endpoint, isEnabled: boolean): Endpoint {
  return isEnabled ? { ...row, state: 'ENABLED' } : { ...row, state: 'DISABLED', disabledBecause: 'MEMBER' };
}

/** The previous secret still signs for 24 hours. Older secrets stop at once. */
export function rotatedEndpoint(row: Endpoint, master: string, nowMs: number): Endpoint {
  const { secret } = row;
  return {
    ...row,
    secret: { version: secret.version + 1, master },
    previousSecret: { ...secret, untilMs: nowMs + ROTATION_MS },
  };
}

/** The current one first. */
export function signingSecrets({ secret, previousSecret }: Endpoint, nowMs: number): SecretRef[] {
  return previousSecret && nowMs < previousSecret.untilMs ? [secret, previousSecret] : [secret];
}

export function receives({ state, eventTypes }: Endpoint, type: EventType): boolean {
  return state === 'ENABLED' && eventTypes.includes(type);
}

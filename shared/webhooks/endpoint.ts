import * as v from 'valibot';
import { randomBase62 } from '../core/base62.ts';
import { DAY_MS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import type { WalletId } from '../core/keys.ts';
import { EVENT_TYPES, type EventType } from './event-type.ts';

/** Webhook endpoints: their rows, which contain no secret, and the changes that members make to them. */

/**
 * Identifies a secret of an endpoint, which is derived from its version and from a master secret. `master` is the ID of
 * the master secret.
 */
const secretRef = v.object({ version: v.number(), master: v.string() });
export type SecretRef = v.InferOutput<typeof secretRef>;

/**
 * `ENABLED`: receives events. `DISABLED`: disabled by a member, or because it responded with 410. `DELETED`: deleted by
 * a member. It receives nothing and is no longer listed, but its row is kept until its deliveries have expired.
 */
const ENDPOINT_STATES = ['ENABLED', 'DISABLED', 'DELETED'] as const;

/** A lease as it is stored. An endpoint receives at most two deliveries at once, each with one of its leases. */
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
  /** Set when the endpoint is disabled. `GONE`: the endpoint responded with 410. */
  disabledBecause: v.optional(v.picklist(['MEMBER', 'GONE'])),
  secret: secretRef,
  /** The secret before the last rotation, which still signs until `untilMs` (epoch milliseconds). */
  previousSecret: v.optional(v.object({ ...secretRef.entries, untilMs: v.number() })),
  createdAt: v.string(),
  /**
   * Incremented by every change by a member, and when the endpoint is disabled because it responded with 410. Each of
   * these changes applies only to the version that was read.
   */
  version: v.number(),
  leaseA: v.optional(storedLease),
  leaseB: v.optional(storedLease),
  /** Epoch seconds. Set when the endpoint is deleted. */
  expiresAt: v.optional(v.number()),
});
export type Endpoint = v.InferOutput<typeof endpoint>;

/** The names of the lease attributes in the row of an endpoint. */
const LEASES = ['leaseA', 'leaseB'] as const;

/** A lease that is held. */
export interface Lease {
  readonly name: (typeof LEASES)[number];
  readonly holder: string;
  readonly untilMs: number;
}

/** Returns the names of the leases that are free or have expired. */
export function freeLeases(row: Endpoint, nowMs: number): Lease['name'][] {
  return LEASES.filter((name) => (row[name]?.untilMs ?? 0) < nowMs);
}

/** The maximum number of an organisation's endpoints in one environment, not counting deleted ones. */
export const MOST_ENDPOINTS = 5;
/** How long the previous secret still signs after a rotation. */
export const ROTATION_MS = DAY_MS;

/** The settings of an endpoint that a member chooses. */
export interface EndpointChoice {
  readonly url: string;
  readonly eventTypes: readonly EventType[];
}

/**
 * Returns a new endpoint that signs with the first version of its secret. `master` is the current master secret's ID.
 */
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

/** Returns each type once, in the order of the documentation. */
function inOrder(types: readonly EventType[]): EventType[] {
  return EVENT_TYPES.filter((type) => types.includes(type));
}

/** Returns the endpoint with a new address and new events. */
export function changedEndpoint(row: Endpoint, { url, eventTypes }: EndpointChoice): Endpoint {
  return { ...row, url, eventTypes: inOrder(eventTypes) };
}

/** Returns the endpoint after a member has enabled or disabled it. */
export function switchedEndpoint({ disabledBecause: _, ...row }: Endpoint, isEnabled: boolean): Endpoint {
  return isEnabled ? { ...row, state: 'ENABLED' } : { ...row, state: 'DISABLED', disabledBecause: 'MEMBER' };
}

/** Returns the endpoint with a new secret. The previous secret still signs for 24 hours. Older secrets stop at once. */
export function rotatedEndpoint(row: Endpoint, master: string, nowMs: number): Endpoint {
  const { secret } = row;
  return {
    ...row,
    secret: { version: secret.version + 1, master },
    previousSecret: { ...secret, untilMs: nowMs + ROTATION_MS },
  };
}

/** Returns the secrets that sign now, the current secret first. */
export function signingSecrets({ secret, previousSecret }: Endpoint, nowMs: number): SecretRef[] {
  return previousSecret && nowMs < previousSecret.untilMs ? [secret, previousSecret] : [secret];
}

/** Whether an event is delivered to an endpoint of its organisation and environment. */
export function receives({ state, eventTypes }: Endpoint, type: EventType): boolean {
  return state === 'ENABLED' && eventTypes.includes(type);
}

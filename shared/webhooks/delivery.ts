import * as v from 'valibot';
import { ENVIRONMENTS } from '../core/environment.ts';
import { newOperationId } from '../core/ids.ts';
import type { Endpoint } from './endpoint.ts';
import { bodyOf, DELIVERED_TYPES, type WebhookEvent } from './event-type.ts';
import { MOST_TRIES } from './schedule.ts';

/** The delivery of one event to one endpoint, and its rules. */

/**
 * `PENDING`: waits for its next try. `DELIVERED`: the endpoint responded with a 2xx status. `FAILED`: the last try
 * failed. `CANCELLED`: the endpoint was disabled or deleted before it was delivered.
 */
export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a try failed, or why there are no more tries. The texts for customers are in docs/webhooks.md. */
export const FAILURE_REASONS = [
  'HTTP_STATUS',
  'REDIRECT',
  'GONE',
  'TIMEOUT',
  'NAME_NOT_FOUND',
  'ADDRESS_NOT_PERMITTED',
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'TLS_FAILED',
  'NOT_HTTP',
  'INTERRUPTED',
  'NOT_TRIED',
  'ENDPOINT_DISABLED',
  'ENDPOINT_DELETED',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A delivery in Console: `HOOK#<env>#<org>#<endpoint>` / `DELIVERY#<id>`. */
export const delivery = v.object({
  /** A ULID. */
  id: v.string(),
  endpointId: v.string(),
  organisationId: v.string(),
  env: v.picklist(ENVIRONMENTS),
  eventId: v.string(),
  eventType: v.picklist(DELIVERED_TYPES),
  /** The body that is sent. It never contains identity data. */
  body: v.string(),
  state: v.picklist(DELIVERY_STATES),
  /**
   * Counts how many times the delivery was started: by the event, and by each resend. Messages of earlier rounds have
   * no effect.
   */
  round: v.number(),
  /** Tries in this round. */
  attempt: v.number(),
  /** Tries in all rounds. */
  tries: v.number(),
  /** When the next try is due, in epoch milliseconds. */
  dueMs: v.number(),
  /**
   * Until this time, in epoch milliseconds, no other instance tries the delivery. Present while a try is in progress,
   * or if it was interrupted.
   */
  tryUntilMs: v.optional(v.number()),
  /** Why the last try failed, or why the delivery ended without one. */
  reason: v.optional(v.picklist(FAILURE_REASONS)),
  /** The HTTP status of the last response. */
  status: v.optional(v.number()),
  createdAt: v.string(),
  /** ISO time. */
  triedAt: v.optional(v.string()),
  /** ISO time of the change to DELIVERED, FAILED or CANCELLED. */
  endedAt: v.optional(v.string()),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Delivery = v.InferOutput<typeof delivery>;

/** The result of a try, or of a delivery that ended without one. */
export interface TryResult {
  readonly state: DeliveryState;
  /** When the next try is due. Only with PENDING. */
  readonly dueMs?: number | undefined;
  readonly reason?: FailureReason | undefined;
  readonly status?: number | undefined;
}

/** The row that names the delivery of an event to an endpoint: `HOOK#<env>#<org>#<endpoint>` / `EVENT#<event>`. */
export const deliveredEvent = v.object({ deliveryId: v.string(), expiresAt: v.number() });

/** How long deliveries are kept and shown. */
export const DELIVERY_DAYS = 30;
const DAY_MS = 24 * 3600_000;
/** If a message is later than this, it was lost, or the queue has stopped. */
const OVERDUE_MS = DAY_MS;

/** Returns the delivery of an event, due now. Throws if the event belongs to another organisation or environment. */
export function newDelivery(event: WebhookEvent, to: Endpoint, nowMs: number): Delivery {
  const { organisationId, env } = to;
  if (event.organisationId !== organisationId || event.env !== env)
    throw new Error('An event must stay in its organisation and environment.');
  return {
    id: newOperationId(nowMs),
    endpointId: to.id,
    organisationId,
    env,
    eventId: event.id,
    eventType: event.type,
    body: bodyOf(event),
    state: 'PENDING',
    round: 1,
    attempt: 0,
    tries: 0,
    dueMs: nowMs,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: expiryOf(nowMs),
  };
}

/** Returns when the row of a delivery that starts now expires, in epoch seconds. */
export function expiryOf(nowMs: number): number {
  return Math.ceil((nowMs + DELIVERY_DAYS * DAY_MS) / 1000);
}

/** Returns the delivery in a new round, due now. It keeps its total number of tries and its last result. */
export function resentDelivery(row: Delivery, nowMs: number): Delivery {
  const { tryUntilMs: _, endedAt: __, ...rest } = row;
  const round = row.round + 1;
  return { ...rest, state: 'PENDING', round, attempt: 0, dueMs: nowMs, expiresAt: expiryOf(nowMs) };
}

/**
 * Returns the state of a delivery as customers see it. A delivery that has not been tried for a day is shown as FAILED,
 * so that deliveries whose message was lost are also visible.
 */
export function shownState(row: Delivery, nowMs: number): Pick<Delivery, 'state' | 'reason'> {
  const { state, reason, dueMs, tryUntilMs = 0 } = row;
  if (state === 'PENDING' && nowMs > Math.max(dueMs, tryUntilMs) + OVERDUE_MS)
    return { state: 'FAILED', reason: 'NOT_TRIED' };
  return { state, ...(reason && { reason }) };
}

/** Whether the last try of this round has begun. */
export function hasNoTriesLeft({ attempt }: Pick<Delivery, 'attempt'>): boolean {
  return attempt >= MOST_TRIES;
}

/** A message in the queue. It identifies a delivery, but contains none of its data. */
export const deliveryMessage = v.object({
  env: v.picklist(ENVIRONMENTS),
  organisationId: v.string(),
  endpointId: v.string(),
  deliveryId: v.string(),
  round: v.number(),
});
export type DeliveryMessage = v.InferOutput<typeof deliveryMessage>;

/** Returns the message for the current round of a delivery. */
export function messageOf({ env, organisationId, endpointId, id, round }: Delivery): DeliveryMessage {
  return { env, organisationId, endpointId, deliveryId: id, round };
}

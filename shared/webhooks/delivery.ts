import * as v from 'valibot';
import { DAY_MS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import { newOperationId } from '../core/ids.ts';
import type { Endpoint } from './endpoint.ts';
import { isSample } from './event-sample.ts';
import { bodyOf, DELIVERED_TYPES, type WebhookEvent } from './event-type.ts';
import { MAX_ATTEMPTS } from './schedule.ts';

/** `FAILED`: the last attempt failed. `CANCELLED`: the endpoint was disabled or deleted first. */
const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** docs/guides/webhooks.md explains them to customers. */
const FAILURE_REASONS = [
  'HTTP_STATUS',
  'REDIRECT',
  'GONE',
  'TIMEOUT',
  'NAME_NOT_FOUND',
  'ADDRESS_NOT_PERMITTED',
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_WRONG_NAME',
  'CERTIFICATE_NOT_TRUSTED',
  'TLS_FAILED',
  'NOT_HTTP',
  'INTERRUPTED',
  'NOT_ATTEMPTED',
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
  /** It never contains identity data. */
  body: v.string(),
  state: v.picklist(DELIVERY_STATES),
  /** Counts starts: by the event, and by each resend. Messages of earlier rounds have no effect. */
  round: v.number(),
  attemptInRound: v.number(),
  /** The number of attempts in all rounds. */
  attempts: v.number(),
  /** Epoch milliseconds. */
  dueMs: v.number(),
  /** Epoch milliseconds. No other instance tries the delivery until then. */
  attemptUntilMs: v.optional(v.number()),
  reason: v.optional(v.picklist(FAILURE_REASONS)),
  /** Of the response to the last attempt. */
  status: v.optional(v.number()),
  createdAt: v.string(),
  /** ISO time. */
  attemptedAt: v.optional(v.string()),
  /** ISO time. */
  endedAt: v.optional(v.string()),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Delivery = v.InferOutput<typeof delivery>;

/** An attempt of a delivery in Console: `HOOK#<env>#<org>#<endpoint>` / `ATTEMPT#<delivery>#<number>`. */
export const attempt = v.object({
  /** From 1, in all rounds. */
  number: v.number(),
  /** When it began. ISO time. */
  at: v.string(),
  durationMs: v.number(),
  /** Of the response. Absent without one. */
  status: v.optional(v.number()),
  /** Why it failed. Absent if it did not. */
  reason: v.optional(v.picklist(FAILURE_REASONS)),
  /** The first 2 KB of the body of a response that is not 2xx, if they are text. Long numbers are masked. */
  text: v.optional(v.string()),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Attempt = v.InferOutput<typeof attempt>;

export interface AttemptResult {
  readonly state: DeliveryState;
  /** Set only with PENDING. */
  readonly dueMs?: number | undefined;
  readonly reason?: FailureReason | undefined;
  readonly status?: number | undefined;
}

/** `HOOK#<env>#<org>#<endpoint>` / `EVENT#<event>`. */
export const eventDelivery = v.object({ deliveryId: v.string(), expiresAt: v.number() });

/** How long deliveries are kept and shown. */
const DELIVERY_DAYS = 30;
/** Later, the message was lost, or the queue has stopped. */
const OVERDUE_MS = DAY_MS;

/** Due now. Throws if the event belongs to another wallet. */
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
    attemptInRound: 0,
    attempts: 0,
    dueMs: nowMs,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: expiryOf(nowMs),
  };
}

/** Epoch seconds. */
export function expiryOf(nowMs: number): number {
  return Math.ceil((nowMs + DELIVERY_DAYS * DAY_MS) / 1000);
}

/** Of the attempt that was claimed last. `startMs` and `endMs`: of its request. */
export function newAttempt(
  { attempts }: Delivery,
  { status, reason, text }: Pick<Attempt, 'status' | 'reason' | 'text'>,
  startMs: number,
  endMs: number,
): Attempt {
  const at = new Date(startMs).toISOString();
  const durationMs = endMs - startMs;
  return { number: attempts, at, durationMs, status, reason, text, expiresAt: expiryOf(endMs) };
}

/** In a new round. Keeps the number of attempts and the last result. */
export function resentDelivery(row: Delivery, dueMs: number): Delivery {
  const { attemptUntilMs: _, endedAt: __, ...rest } = row;
  const round = row.round + 1;
  return { ...rest, state: 'PENDING', round, attemptInRound: 0, dueMs, expiresAt: expiryOf(dueMs) };
}

/**
 * A delivery that is more than a day overdue is shown as FAILED, so that deliveries whose message was lost are also
 * visible.
 */
export function shownState(row: Delivery, nowMs: number): Pick<Delivery, 'state' | 'reason'> {
  const { state, reason, dueMs, attemptUntilMs = 0 } = row;
  if (state === 'PENDING' && nowMs > Math.max(dueMs, attemptUntilMs) + OVERDUE_MS)
    return { state: 'FAILED', reason: 'NOT_ATTEMPTED' };
  return { state, ...(reason && { reason }) };
}

/** A sample is tried once: its sender sees the result, and retries would hold up the deliveries of others. */
export function hasNoAttemptsLeft({
  attemptInRound,
  eventId,
}: Pick<Delivery, 'attemptInRound' | 'eventId'>): boolean {
  if (isSample(eventId)) return attemptInRound >= 1;
  return attemptInRound >= MAX_ATTEMPTS;
}

/** It contains none of the delivery's data. */
export const deliveryMessage = v.object({
  env: v.picklist(ENVIRONMENTS),
  organisationId: v.string(),
  endpointId: v.string(),
  deliveryId: v.string(),
  round: v.number(),
  /** How often handling it has ended in an error of ours. SQS counts waiting too. */
  failures: v.optional(v.number()),
});
export type DeliveryMessage = v.InferOutput<typeof deliveryMessage>;

export function messageOf({ env, organisationId, endpointId, id, round }: Delivery): DeliveryMessage {
  return { env, organisationId, endpointId, deliveryId: id, round };
}

import { errorFields, logger } from '../core/logger.ts';
import type { Secret } from '../core/secrets.ts';
import type { AttemptTable, MessageSubject } from './attempt-table.ts';
import {
  type AttemptResult,
  type Delivery,
  type DeliveryMessage,
  hasNoAttemptsLeft,
  newAttempt,
} from './delivery.ts';
import { type Endpoint, type Lease, signingSecrets } from './endpoint.ts';
import type { LeaseTable } from './lease-table.ts';
import type { PostResult, PostWebhook } from './post-webhook.ts';
import { hiddenSeconds, leaseWaitSeconds, nextAttemptAt } from './schedule.ts';
import { endpointSecret, masterWithId, signedHeaders } from './signature.ts';

export interface DeliverDependencies {
  readonly attempts: AttemptTable;
  readonly leases: LeaseTable;
  readonly post: PostWebhook;
  /** The master secret. */
  readonly masters: () => Promise<Secret>;
  readonly nowMs: () => number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Delete it, or hide it for this many seconds. */
export type MessageFate =
  | { readonly kind: 'done'; readonly result?: AttemptResult }
  | { readonly kind: 'hide'; readonly seconds: number };

/** The time limit of a request. */
const TIMEOUT_MS = 15_000;
/** The time limit, plus time to record the result. */
const LEASE_MS = 30_000;
/** Otherwise, nothing is sent. */
const LEAST_LEFT_MS = LEASE_MS - 10_000;

const DONE: MessageFate = { kind: 'done' };

/**
 * Tries a delivery that is due if its endpoint has a free lease. It may run several times for one message, concurrently
 * or late, and be killed at any point, because the row decides. Each attempt is claimed first, so that an interrupted
 * one also counts.
 */
export async function deliver(message: DeliveryMessage, deps: DeliverDependencies): Promise<MessageFate> {
  const { attempts, nowMs } = deps;
  const subject = await attempts.readSubject(message);
  const { delivery } = subject;
  // The delivery has ended, or the message is of an earlier round.
  if (!delivery || delivery.round !== message.round || delivery.state !== 'PENDING') return DONE;
  const now = nowMs();
  const busyUntilMs = delivery.attemptUntilMs ?? 0;
  if (busyUntilMs >= now) return { kind: 'hide', seconds: hiddenSeconds(busyUntilMs + 1, now) };
  const end = endWithoutAttempt(delivery, subject);
  if (end) {
    await attempts.recordResult(delivery, end, now);
    return { kind: 'done', result: end };
  }
  if (delivery.dueMs > now) return { kind: 'hide', seconds: hiddenSeconds(delivery.dueMs, now) };
  return attemptWithLease(delivery, requiredEndpointOf(subject), deps);
}

/** Undefined if the delivery may be tried. */
function endWithoutAttempt(delivery: Delivery, { endpoint }: MessageSubject): AttemptResult | undefined {
  if (!endpoint || endpoint.state === 'DELETED') return { state: 'CANCELLED', reason: 'ENDPOINT_DELETED' };
  if (endpoint.state === 'DISABLED') return { state: 'CANCELLED', reason: 'ENDPOINT_DISABLED' };
  // The last attempt has no recorded result.
  if (hasNoAttemptsLeft(delivery)) return { state: 'FAILED', reason: 'INTERRUPTED' };
  return undefined;
}

function requiredEndpointOf({ endpoint, delivery }: MessageSubject): Endpoint {
  const isSameOwner =
    endpoint?.organisationId === delivery?.organisationId && endpoint?.env === delivery?.env;
  if (!endpoint || !isSameOwner) throw new Error('A delivery must stay in its organisation and environment.');
  return endpoint;
}

async function attemptWithLease(
  delivery: Delivery,
  endpoint: Endpoint,
  deps: DeliverDependencies,
): Promise<MessageFate> {
  const { leases, nowMs, random } = deps;
  const now = nowMs();
  const taken = await leases.takeLease(endpoint, delivery.id, now + LEASE_MS, now);
  // The endpoint was disabled or deleted meanwhile: handling the message again ends the delivery.
  if (taken.kind === 'not-enabled') return { kind: 'hide', seconds: 1 };
  if (taken.kind === 'busy') return { kind: 'hide', seconds: leaseWaitSeconds(random()) };
  try {
    return await makeAttempt(delivery, taken, deps);
  } finally {
    // A lease expires.
    const returned = leases.returnLease(endpoint, taken.lease);
    await orLog(returned, 'The lease of a webhook endpoint was not returned.', endpoint);
  }
}

async function makeAttempt(
  delivery: Delivery,
  { lease, endpoint }: { readonly lease: Lease; readonly endpoint: Endpoint },
  deps: DeliverDependencies,
): Promise<MessageFate> {
  const { attempts, nowMs, random } = deps;
  const { untilMs } = lease;
  const now = nowMs();
  const ifInterruptedMs = nextAttemptAt(delivery.attemptInRound + 1, now, random()) ?? now;
  const claimed = await attempts.claimAttempt(delivery, { nowMs: now, untilMs, dueMs: ifInterruptedMs });
  // Another instance has it, or it was resent.
  if (!claimed) return { kind: 'hide', seconds: 1 };
  const startMs = nowMs();
  const posted = await sendSigned(claimed, endpoint, untilMs, deps);
  const endMs = nowMs();
  const result = resultOf(claimed, posted, deps);
  // If the function ends between the two writes, the delivery is cancelled later.
  if (posted.kind === 'failed' && posted.reason === 'GONE') await deps.leases.disableGone(endpoint);
  const attempt = newAttempt(claimed, posted, startMs, endMs);
  await Promise.all([
    attempts.recordResult(claimed, result, endMs),
    orLog(attempts.insertAttempt(claimed, attempt), 'An attempt of a webhook was not stored.', endpoint),
  ]);
  if (result.state !== 'PENDING') return { kind: 'done', result };
  return { kind: 'hide', seconds: hiddenSeconds(result.dueMs ?? now, nowMs()) };
}

/** A frozen instance that continues after its lease has expired sends nothing. */
async function sendSigned(
  { eventId: id, body }: Delivery,
  endpoint: Endpoint,
  untilMs: number,
  { masters, post, nowMs }: DeliverDependencies,
): Promise<PostResult> {
  const known = await masters();
  const now = nowMs();
  // The master secret of the previous secret may be lost.
  const refs = signingSecrets(endpoint, now).filter(
    (one) => one === endpoint.secret || masterWithId(one.master, known) !== undefined,
  );
  const secrets = refs.map((one) => endpointSecret(endpoint, one, known));
  const headers = signedHeaders({ id, timestamp: Math.floor(now / 1000), body }, secrets);
  if (untilMs - now < LEAST_LEFT_MS) return { kind: 'failed', reason: 'INTERRUPTED' };
  return post({ url: endpoint.url, headers, body, timeoutMs: TIMEOUT_MS });
}

function resultOf(
  claimed: Delivery,
  posted: PostResult,
  { nowMs, random }: DeliverDependencies,
): AttemptResult {
  const { status } = posted;
  if (posted.kind === 'delivered') return { state: 'DELIVERED', status };
  const { reason } = posted;
  const isLast = reason === 'GONE' || hasNoAttemptsLeft(claimed);
  const dueMs = isLast ? undefined : nextAttemptAt(claimed.attemptInRound, nowMs(), random());
  return { state: dueMs === undefined ? 'FAILED' : 'PENDING', dueMs, reason, status };
}

/** Never rejects: the attempt is over, and does not depend on the write. */
async function orLog(write: Promise<unknown>, what: string, { id }: Endpoint): Promise<void> {
  try {
    await write;
  } catch (error) {
    logger.warn(what, { endpoint: id, ...errorFields(error) });
  }
}

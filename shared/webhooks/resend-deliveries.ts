import { ServiceError } from '../core/errors.ts';
import { ulidRange } from '../core/ids.ts';
import type { WalletId } from '../core/keys.ts';
import { type Attempt, type Delivery, messageOf, resentDelivery, shownState } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryPage, DeliveryRange, DeliveryTable } from './delivery-table.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointTable } from './endpoint-table.ts';
import { sampleEvent } from './event-sample.ts';
import type { DeliveredType } from './event-type.ts';
import { requiredEndpoint } from './manage-endpoints.ts';
import { type StartDependencies, startDelivery } from './start-deliveries.ts';

/** What members do with deliveries. */

export interface ResendDependencies {
  readonly endpoints: Pick<EndpointTable, 'getEndpoint'>;
  readonly deliveries: DeliveryTable;
  readonly queue: Pick<DeliveryQueue, 'sendMessages'>;
  readonly nowMs: () => number;
}

interface ReplayDependencies extends ResendDependencies {
  /** Returns when the next delivery is due. */
  readonly nextDueMs: () => Promise<number>;
}

/** Sends a sample, whatever events are chosen. Throws ENDPOINT_NOT_ENABLED. `count` is called before it is sent. */
export async function sendTest(
  owner: WalletId,
  endpointId: string,
  type: DeliveredType,
  deps: Pick<ResendDependencies, 'endpoints'> & Pick<StartDependencies, 'deliveries' | 'queue' | 'nowMs'>,
  count?: () => Promise<void>,
): Promise<Delivery> {
  const row = await enabledEndpoint(owner, endpointId, deps);
  await count?.();
  return startDelivery(sampleEvent(type, row, deps.nowMs()), row, deps);
}

/** With the same event ID and all retries. Throws CHANGED_MEANWHILE if it was resent meanwhile. */
export async function resendDelivery(
  owner: WalletId,
  endpointId: string,
  deliveryId: string,
  deps: ResendDependencies,
  count?: () => Promise<void>,
): Promise<Delivery> {
  const to = await enabledEndpoint(owner, endpointId, deps);
  await count?.();
  const before = await deps.deliveries.getDelivery(owner, endpointId, deliveryId);
  if (!before) throw new ServiceError('RESOURCE_NOT_FOUND');
  const after = await restart(before, to, deps.nowMs(), deps);
  if (!after) throw new ServiceError('CHANGED_MEANWHILE');
  return after;
}

/** A period whose deliveries are resent. */
interface Replay {
  /** Epoch milliseconds. Both ends are included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Also those that were cancelled. */
  readonly which: 'failed' | 'all';
  /** The `next` of the previous part. */
  readonly after?: string | undefined;
}

interface ReplayPart {
  readonly resent: number;
  /** Undefined after the last part. */
  readonly next: string | undefined;
}

/** The page requests one part after another, and shows the progress. */
const REPLAYED_AT_ONCE = 50;
/** They have up to 2 KB each. */
const SHOWN_ATTEMPTS = 20;

/** Oldest first, each due at a time of its own. Skips deliveries that wait for their next attempt or were resent. */
export async function replayDeliveries(
  owner: WalletId,
  endpointId: string,
  { fromMs, toMs, which, after }: Replay,
  deps: ReplayDependencies,
): Promise<ReplayPart> {
  const to = await enabledEndpoint(owner, endpointId, deps);
  const { first, last } = ulidRange(fromMs, toMs);
  const range = { first: after !== undefined && after > first ? after : first, last };
  const options = { limit: REPLAYED_AT_ONCE, newest: false };
  const { deliveries, next } = await deps.deliveries.listDeliveries(owner, endpointId, range, options);
  const chosen = deliveries.filter((row) => isReplayed(row, which, deps.nowMs()));
  const dueMs: number[] = [];
  while (dueMs.length < chosen.length) dueMs.push(await deps.nextDueMs());
  const restarted = await Promise.all(chosen.map((row, index) => restart(row, to, dueMs[index] ?? 0, deps)));
  return { resent: restarted.filter((row) => row !== undefined).length, next };
}

function isReplayed(row: Delivery, which: Replay['which'], nowMs: number): boolean {
  const { state } = shownState(row, nowMs);
  return state === 'FAILED' || state === 'CANCELLED' || (which === 'all' && state === 'DELIVERED');
}

/** Newest first. `before`: the `next` of the previous page. */
export async function listDeliveries(
  owner: WalletId,
  endpointId: string,
  page: { readonly before?: string | undefined; readonly limit: number },
  deps: Pick<ResendDependencies, 'endpoints' | 'deliveries'>,
): Promise<DeliveryPage> {
  // Failed deliveries of deleted endpoints stay visible.
  if (!(await deps.endpoints.getEndpoint(owner, endpointId))) throw new ServiceError('RESOURCE_NOT_FOUND');
  const range: DeliveryRange = { first: '0', last: page.before ?? 'Z' };
  return deps.deliveries.listDeliveries(owner, endpointId, range, { limit: page.limit, newest: true });
}

/** The last 20, newest first. */
export async function listAttempts(
  owner: WalletId,
  endpointId: string,
  deliveryId: string,
  { deliveries }: Pick<ResendDependencies, 'deliveries'>,
): Promise<Attempt[]> {
  const [row, attempts] = await Promise.all([
    deliveries.getDelivery(owner, endpointId, deliveryId),
    deliveries.listAttempts(owner, endpointId, deliveryId, SHOWN_ATTEMPTS),
  ]);
  if (!row) throw new ServiceError('RESOURCE_NOT_FOUND');
  return attempts;
}

/** A message with a later round than the row has no effect, so the row comes first. */
async function restart(
  before: Delivery,
  to: Endpoint,
  dueMs: number,
  { deliveries, queue }: ResendDependencies,
): Promise<Delivery | undefined> {
  const after = resentDelivery(before, dueMs);
  const isRestarted = await deliveries.restartDelivery(before, after, to);
  if (!isRestarted && !(await isStored(after, deliveries))) return undefined;
  await queue.sendMessages([messageOf(after)]);
  return after;
}

/** The response to an earlier attempt may be lost. */
async function isStored(after: Delivery, deliveries: DeliveryTable): Promise<boolean> {
  const row = await deliveries.getDelivery(after, after.endpointId, after.id);
  return row?.round === after.round && row.dueMs === after.dueMs;
}

async function enabledEndpoint(
  owner: WalletId,
  id: string,
  { endpoints }: Pick<ResendDependencies, 'endpoints'>,
): Promise<Endpoint> {
  const row = await requiredEndpoint(owner, id, endpoints);
  if (row.state !== 'ENABLED') throw new ServiceError('ENDPOINT_NOT_ENABLED');
  return row;
}

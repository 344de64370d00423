import { ServiceError } from '../core/errors.ts';
import { newOperationId, ulidRange } from '../core/ids.ts';
import type { WalletId } from '../core/keys.ts';
import { type Delivery, messageOf, resentDelivery, shownState } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryPage, DeliveryRange, DeliveryTable } from './delivery-table.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointTable } from './endpoint-table.ts';
import { requiredEndpoint } from './manage-endpoints.ts';
import { type StartDependencies, startDelivery } from './start-deliveries.ts';

/** The actions of members on deliveries: list deliveries, send a test, resend a delivery, and replay a period. */

export interface ResendDependencies {
  readonly endpoints: Pick<EndpointTable, 'getEndpoint'>;
  readonly deliveries: DeliveryTable;
  readonly queue: Pick<DeliveryQueue, 'sendMessages'>;
  readonly nowMs: () => number;
}

const TEST_MESSAGE = 'This is a test. Your endpoint received it, and can verify its signature.';

/**
 * Sends the event `test` to one endpoint, whatever events are chosen for it. Throws RESOURCE_NOT_FOUND if there is no
 * such endpoint, and ENDPOINT_NOT_ENABLED if it is disabled.
 */
export async function sendTest(
  owner: WalletId,
  endpointId: string,
  deps: Pick<ResendDependencies, 'endpoints'> & Pick<StartDependencies, 'deliveries' | 'queue' | 'nowMs'>,
): Promise<Delivery> {
  const row = await enabledEndpoint(owner, endpointId, deps);
  const nowMs = deps.nowMs();
  const event = {
    id: `test_${newOperationId(nowMs)}`,
    type: 'test',
    at: new Date(nowMs).toISOString(),
    organisationId: row.organisationId,
    env: row.env,
    data: { message: TEST_MESSAGE },
  } as const;
  return startDelivery(event, row, deps);
}

/**
 * Resends a delivery now, with the same event ID and the full number of retries. Throws RESOURCE_NOT_FOUND if there is
 * no such endpoint or delivery, ENDPOINT_NOT_ENABLED if its endpoint is disabled, or CHANGED_MEANWHILE if it was resent
 * in the meantime.
 */
export async function resendDelivery(
  owner: WalletId,
  endpointId: string,
  deliveryId: string,
  deps: ResendDependencies,
): Promise<Delivery> {
  await enabledEndpoint(owner, endpointId, deps);
  const before = await deps.deliveries.getDelivery(owner, endpointId, deliveryId);
  if (!before) throw new ServiceError('RESOURCE_NOT_FOUND');
  const after = await restart(before, deps);
  if (!after) throw new ServiceError('CHANGED_MEANWHILE');
  return after;
}

/** A period whose deliveries are resent. */
interface Replay {
  /** Epoch milliseconds. Both ends are included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** `failed`: only deliveries that failed or were cancelled. */
  readonly which: 'failed' | 'all';
  /** The `next` of the previous part. */
  readonly after?: string | undefined;
}

/** The result of one part of a replay. */
interface ReplayPart {
  readonly resent: number;
  /** Where the next part begins. Undefined if this was the last one. */
  readonly next: string | undefined;
}

/** Keeps requests short: the page requests one part after another, and shows the progress. */
const REPLAYED_AT_ONCE = 50;

/**
 * Resends one part of the deliveries of a period, oldest first. Skips deliveries that are waiting for their next
 * attempt or were resent in the meantime. Throws as `sendTest` does.
 */
export async function replayDeliveries(
  owner: WalletId,
  endpointId: string,
  { fromMs, toMs, which, after }: Replay,
  deps: ResendDependencies,
): Promise<ReplayPart> {
  await enabledEndpoint(owner, endpointId, deps);
  const { first, last } = ulidRange(fromMs, toMs);
  const range = { first: after !== undefined && after > first ? after : first, last };
  const options = { limit: REPLAYED_AT_ONCE, newest: false };
  const { deliveries, next } = await deps.deliveries.listDeliveries(owner, endpointId, range, options);
  const chosen = deliveries.filter((row) => isReplayed(row, which, deps.nowMs()));
  const restarted = await Promise.all(chosen.map((row) => restart(row, deps)));
  return { resent: restarted.filter((row) => row !== undefined).length, next };
}

function isReplayed(row: Delivery, which: Replay['which'], nowMs: number): boolean {
  const { state } = shownState(row, nowMs);
  return state === 'FAILED' || state === 'CANCELLED' || (which === 'all' && state === 'DELIVERED');
}

/** Returns the deliveries of an endpoint, newest first. `before`: the `next` of the previous page. */
export async function listDeliveries(
  owner: WalletId,
  endpointId: string,
  page: { readonly before?: string | undefined; readonly limit: number },
  deps: Pick<ResendDependencies, 'endpoints' | 'deliveries'>,
): Promise<DeliveryPage> {
  // Deleted endpoints are included, so that their failed deliveries stay visible.
  if (!(await deps.endpoints.getEndpoint(owner, endpointId))) throw new ServiceError('RESOURCE_NOT_FOUND');
  const range: DeliveryRange = { first: '0', last: page.before ?? 'Z' };
  return deps.deliveries.listDeliveries(owner, endpointId, range, { limit: page.limit, newest: true });
}

/** Writes the row before it sends the message, because a message with a later round than the row has no effect. */
async function restart(
  before: Delivery,
  { deliveries, queue, nowMs }: ResendDependencies,
): Promise<Delivery | undefined> {
  const after = resentDelivery(before, nowMs());
  const isRestarted = await deliveries.restartDelivery(before, after);
  if (!isRestarted && !(await isStored(after, deliveries))) return undefined;
  await queue.sendMessages([messageOf(after)]);
  return after;
}

/** Whether the write was applied even though it failed, because the response to an earlier attempt was lost. */
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

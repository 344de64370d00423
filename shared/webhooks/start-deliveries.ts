import { type Delivery, messageOf, newDelivery } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryTable } from './delivery-table.ts';
import { type Endpoint, receives } from './endpoint.ts';
import type { EndpointTable } from './endpoint-table.ts';
import type { EventType, WebhookEvent } from './event-type.ts';

export interface StartDependencies {
  readonly endpoints: Pick<EndpointTable, 'listEndpoints'>;
  readonly deliveries: Pick<DeliveryTable, 'insertDelivery' | 'findDelivery'>;
  readonly queue: Pick<DeliveryQueue, 'sendMessages'>;
  readonly nowMs: () => number;
}

/**
 * To the enabled endpoints for which the event is chosen. It may run again, even after half a run: each endpoint has
 * only one delivery.
 */
export async function startDeliveries(
  event: WebhookEvent & { readonly type: EventType },
  deps: StartDependencies,
): Promise<number> {
  const endpoints = await deps.endpoints.listEndpoints(event);
  const receivers = endpoints.filter((one) => receives(one, event.type));
  const started = await Promise.all(receivers.map((one) => startDelivery(event, one, deps)));
  return started.length;
}

/**
 * Stores the delivery, then sends its message. If it exists, the message is sent again only before the first attempt:
 * the first run may have ended early, and a second message is harmless.
 */
export async function startDelivery(
  event: WebhookEvent,
  to: Endpoint,
  deps: Pick<StartDependencies, 'deliveries' | 'queue' | 'nowMs'>,
): Promise<Delivery> {
  const row = newDelivery(event, to, deps.nowMs());
  const isNew = await deps.deliveries.insertDelivery(row, to);
  const stored = isNew ? row : await deps.deliveries.findDelivery(to, to.id, event.id);
  if (!stored) throw new Error('The delivery of an event was neither stored nor found.');
  const hasNoAttempts = stored.state === 'PENDING' && stored.attempts === 0;
  if (hasNoAttempts) await deps.queue.sendMessages([messageOf(stored)]);
  return stored;
}

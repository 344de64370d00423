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
 * Starts the deliveries of an event to the enabled endpoints of its organisation and environment for which the event is
 * chosen. It may run again for the same event, even after a run that failed halfway: each endpoint still has only one
 * delivery. Returns the number of deliveries.
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
 * Stores the delivery of an event to one endpoint, and then sends its message. Returns the delivery as it is stored.
 * If the delivery already exists, the message is sent again only if the delivery has not been tried yet, because the
 * first run may have ended before it sent the message. A second message is harmless.
 */
export async function startDelivery(
  event: WebhookEvent,
  to: Endpoint,
  deps: Pick<StartDependencies, 'deliveries' | 'queue' | 'nowMs'>,
): Promise<Delivery> {
  const row = newDelivery(event, to, deps.nowMs());
  const isNew = await deps.deliveries.insertDelivery(row);
  const stored = isNew ? row : await deps.deliveries.findDelivery(to, to.id, event.id);
  if (!stored) throw new Error('The delivery of an event was neither stored nor found.');
  const hasNoAttempts = stored.state === 'PENDING' && stored.attempts === 0;
  if (hasNoAttempts) await deps.queue.sendMessages([messageOf(stored)]);
  return stored;
}

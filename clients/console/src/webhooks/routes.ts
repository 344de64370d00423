import type { Environment } from '../../../../shared/core/environment.ts';
import type { DeliveriesView, DeliveryView } from '../../../../shared/webhooks/console/views.ts';
import { get, type Result, send } from '../api.ts';

export function deliveriesPath(env: Environment, endpointId: string, cursor?: string): string {
  return `/webhooks/${endpointId}/deliveries?env=${env}${cursor ? `&cursor=${cursor}` : ''}`;
}

export function attemptsPath(env: Environment, endpointId: string, deliveryId: string): string {
  return `/deliveries/${deliveryId}/attempts?env=${env}&endpoint_id=${endpointId}`;
}

/** The customer's server has 15 seconds to respond, and the queue takes a few more. */
const MOST_READS = 25;
const READ_INTERVAL_MS = 1000;

/**
 * Sends a test or resends a delivery. Reads the delivery until its next attempt has ended, at most `MOST_READS` times.
 */
export async function sendAndFollow(
  path: string,
  body: { readonly env: Environment; readonly endpoint_id?: string },
  endpointId: string,
): Promise<Result<DeliveryView>> {
  const result = await send<DeliveryView>('POST', path, body);
  if (!result.ok) return result;
  const sent = result.data;
  let seen = sent;
  for (let reads = 0; reads < MOST_READS && isWaiting(seen, sent); reads += 1) {
    await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL_MS));
    const read = await get<DeliveriesView>(deliveriesPath(body.env, endpointId));
    if (!read.ok) return read;
    seen = read.data.deliveries.find(({ id }) => id === sent.id) ?? seen;
  }
  return { ...result, data: seen };
}

function isWaiting({ state, is_in_progress, attempts }: DeliveryView, sent: DeliveryView): boolean {
  return state === 'PENDING' && (is_in_progress || attempts === sent.attempts);
}

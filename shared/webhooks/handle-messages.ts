import * as v from 'valibot';
import { errorFields, logger } from '../core/logger.ts';
import { onlyAboveZero, publishMetrics } from '../core/metrics.ts';
import { type DeliverDependencies, deliver, type MessageFate } from './deliver.ts';
import { type DeliveryMessage, deliveryMessage } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

export interface QueueEvent {
  readonly Records: readonly {
    readonly messageId: string;
    readonly receiptHandle: string;
    readonly body: string;
  }[];
}

/** Lambda deletes all others. */
export interface QueueResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const message = v.pipe(v.string(), v.parseJson(), deliveryMessage);

/**
 * A message that must wait is hidden and stays in the queue. If handling a message fails, it is received again after
 * its visibility timeout.
 */
export async function handleMessages(
  event: QueueEvent,
  deps: DeliverDependencies & { readonly queue: Pick<DeliveryQueue, 'hideMessage'> },
): Promise<QueueResponse> {
  const kept = await Promise.all(
    event.Records.map(async ({ messageId, receiptHandle, body }) => {
      try {
        const parsed = v.parse(message, body);
        const fate = await deliver(parsed, deps);
        report(parsed, fate);
        if (fate.kind === 'done') return [];
        await deps.queue.hideMessage(receiptHandle, fate.seconds);
      } catch (error) {
        logger.error('A message in the webhook queue was not handled.', {
          message_id: messageId,
          ...errorFields(error),
        });
        publishMetrics({ values: { unhandledMessages: 1 } });
      }
      return [{ itemIdentifier: messageId }];
    }),
  );
  return { batchItemFailures: kept.flat() };
}

/** The address may contain a token. */
function report({ deliveryId, endpointId, organisationId, env }: DeliveryMessage, fate: MessageFate): void {
  const result = fate.kind === 'done' ? fate.result : undefined;
  if (!result) return;
  const { state, reason, status } = result;
  logger.info('webhook delivery', {
    delivery: deliveryId,
    endpoint: endpointId,
    organisation: organisationId,
    env,
    state,
    reason,
    http_status: status,
  });
  publishMetrics({ values: onlyAboveZero({ failedDeliveries: state === 'FAILED' ? 1 : 0 }) });
}

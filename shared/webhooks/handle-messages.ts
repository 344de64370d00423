import * as v from 'valibot';
import { isTableFailure } from '../core/database.ts';
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

/** Of a message that ends in an error of ours. The last one is 12 minutes after the first. */
const MOST_FAILURES = 5;
const RETRY_SECONDS = 180;

interface HandleDependencies extends DeliverDependencies {
  readonly queue: Pick<DeliveryQueue, 'hideMessage' | 'sendBody'>;
  /** The dead-letter queue. */
  readonly failed: Pick<DeliveryQueue, 'sendBody'>;
}

/**
 * A message that must wait is hidden and stays in the queue. While a table or secret is not available, messages are
 * received again after their visibility timeout. A message that ends in an error of ours is sent again, and after five
 * such errors to the dead-letter queue: its redrive policy would count the times that a message waited.
 */
export async function handleMessages(event: QueueEvent, deps: HandleDependencies): Promise<QueueResponse> {
  const kept = await Promise.all(
    event.Records.map(async (record) => ((await handleMessage(record, deps)) ? [] : [record.messageId])),
  );
  return { batchItemFailures: kept.flat().map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Returns whether the queue may delete the message. Never rejects. */
async function handleMessage(
  record: QueueEvent['Records'][number],
  deps: HandleDependencies,
): Promise<boolean> {
  const { receiptHandle, body } = record;
  try {
    const parsed = v.parse(message, body);
    const fate = await deliver(parsed, deps);
    report(parsed, fate);
    if (fate.kind === 'hide') await deps.queue.hideMessage(receiptHandle, fate.seconds);
    return fate.kind === 'done';
  } catch (error) {
    logUnhandled(record, error);
    if (isTableFailure(error)) return false;
    try {
      await sendAgain(body, deps);
      return true;
    } catch (sendError) {
      logUnhandled(record, sendError);
      return false;
    }
  }
}

/** Each attempt has a message of its own: only the delivery shows whether two lines are about the same one. */
function logUnhandled({ messageId, body }: QueueEvent['Records'][number], error: unknown): void {
  const { success, output } = v.safeParse(message, body);
  const fields = { message_id: messageId, ...(success && subjectOf(output)), ...errorFields(error) };
  logger.error('A message in the webhook queue was not handled.', fields);
  publishMetrics({ values: { unhandledMessages: 1 } });
}

/** If the function ends before the queue deletes the original, both are handled, which is harmless. */
async function sendAgain(body: string, { queue, failed }: HandleDependencies): Promise<void> {
  const { success, output: parsed } = v.safeParse(message, body);
  if (!success) return failed.sendBody(body);
  const { failures = 0, ...first } = parsed;
  const group = parsed.endpointId;
  if (failures + 1 >= MOST_FAILURES) return failed.sendBody(JSON.stringify(first), { group });
  const again = JSON.stringify({ ...first, failures: failures + 1 });
  return queue.sendBody(again, { group, delaySeconds: RETRY_SECONDS });
}

/** Without the address, which may contain a token. */
function subjectOf({ deliveryId, endpointId, organisationId, env }: DeliveryMessage) {
  return { delivery: deliveryId, endpoint: endpointId, organisation: organisationId, env };
}

function report(subject: DeliveryMessage, fate: MessageFate): void {
  const result = fate.kind === 'done' ? fate.result : undefined;
  if (!result) return;
  const { state, reason, status } = result;
  logger.info('webhook delivery', {
    ...subjectOf(subject),
    state,
    reason,
    http_status: status,
  });
  publishMetrics({ values: onlyAboveZero({ failedDeliveries: state === 'FAILED' ? 1 : 0 }) });
}

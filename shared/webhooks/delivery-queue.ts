import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../core/aws-client.ts';
import { traceCalls } from '../core/trace-client.ts';
import type { DeliveryMessage } from './delivery.ts';

/** The delivery queue: one message for each delivery. */
export type DeliveryQueue = ReturnType<typeof deliveryQueue>;

/** The maximum number of messages in one call to SQS. */
const BATCH = 10;
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true } as const;

/** Opens a queue by its URL. */
export function deliveryQueue(queueUrl: string) {
  const client = new SQSClient({ ...clientSettings('AWS_ENDPOINT_URL_SQS'), requestHandler: TIMEOUTS });
  client.middlewareStack.use(traceCalls('SQS'));
  return {
    /** Sends messages. Rejects if the queue does not accept all of them. */
    async sendMessages(messages: readonly DeliveryMessage[]) {
      for (let first = 0; first < messages.length; first += BATCH) {
        const entries = messages.slice(first, first + BATCH).map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          // SQS gives each endpoint its fair share of the queue.
          MessageGroupId: message.endpointId,
        }));
        const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries });
        const { Failed = [] } = await client.send(command);
        if (Failed.length > 0)
          throw new Error(`The queue rejected ${Failed.length} of ${entries.length} messages.`);
      }
    },
    /** Hides a received message for this many seconds. */
    async hideMessage(receiptHandle: string, seconds: number) {
      const request = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await client.send(new ChangeMessageVisibilityCommand(request));
    },
  };
}

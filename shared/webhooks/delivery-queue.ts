import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { clientSettings } from '../core/aws-client.ts';
import { traceCalls } from '../core/trace-client.ts';
import type { DeliveryMessage } from './delivery.ts';

/** One message for each delivery. */
export type DeliveryQueue = ReturnType<typeof deliveryQueue>;

/** Of one call to SQS. */
const BATCH = 10;
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true } as const;

/** Opens a queue by its URL. */
export function deliveryQueue(queueUrl: string) {
  const client = new SQSClient({ ...clientSettings('AWS_ENDPOINT_URL_SQS'), requestHandler: TIMEOUTS });
  client.middlewareStack.use(traceCalls('SQS'));
  return {
    /** Rejects if the queue does not accept all. */
    async sendMessages(messages: readonly DeliveryMessage[]) {
      for (let first = 0; first < messages.length; first += BATCH) {
        const entries = messages.slice(first, first + BATCH).map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          // Each endpoint has its fair share.
          MessageGroupId: message.endpointId,
        }));
        const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries });
        const { Failed = [] } = await client.send(command);
        if (Failed.length > 0)
          throw new Error(`The queue rejected ${Failed.length} of ${entries.length} messages.`);
      }
    },
    /** Sends one message with this body. @default `delaySeconds` 0 */
    async sendBody(body: string, { group, delaySeconds }: { group?: string; delaySeconds?: number } = {}) {
      const request = { QueueUrl: queueUrl, MessageBody: body, MessageGroupId: group };
      await client.send(new SendMessageCommand({ ...request, DelaySeconds: delaySeconds }));
    },
    async hideMessage(receiptHandle: string, seconds: number) {
      const request = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await client.send(new ChangeMessageVisibilityCommand(request));
    },
  };
}

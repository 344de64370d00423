import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Stage, StageConfig } from '../../config.ts';
import { webhookConcurrencyOf } from '../../stages/capacity.ts';
import type { AccessProfile } from '../access/access-profiles.ts';
import { failedWebhooksName, webhookQueueName } from '../physical-names.ts';

/** The maximum time for which SQS keeps a message. The last attempt of a delivery is about 76 hours after the first. */
const RETENTION = Duration.days(14);
/** The maximum that SQS allows, because a delivery is received again each time that it has waited for its endpoint. */
const MAX_RECEIVES = 1_000;

/** An attempt has a time limit of 15 s. The function must end before a lease of an endpoint expires after 30 s. */
export const DELIVERY_TIMEOUT_SECONDS = 28;
/**
 * Six times the timeout, as AWS recommends, so that a message does not become visible while Lambda throttles the
 * function and retries it.
 */
const VISIBILITY_TIMEOUT = Duration.seconds(6 * DELIVERY_TIMEOUT_SECONDS);

const SHARED: QueueProps = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: RETENTION,
};

/**
 * The webhook deliveries that are due or waiting for their next attempt, and a dead-letter queue with those that the
 * function could not process. It is a standard queue: the group of a message is its endpoint, and SQS delays only the
 * messages of groups with many messages in flight.
 */
export class WebhookQueue extends Queue {
  constructor(scope: Construct, id: string, stage: Stage) {
    const failed = new Queue(scope, `Failed${id}`, { ...SHARED, queueName: failedWebhooksName(stage) });
    super(scope, id, {
      ...SHARED,
      queueName: webhookQueueName(stage),
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: failed, maxReceiveCount: MAX_RECEIVES },
    });
  }
}

/** Lambda receives and deletes the messages with the role of the function. */
const ACTIONS = {
  send: ['sqs:SendMessage'],
  receive: [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ChangeMessageVisibility',
  ],
} as const;

/** Returns the variable and the policy statement for a function that sends or receives webhook deliveries. */
export function webhookAccess(
  queue: Pick<IQueue, 'queueUrl' | 'queueArn'> | undefined,
  { webhookQueue: use }: AccessProfile,
) {
  if (!use) return { environment: {}, statements: [] };
  if (!queue) throw new Error('A function that sends or receives deliveries needs the webhook queue.');
  return {
    environment: { WEBHOOK_QUEUE_URL: queue.queueUrl },
    statements: [new PolicyStatement({ actions: [...ACTIONS[use]], resources: [queue.queueArn] })],
  };
}

/**
 * The maximum number of messages that a run handles at the same time. If each run handled one, 40 runs would make fewer
 * than 200 deliveries a second to endpoints that respond in 200 ms, because each delivery also accesses the table.
 */
const MESSAGES_AT_ONCE = 5;

/** Runs the function for the messages in the queue. A message that it reports as failed stays in the queue. */
export function deliverWebhooks(handler: IFunction, queue: IQueue, config: StageConfig): void {
  const maxConcurrency = webhookConcurrencyOf(config);
  handler.addEventSource(
    new SqsEventSource(queue, { batchSize: MESSAGES_AT_ONCE, reportBatchItemFailures: true, maxConcurrency }),
  );
}

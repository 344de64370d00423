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

/** The maximum of SQS. The last attempt is about 76 hours after the first. */
const RETENTION = Duration.days(14);
/**
 * The maximum of SQS: a delivery is received again each time that it has waited for its endpoint. Its function sets
 * aside a message that ends in errors of ours.
 */
const MAX_RECEIVES = 1_000;

/** An attempt takes at most 15 s, and a lease of an endpoint expires after 30 s. */
export const DELIVERY_TIMEOUT_SECONDS = 28;
/** Six times the timeout, as AWS recommends: a message must not become visible while Lambda throttles. */
const VISIBILITY_TIMEOUT = Duration.seconds(6 * DELIVERY_TIMEOUT_SECONDS);

const SHARED: QueueProps = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: RETENTION,
};

/** A standard queue: SQS delays only the groups (endpoints) with many messages in flight. */
export class WebhookQueue extends Queue {
  readonly failed: Queue;

  constructor(scope: Construct, id: string, stage: Stage) {
    const failed = new Queue(scope, `Failed${id}`, { ...SHARED, queueName: failedWebhooksName(stage) });
    super(scope, id, {
      ...SHARED,
      queueName: webhookQueueName(stage),
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: failed, maxReceiveCount: MAX_RECEIVES },
    });
    this.failed = failed;
  }
}

type QueueAddress = Pick<IQueue, 'queueUrl' | 'queueArn'>;

/** The queue of a stage, and its dead-letter queue. */
export type WebhookQueues = QueueAddress & { readonly failed: QueueAddress };

const ACTIONS = {
  send: ['sqs:SendMessage'],
  receive: [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ChangeMessageVisibility',
    'sqs:SendMessage',
  ],
} as const;

export function webhookAccess(queue: WebhookQueues | undefined, { webhookQueue: use }: AccessProfile) {
  if (!use) return { environment: {}, statements: [] };
  if (!queue) throw new Error('A function that sends or receives deliveries needs the webhook queue.');
  const used = new PolicyStatement({ actions: [...ACTIONS[use]], resources: [queue.queueArn] });
  const environment = { WEBHOOK_QUEUE_URL: queue.queueUrl };
  if (use === 'send') return { environment, statements: [used] };
  const setAside = new PolicyStatement({ actions: [...ACTIONS.send], resources: [queue.failed.queueArn] });
  return {
    environment: { ...environment, FAILED_WEBHOOKS_URL: queue.failed.queueUrl },
    statements: [used, setAside],
  };
}

/**
 * With one at a time, 40 runs would make fewer than 200 deliveries a second to endpoints that respond in 200 ms.
 */
const MESSAGES_AT_ONCE = 5;

/** A message that is reported as failed stays in the queue. */
export function deliverWebhooks(handler: IFunction, queue: IQueue, config: StageConfig): void {
  const maxConcurrency = webhookConcurrencyOf(config);
  handler.addEventSource(
    new SqsEventSource(queue, { batchSize: MESSAGES_AT_ONCE, reportBatchItemFailures: true, maxConcurrency }),
  );
}

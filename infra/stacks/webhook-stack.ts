import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { WebhookQueue } from '../constructs/functions/webhook-queue.ts';

interface WebhookStackProps extends StackProps {
  readonly stage: Stage;
}

/**
 * The queue contains waiting deliveries, so its stack is not deleted at any time. It is not in the data stack, which
 * operators can import after a loss: a lost queue is created again.
 */
export class WebhookStack extends Stack {
  readonly queue: WebhookQueue;

  constructor(scope: Construct, id: string, { stage, ...props }: WebhookStackProps) {
    super(scope, id, props);
    this.queue = new WebhookQueue(this, 'Webhooks', stage);
    // As in the data stack.
    for (const { queueUrl, queueArn } of [this.queue, this.queue.failed])
      for (const value of [queueUrl, queueArn]) this.exportValue(value);
  }
}

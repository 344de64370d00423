import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { WebhookQueue } from '../constructs/functions/webhook-queue.ts';

interface WebhookStackProps extends StackProps {
  readonly stage: Stage;
}

/**
 * The webhook queue. It contains waiting deliveries, so it is not in a stack that can be deleted at any time. It is
 * not in the data stack either: operators can import that stack after a loss, whereas a lost queue is simply created
 * again, empty.
 */
export class WebhookStack extends Stack {
  readonly queue: WebhookQueue;

  constructor(scope: Construct, id: string, { stage, ...props }: WebhookStackProps) {
    super(scope, id, props);
    this.queue = new WebhookQueue(this, 'Webhooks', stage);
    // Exports everything that other stacks may import, for the same reason as the data stack.
    for (const value of [this.queue.queueUrl, this.queue.queueArn]) this.exportValue(value);
  }
}

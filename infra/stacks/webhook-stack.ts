import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { WebhookQueue } from '../constructs/webhook-queue.ts';

export interface WebhookStackProps extends StackProps {
  readonly stage: Stage;
}

/**
 * The queue of webhooks. It holds deliveries that wait, so it is not part of a stack that can be deleted at any time, nor
 * of the data stack, which operators can import after a loss: a lost queue is created again, empty.
 */
export class WebhookStack extends Stack {
  readonly queue: WebhookQueue;

  constructor(scope: Construct, id: string, { stage, ...props }: WebhookStackProps) {
    super(scope, id, props);
    this.queue = new WebhookQueue(this, 'Webhooks', stage);
    // Whatever other stacks import, for the reason that the data stack exports everything.
    for (const value of [this.queue.queueUrl, this.queue.queueArn]) this.exportValue(value);
  }
}

import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import { secret } from '../shared/core/secrets.ts';
import { attemptTable } from '../shared/webhooks/attempt-table.ts';
import { deliveryQueue } from '../shared/webhooks/delivery-queue.ts';
import { handleMessages, type QueueEvent } from '../shared/webhooks/handle-messages.ts';
import { leaseTable } from '../shared/webhooks/lease-table.ts';
import { webhookPoster } from '../shared/webhooks/post-webhook.ts';

const [client, table] = [database(), setting('CONSOLE_TABLE')];
const deps = {
  attempts: attemptTable(client, table),
  leases: leaseTable(client, table),
  queue: deliveryQueue(setting('WEBHOOK_QUEUE_URL')),
  failed: deliveryQueue(setting('FAILED_WEBHOOKS_URL')),
  post: webhookPoster({ allowLocal: setting('STAGE') === 'local' }),
  masters: () => secret('WEBHOOKS'),
  nowMs: Date.now,
  random: Math.random,
};

/** Runs for messages in the webhook queue: tries each delivery, or keeps its message for later. */
export const handler = logFailure((event: QueueEvent) => handleMessages(event, deps));

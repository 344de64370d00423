import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import type { Secret } from '../../../shared/core/secrets.ts';
import { attemptTable } from '../../../shared/webhooks/attempt-table.ts';
import type { DeliverDependencies } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/delivery.ts';
import { deliveryTable } from '../../../shared/webhooks/delivery-table.ts';
import type { EndpointChoice } from '../../../shared/webhooks/endpoint.ts';
import { endpointTable } from '../../../shared/webhooks/endpoint-table.ts';
import { leaseTable } from '../../../shared/webhooks/lease-table.ts';
import { addEndpoint } from '../../../shared/webhooks/manage-endpoints.ts';
import type { PostResult, WebhookPost } from '../../../shared/webhooks/post-webhook.ts';
import { MemoryStore } from '../../ledger/storage/memory-store.ts';

/** Webhooks over in-memory tables, with a clock and receivers that the tests control. */

export const LIVE: WalletId = { env: 'live', organisationId: 'ORG0000001' };
export const TEST: WalletId = { env: 'test', organisationId: 'ORG0000001' };
export const CHOICE: EndpointChoice = {
  url: 'https://hooks.example.com/idv?token=abc',
  eventTypes: ['balance.low', 'key.expiring'],
};

const resolve = (
  _: string,
  __: unknown,
  done: (error: null, found: { address: string; family: number }[]) => void,
) => done(null, [{ address: '8.8.8.8', family: 4 }]);

export function memoryWebhooks(recorder?: Recorder) {
  const store = new MemoryStore(() => {});
  // The SDK's paginators accept only instances of this class.
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: unknown) => store.apply(command),
  });
  return openWebhooks(client, 'Console', recorder);
}

export function openWebhooks(client: DynamoDBDocumentClient, tableName: string, recorder?: Recorder) {
  const world = {
    nowMs: Date.parse('2026-11-25T09:00:00Z'),
    masters: { current: 'master secret one' } as Secret,
    messages: [] as DeliveryMessage[],
    posts: [] as WebhookPost[],
    respond: async (_: WebhookPost): Promise<PostResult> => ({ kind: 'delivered', status: 200 }),
  };
  const nowMs = () => world.nowMs;
  const masters = async () => world.masters;
  const queue = {
    sendMessages: async (messages: readonly DeliveryMessage[]) => void world.messages.push(...messages),
  };
  const endpoints = endpointTable(client, tableName, recorder);
  const deliveries = deliveryTable(client, tableName, recorder);
  const manage = { endpoints, masters, rules: { allowLocal: false, resolve }, nowMs };
  const start = { endpoints, deliveries, queue, nowMs };
  const deliver: DeliverDependencies = {
    attempts: attemptTable(client, tableName),
    leases: leaseTable(client, tableName),
    masters,
    nowMs,
    random: () => 0.5,
    post: (post) => {
      world.posts.push(post);
      return world.respond(post);
    },
  };
  const add = (owner: WalletId = LIVE, choice: EndpointChoice = CHOICE) => addEndpoint(owner, choice, manage);
  return { world, endpoints, deliveries, manage, start, deliver, add };
}

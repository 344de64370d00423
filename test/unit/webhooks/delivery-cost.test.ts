import { readFileSync } from 'node:fs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import { handleMessages } from '../../../shared/webhooks/handle-messages.ts';
import { startDeliveries } from '../../../shared/webhooks/start-deliveries.ts';
import { MemoryStore } from '../../ledger/storage/memory-store.ts';
import { PRICES } from '../../rigs/bench/cost/prices.ts';
import { itemBytes } from '../../rigs/bench/cost/units.ts';
import { CHOICE, LIVE, openWebhooks } from '../../support/webhooks/memory-webhooks.ts';

/** Tests the calls of a delivery, from which docs/operate/cost.md computes the cost of a million deliveries. */

const page = readFileSync('docs/operate/cost.md', 'utf8');
const row = (what: string) => page.split('\n').find((line) => line.startsWith(`| ${what} |`));

/** Returns webhooks over an in-memory table that records the names of calls. */
async function recordedWebhooks() {
  const calls: string[] = [];
  const store = new MemoryStore(() => {});
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: object) => {
      calls.push(command.constructor.name.replace('Command', ''));
      return store.apply(command);
    },
  });
  const hooks = openWebhooks(client, 'Console');
  const { endpoint } = await hooks.add();
  calls.length = 0;
  const data = { organisation: LIVE.organisationId, available: 99, low_below: 100, sequence: 3 };
  await startDeliveries(
    { id: 'e1', type: 'balance.low', at: '2026-11-25T09:00:00.000Z', ...LIVE, data },
    hooks.start,
  );
  const started = calls.splice(0);
  const [message] = hooks.world.messages;
  if (!message) throw new Error('No delivery was started.');
  return { hooks, calls, started, message, endpoint };
}

test('a delivery makes the calls listed in docs/operate/cost.md, and its rows cost one unit each', async () => {
  const { hooks, calls, started, message, endpoint } = await recordedWebhooks();
  expect(started).toEqual(['Query', 'TransactWrite']);
  expect(hooks.world.messages).toHaveLength(1);
  expect(await deliver(message, hooks.deliver)).toMatchObject({ kind: 'done' });
  expect(calls).toEqual(['BatchGet', 'Update', 'Update', 'Update', 'Update', 'Update']);

  const stored = await hooks.deliveries.getDelivery(LIVE, endpoint.id, message.deliveryId);
  const leased = { ...endpoint, leaseA: { holder: message.deliveryId, untilMs: hooks.world.nowMs } };
  const keyBytes = 150;
  const [attempt] = await hooks.deliveries.listAttempts(LIVE, endpoint.id, message.deliveryId, 1);
  for (const item of [stored, attempt, { ...leased, url: CHOICE.url }])
    expect(itemBytes(marshall(item, { removeUndefinedValues: true })) + keyBytes).toBeLessThan(1024);

  // Read units: a consistent query and two consistent reads. Write units: two items in a transaction, at two units
  // each, and five updates.
  const [readUnits, writeUnits] = [3, 2 * 2 + 5];
  const dollars = (readUnits * PRICES.readUnitsPerMillion + writeUnits * PRICES.writeUnitsPerMillion).toFixed(
    2,
  );
  expect(row('DynamoDB')).toBe(
    `| DynamoDB | ${readUnits} read units, ${writeUnits} write units | ${dollars} |`,
  );
});

test('a retry makes as many requests to SQS and calls to DynamoDB as in docs/operate/cost.md', async () => {
  const { hooks, calls, message } = await recordedWebhooks();
  hooks.world.respond = async () => ({ kind: 'failed', reason: 'HTTP_STATUS', status: 500 });
  const hidden: number[] = [];
  const queue = {
    hideMessage: async (_: string, seconds: number) => void hidden.push(seconds),
    sendBody: () => Promise.reject(new Error('A retry sends no message.')),
  };
  const Records = [{ messageId: '1', receiptHandle: 'h', body: JSON.stringify(message) }];
  await handleMessages({ Records }, { ...hooks.deliver, queue, failed: queue });
  expect(hidden).toHaveLength(1);
  expect(calls).toEqual(['BatchGet', 'Update', 'Update', 'Update', 'Update', 'Update']);
  // A retry receives and hides the message, instead of receiving and deleting it.
  const sqs = 2 * PRICES.queueRequestsPerMillion;
  const dynamo = 2 * PRICES.readUnitsPerMillion + 5 * PRICES.writeUnitsPerMillion;
  expect(row('each retry, without Lambda')).toContain(`| ${(sqs + dynamo).toFixed(2)} |`);
  expect(row('SQS')).toBe(
    `| SQS | 3 requests: send, receive, delete | ${(3 * PRICES.queueRequestsPerMillion).toFixed(2)} |`,
  );
});

import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { WalletId } from '../../shared/core/keys.ts';
import { attemptTable } from '../../shared/webhooks/attempt-table.ts';
import { messageOf, newDelivery } from '../../shared/webhooks/delivery.ts';
import { deliveryTable } from '../../shared/webhooks/delivery-table.ts';
import type { Endpoint } from '../../shared/webhooks/endpoint.ts';
import { endpointTable } from '../../shared/webhooks/endpoint-table.ts';
import { handleMessages, type QueueEvent } from '../../shared/webhooks/handle-messages.ts';
import { leaseTable } from '../../shared/webhooks/lease-table.ts';
import { masterIdOf } from '../../shared/webhooks/signature.ts';
import { Process } from '../ledger/simulation/process.ts';
import { seededRandom } from '../ledger/simulation/random.ts';
import { World } from '../ledger/simulation/world.ts';
import { MemoryStore } from '../ledger/storage/memory-store.ts';
import type { Behaviour } from './plan.ts';
import { Receivers } from './receivers.ts';
import { SimulatedQueue } from './simulated-queue.ts';

/** The real delivery code at full load, in virtual time: each call to the table or the queue takes 8 ms. */

export interface Load {
  readonly instances: number;
  /** The largest number of messages in a run. */
  readonly batch: number;
  readonly endpoints: readonly { readonly name: string; readonly behaviour: Behaviour | 'steady' }[];
  /** When an event is published for the endpoint with this index, in milliseconds after a set-up of one minute. */
  readonly events: readonly { readonly atMs: number; readonly endpoint: number }[];
  readonly lastsMs: number;
}

export interface LoadResult {
  /** When each successful response arrived, by the name of the endpoint, in milliseconds after the start. */
  readonly receivedMs: ReadonlyMap<string, readonly number[]>;
  /** The time from the publication of each event to the successful response to its delivery. */
  readonly tookMs: readonly number[];
}

const START_MS = Date.UTC(2026, 10, 25);
const CALL_MS = 8;
const RECEIVER_MS = 200;
const MASTERS = { current: 'master secret of the simulation' };
const OWNER: WalletId = { env: 'live', organisationId: 'ORG0000001' };

export async function runLoad(load: Load): Promise<LoadResult> {
  const world = new World(START_MS);
  const random = seededRandom(1);
  const store = new MemoryStore(() => {});
  const call = <T>(process: Process, apply: () => T): Promise<T> =>
    new Promise((done, fail) =>
      process.resume(world.nowMs + CALL_MS, () => {
        try {
          done(apply());
        } catch (error) {
          fail(error);
        }
      }),
    );
  const clientOf = (process: Process): DynamoDBDocumentClient =>
    Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
      send: (command: unknown) => call(process, () => store.apply(command)),
    });
  const receivers = new Receivers({
    random,
    killed: 0,
    behaviourAt: (url) => {
      const { behaviour } = load.endpoints[Number(new URL(url).pathname.slice(1))] ?? {};
      return behaviour === undefined || behaviour === 'steady' ? 'ok' : behaviour;
    },
    okMs: RECEIVER_MS,
  });
  const queue = new SimulatedQueue({
    world,
    random,
    instances: load.instances,
    batch: load.batch,
    duplicates: 0,
    run: (event: QueueEvent) => {
      const process = new Process(world, random);
      const client = clientOf(process);
      return handleMessages(event, {
        attempts: attemptTable(client, 'Console'),
        leases: leaseTable(client, 'Console'),
        masters: async () => MASTERS,
        nowMs: () => world.nowMs,
        random: () => 0.5,
        post: (post) => receivers.send(process, post),
        queue: {
          hideMessage: (handle, seconds) => call(process, () => queue.hide(handle, seconds)),
          sendBody: (body, { delaySeconds = 0 } = {}) =>
            call(process, () => queue.sendBody(body, delaySeconds * 1000)),
        },
        failed: { sendBody: (body) => call(process, () => queue.setAside(body)) },
      });
    },
  });
  const publishedMs = new Map<string, number>();
  const setUp = new Process(world, random);
  const client = clientOf(setUp);
  const endpoints = load.endpoints.map((_, index) => endpointOf(index));
  // The inserts must be applied in order, because each is conditional on the count of endpoints.
  for (const [index, row] of endpoints.entries())
    void endpointTable(client, 'Console').insertEndpoint(row, index);
  await world.run(START_MS + 1);
  for (const [index, { atMs, endpoint }] of load.events.entries())
    world.at(START_MS + 60_000 + atMs, async () => {
      const to = endpoints[endpoint];
      if (!to) return;
      const id = `e${index}`;
      publishedMs.set(id, world.nowMs);
      const at = new Date(world.nowMs).toISOString();
      const data = { available: 1, low_below: 2, sequence: 1 };
      const row = newDelivery({ id, type: 'balance.low', at, ...OWNER, data }, to, world.nowMs);
      void deliveryTable(client, 'Console')
        .insertDelivery(row, to)
        .then(() => queue.send(messageOf(row)));
    });
  await world.run(START_MS + 60_000 + load.lastsMs);
  const received = receivers.posts.filter(({ result }) => result === 'ok');
  const names = ({ url }: { url: string }) =>
    load.endpoints[Number(new URL(url).pathname.slice(1))]?.name ?? '';
  return {
    receivedMs: new Map(
      [...Map.groupBy(received, names)].map(([name, posts]) => [
        name,
        posts.map(({ endMs }) => endMs - START_MS),
      ]),
    ),
    tookMs: received.map(({ headers, endMs }) => endMs - (publishedMs.get(headers['webhook-id'] ?? '') ?? 0)),
  };
}

function endpointOf(index: number): Endpoint {
  return {
    ...OWNER,
    id: `hook_${String(index).padStart(16, '0')}`,
    url: `https://receiver.example.com/${index}`,
    eventTypes: ['balance.low'],
    state: 'ENABLED',
    secret: { version: 1, master: masterIdOf(MASTERS.current) },
    createdAt: new Date(START_MS).toISOString(),
    version: 1,
  };
}

import { organisationTable } from '../shared/accounts/organisation-table.ts';
import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import type { BusEvent } from '../shared/events/received-event.ts';
import { shardTable } from '../shared/ledger/tables/shard-table.ts';
import { deliveryQueue } from '../shared/webhooks/delivery-queue.ts';
import { deliveryTable } from '../shared/webhooks/delivery-table.ts';
import { endpointTable } from '../shared/webhooks/endpoint-table.ts';
import { startWebhooks } from '../shared/webhooks/start-webhooks.ts';

const [client, table] = [database(), setting('CONSOLE_TABLE')];
const deps = {
  endpoints: endpointTable(client, table),
  deliveries: deliveryTable(client, table),
  queue: deliveryQueue(setting('WEBHOOK_QUEUE_URL')),
  organisations: organisationTable(client, setting('API_KEYS_TABLE')),
  shards: shardTable(client, setting('WALLETS_TABLE')),
  nowMs: Date.now,
};

/** Runs for each event on the bus that webhooks can deliver: adds a delivery for each endpoint that receives it. */
export const handler = logFailure((event: BusEvent) => startWebhooks(event, deps));

import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { type DeliveryTable, deliveryTable } from '../delivery-table.ts';
import { type EndpointTable, endpointTable } from '../endpoint-table.ts';

/** The tables of the routes that list webhook endpoints and deliveries. */
export interface WebhookTables {
  readonly endpoints: EndpointTable;
  readonly deliveries: DeliveryTable;
}

/** Creates these tables. Called once per instance. */
export function webhookTables(): WebhookTables {
  const [client, table] = [database(), setting('CONSOLE_TABLE')];
  return { endpoints: endpointTable(client, table), deliveries: deliveryTable(client, table) };
}

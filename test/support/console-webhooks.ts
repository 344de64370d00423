import type { Environment } from '../../shared/core/environment.ts';
import { deliveryKey, endpointKey } from '../../shared/core/keys.ts';
import { currentPart, secret } from '../../shared/core/secrets.ts';
import { type Delivery, newDelivery } from '../../shared/webhooks/delivery.ts';
import { type Endpoint, newEndpoint } from '../../shared/webhooks/endpoint.ts';
import { masterIdOf } from '../../shared/webhooks/signature.ts';
import { putRow } from './console-organisation.ts';

/** Writes rows for an organisation's webhook endpoints and deliveries to the tables of the running service. */

/** No server listens here, so deliveries fail at once. */
export const CLOSED_ADDRESS = 'http://127.0.0.1:9/hooks';

export async function putEndpoint(
  { id: organisationId }: { readonly id: string },
  env: Environment = 'test',
  changes: Partial<Endpoint> = {},
): Promise<Endpoint> {
  const master = masterIdOf(currentPart('WEBHOOKS', await secret('WEBHOOKS')));
  const choice = { url: CLOSED_ADDRESS, eventTypes: ['top_up.credited'] } as const;
  const row = { ...newEndpoint({ env, organisationId }, choice, master, Date.now()), ...changes };
  await putRow('CONSOLE_TABLE', endpointKey(row, row.id), row);
  return row;
}

/** Stores a delivery all of whose attempts failed. */
export async function putFailedDelivery(to: Endpoint, atMs = Date.now()): Promise<Delivery> {
  const at = new Date(atMs).toISOString();
  const event = {
    id: `evt_${atMs}_${to.id}`,
    type: 'top_up.credited',
    at,
    organisationId: to.organisationId,
    env: to.env,
    data: { reference: 'TOPUP-1', credits: 100, invoice: 'IDV-2026-000041', available: 100, sequence: 1 },
  } as const;
  const row: Delivery = {
    ...newDelivery(event, to, atMs),
    ...{ state: 'FAILED', attemptInRound: 10, attempts: 10, reason: 'HTTP_STATUS', status: 500 },
    ...{ attemptedAt: at, endedAt: at },
  };
  await putRow('CONSOLE_TABLE', deliveryKey(row, to.id, row.id), row);
  return row;
}

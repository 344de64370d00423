import type { Recorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { secret } from '../../core/secrets.ts';
import { environmentQuery, prefetchedQuery } from '../../http/console/environment-query.ts';
import type { InputSchema } from '../../http/console/middleware/json-body.ts';
import { pathId } from '../../http/console/path-id.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { requireEnvironmentRole } from '../../members/role.ts';
import type { Delivery } from '../delivery.ts';
import { deliveryTable } from '../delivery-table.ts';
import type { Endpoint } from '../endpoint.ts';
import { endpointTable } from '../endpoint-table.ts';
import {
  addEndpoint,
  deleteEndpoint,
  type EndpointDependencies,
  type EndpointWithSecret,
  rotateSecret,
  updateEndpoint,
} from '../manage-endpoints.ts';
import type { addWebhookBody, updateWebhookBody, webhookBody } from './bodies.ts';
import type { WebhookSecretView, WebhooksView, WebhookView } from './views.ts';
import { EVENT_TYPE_VIEWS, webhookView } from './webhook-views.ts';

/** The routes of webhook endpoints. */

type Run<S extends InputSchema, T = undefined> = ConsoleRun<ConsoleRequest, S, T>;

export function readEndpoints(): Prefetch<readonly Endpoint[]> {
  const endpoints = endpointTable(database(), setting('CONSOLE_TABLE'));
  return async (organisationId, event) =>
    endpoints.listEndpoints({ env: prefetchedQuery(event, environmentQuery).env, organisationId });
}

const ALL = { first: '0', last: 'Z' };
const NEWEST = { limit: 1, newest: true };

/** GET /webhooks: each endpoint with its last delivery. */
export function listWebhooks(): Run<typeof environmentQuery, readonly Endpoint[]> {
  const deliveries = deliveryTable(database(), setting('CONSOLE_TABLE'));
  const lastDelivery = async (row: Endpoint): Promise<Delivery | undefined> =>
    (await deliveries.listDeliveries(row, row.id, ALL, NEWEST)).deliveries[0];
  return async ({ nowMs }, _, rows) => {
    const shown = rows.filter(({ state }) => state !== 'DELETED');
    const endpoints = await Promise.all(
      shown.map(async (row) => webhookView(row, nowMs, await lastDelivery(row))),
    );
    return { data: { endpoints, event_types: EVENT_TYPE_VIEWS } satisfies WebhooksView };
  };
}

/** Routes that reveal no secret may not read the master secret. */
export type WebhookDependencies = (recorder: Recorder) => EndpointDependencies;

/** Creates these dependencies. Called once per instance. */
export function webhookDependencies(): WebhookDependencies {
  const [client, table] = [database(), setting('CONSOLE_TABLE')];
  const rules = { allowLocal: setting('STAGE') === 'local' };
  return (recorder) => ({
    endpoints: endpointTable(client, table, recorder),
    masters: () => secret('WEBHOOKS'),
    rules,
    nowMs: Date.now,
  });
}

/** Only this response contains its secret. */
export function addWebhook(deps: WebhookDependencies): Run<typeof addWebhookBody> {
  return async ({ organisation, membership, recorder, nowMs }, { env: of, url, event_types: eventTypes }) => {
    requireEnvironmentRole(membership.role, of);
    const owner = { env: of, organisationId: organisation.id };
    const added = await addEndpoint(owner, { url, eventTypes }, deps(recorder));
    return { data: withSecret(added, nowMs) };
  };
}

/** PUT /webhooks/{id}. */
export function updateWebhook(deps: WebhookDependencies): Run<typeof updateWebhookBody> {
  return async (request, { env: of, url, event_types: eventTypes, is_enabled: isEnabled }) => {
    const { organisation, membership, recorder, event, nowMs } = request;
    requireEnvironmentRole(membership.role, of);
    const owner = { env: of, organisationId: organisation.id };
    const row = await updateEndpoint(owner, pathId(event), { url, eventTypes, isEnabled }, deps(recorder));
    return { data: webhookView(row, nowMs) satisfies WebhookView };
  };
}

/** POST /webhooks/{id}/delete. */
export function deleteWebhook(deps: WebhookDependencies): Run<typeof webhookBody> {
  return async ({ organisation, membership, recorder, event, nowMs }, body) => {
    requireEnvironmentRole(membership.role, body.env);
    const owner = { env: body.env, organisationId: organisation.id };
    const row = await deleteEndpoint(owner, pathId(event), deps(recorder));
    return { data: webhookView(row, nowMs) satisfies WebhookView };
  };
}

/** Only this response contains it. */
export function rotateWebhookSecret(deps: WebhookDependencies): Run<typeof webhookBody> {
  return async ({ organisation, membership, recorder, event, nowMs }, body) => {
    requireEnvironmentRole(membership.role, body.env);
    const owner = { env: body.env, organisationId: organisation.id };
    return { data: withSecret(await rotateSecret(owner, pathId(event), deps(recorder)), nowMs) };
  };
}

function withSecret({ endpoint, secret: text }: EndpointWithSecret, nowMs: number): WebhookSecretView {
  return { endpoint: webhookView(endpoint, nowMs), secret: text };
}

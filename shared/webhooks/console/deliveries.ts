import * as v from 'valibot';
import type { Recorder } from '../../audit/recorder.ts';
import { lagosDayStartMs } from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import { ServiceError } from '../../core/errors.ts';
import { environment, prefetchedQuery } from '../../http/console/environment-query.ts';
import type { InputSchema } from '../../http/console/middleware/json-body.ts';
import { pathId } from '../../http/console/path-id.ts';
import { requireOrder } from '../../http/query.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { requireEnvironmentRole } from '../../members/role.ts';
import type { Attempt } from '../delivery.ts';
import { deliveryQueue } from '../delivery-queue.ts';
import { type DeliveryPage, deliveryTable } from '../delivery-table.ts';
import { endpointTable } from '../endpoint-table.ts';
import {
  listAttempts as attemptsOf,
  listDeliveries as listOf,
  type ResendDependencies,
  replayDeliveries as replay,
  resendDelivery as resend,
  sendTest,
} from '../resend-deliveries.ts';
import { replayTimes, sendCounter } from '../sends-limit.ts';
import type { replayBody, resendBody, testWebhookBody } from './bodies.ts';
import { cursor, endpointId } from './bodies.ts';
import type { AttemptsView, DeliveriesView, DeliveryView, ReplayView } from './views.ts';
import { attemptView, deliveryView } from './webhook-views.ts';

/** The routes for webhook deliveries. */

type Run<S extends InputSchema, T = undefined> = ConsoleRun<ConsoleRequest, S, T>;

/** The number of deliveries on a page. */
const PAGE = 20;
/** The query string of GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = v.strictObject({ env: environment, cursor: v.optional(cursor) });

/** Read while the session is checked. */
export function readDeliveries(): Prefetch<DeliveryPage> {
  const [client, table] = [database(), setting('CONSOLE_TABLE')];
  const deps = { endpoints: endpointTable(client, table), deliveries: deliveryTable(client, table) };
  return async (organisationId, event) => {
    const { env, cursor: before } = prefetchedQuery(event, deliveriesQuery);
    return listOf({ env, organisationId }, pathId(event), { before, limit: PAGE }, deps);
  };
}

/** The last 30 days, newest first. */
export function listDeliveries(): Run<typeof deliveriesQuery, DeliveryPage> {
  return async ({ nowMs }, _, { deliveries, next }) => {
    const data: DeliveriesView = {
      deliveries: deliveries.map((row) => deliveryView(row, nowMs)),
      next_cursor: next ?? null,
    };
    return { data };
  };
}

/** The query string of GET /deliveries/{id}/attempts. */
export const attemptsQuery = v.strictObject({ env: environment, endpoint_id: endpointId });

/** Read while the session is checked. */
export function readAttempts(): Prefetch<Attempt[]> {
  const deliveries = deliveryTable(database(), setting('CONSOLE_TABLE'));
  return async (organisationId, event) => {
    const { env, endpoint_id } = prefetchedQuery(event, attemptsQuery);
    return attemptsOf({ env, organisationId }, endpoint_id, pathId(event), { deliveries });
  };
}

/** GET /deliveries/{id}/attempts. */
export function listAttempts(): Run<typeof attemptsQuery, Attempt[]> {
  return async (_request, _query, attempts) => {
    const data: AttemptsView = { attempts: attempts.map(attemptView) };
    return { data };
  };
}

export type SendDependencies = (recorder: Recorder) => ResendDependencies;

/** Creates these dependencies. Called once per instance. */
export function sendDependencies(): SendDependencies {
  const [client, table] = [database(), setting('CONSOLE_TABLE')];
  const queue = deliveryQueue(setting('WEBHOOK_QUEUE_URL'));
  const endpoints = endpointTable(client, table);
  return (recorder) => ({
    endpoints,
    deliveries: deliveryTable(client, table, recorder),
    queue,
    nowMs: Date.now,
  });
}

/** Throws ROLE_REQUIRED, or RECENT_SIGN_IN_REQUIRED for the live environment. */
function requireSender(request: ConsoleRequest, env: Environment): void {
  requireEnvironmentRole(request.membership.role, env);
  if (env === 'live') request.requireRecentSignIn();
}

const consoleCounter = () => sendCounter(database(), setting('CONSOLE_TABLE'));

/** POST /webhooks/{id}/test. */
export function testWebhook(deps: SendDependencies, count = consoleCounter()): Run<typeof testWebhookBody> {
  return async (request, { env, type }) => {
    const { organisation, person, recorder, event, nowMs } = request;
    requireSender(request, env);
    const owner = { env, organisationId: organisation.id };
    const counted = () => count(organisation, person.id, nowMs);
    const sent = await sendTest(owner, pathId(event), type, deps(recorder), counted);
    return { data: deliveryView(sent, nowMs) satisfies DeliveryView };
  };
}

/** POST /deliveries/{id}/resend: sends a delivery again now. */
export function resendDelivery(deps: SendDependencies, count = consoleCounter()): Run<typeof resendBody> {
  return async (request, { env: of, endpoint_id: endpointId }) => {
    const { organisation, person, recorder, event, nowMs } = request;
    requireSender(request, of);
    const owner = { env: of, organisationId: organisation.id };
    const counted = () => count(organisation, person.id, nowMs);
    const sent = await resend(owner, endpointId, pathId(event), deps(recorder), counted);
    return { data: deliveryView(sent, nowMs) satisfies DeliveryView };
  };
}

const ONE_BY_ONE = 'Before approval, deliveries can only be resent one by one.';

/** One part per request. */
export function replayDeliveries(
  deps: SendDependencies,
  dueTime = replayTimes(database(), setting('CONSOLE_TABLE')),
): Run<typeof replayBody> {
  return async (request, { env: of, from, to, which, cursor: after }) => {
    const { organisation, recorder, event, nowMs } = request;
    requireSender(request, of);
    if (organisation.status !== 'APPROVED')
      throw new ServiceError('UNAPPROVED_ORGANIZATION', { message: ONE_BY_ONE });
    requireOrder(from, to);
    const period = {
      fromMs: lagosDayStartMs(from),
      toMs: lagosDayStartMs(to) + DAY_MS - 1,
      which,
      after: after ?? undefined,
    };
    const owner = { env: of, organisationId: organisation.id };
    const nextDueMs = () => dueTime(organisation.id, nowMs);
    const { resent, next } = await replay(owner, pathId(event), period, { ...deps(recorder), nextDueMs });
    return { data: { resent, next_cursor: next ?? null } satisfies ReplayView };
  };
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { randomBase62 } from '../../shared/core/base62.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../shared/webhooks/delivery.ts';
import { deleteEndpoint, rotateSecret } from '../../shared/webhooks/manage-endpoints.ts';
import { listDeliveries, resendDelivery } from '../../shared/webhooks/resend-deliveries.ts';
import { startDeliveries } from '../../shared/webhooks/start-deliveries.ts';
import type { StateTable } from '../registries/local-state-table.ts';
import { openConsoleTables } from '../support/console-team.ts';
import { openWebhooks } from '../support/webhooks/memory-webhooks.ts';

/** Webhook endpoints and deliveries in DynamoDB Local: the conditions of their writes. */

let tables: StateTable;
beforeAll(async () => {
  tables = await openConsoleTables();
});
afterAll(() => tables.close());

let owner: { env: 'live'; organisationId: string };
let hooks: ReturnType<typeof openWebhooks>;
const audit = () => auditTable(tables.client, 'AuditTrail');
beforeEach(() => {
  owner = { env: 'live', organisationId: randomBase62(10) };
  const run = { actor: 'member:p1', action: 'webhook change', commandId: 'c1' };
  hooks = openWebhooks(
    tables.client,
    tables.tableName,
    auditRecorder(audit(), run, () => Date.now()),
  );
});

const event = (id: string) => ({
  id,
  type: 'balance.low' as const,
  at: '2026-11-25T09:00:00.000Z',
  ...owner,
  data: { available: 1, low_below: 2, sequence: 1 },
});
const start = async (id: string) => {
  await startDeliveries(event(id), hooks.start);
  return hooks.world.messages.at(-1) as DeliveryMessage;
};
const stored = (message: DeliveryMessage) =>
  hooks.deliveries.getDelivery(owner, message.endpointId, message.deliveryId);

describe('an endpoint', () => {
  test('is added, gets a new secret and is deleted, and the audit trail records each change', async () => {
    const { endpoint } = await hooks.add(owner);
    await rotateSecret(owner, endpoint.id, hooks.manage);
    await deleteEndpoint(owner, endpoint.id, hooks.manage);
    const [row] = await hooks.endpoints.listEndpoints(owner);
    expect(row).toMatchObject({ id: endpoint.id, state: 'DELETED', version: 3, secret: { version: 2 } });
    const targets = (await audit().listEntries(owner.organisationId)).map(({ target }) => target);
    expect(targets).toEqual(
      Array.from({ length: 3 }, () => `live webhook ${endpoint.id} at hooks.example.com`),
    );
  });

  test('is changed only if it is still the version that was read', async () => {
    const { endpoint } = await hooks.add(owner);
    const changed = { ...endpoint, eventTypes: [] };
    expect(await hooks.endpoints.changeEndpoint(endpoint, changed)).toBe(true);
    expect(await hooks.endpoints.changeEndpoint(endpoint, changed)).toBe(false);
  });

  test('is added only if no other has been added since the count was read', async () => {
    const { endpoint } = await hooks.add(owner);
    const other = { ...endpoint, id: 'hook_0000000000000001' };
    expect(await hooks.endpoints.insertEndpoint(other, 0)).toBe(false);
    expect(await hooks.endpoints.insertEndpoint(endpoint, 1)).toBe(false);
    expect(await hooks.endpoints.insertEndpoint(other, 1)).toBe(true);
  });
});

describe('a delivery', () => {
  test('is stored once for each event, and its result is recorded once', async () => {
    await hooks.add(owner);
    const message = await start('e1');
    expect(await start('e1')).toEqual(message);
    const fates = await Promise.all([1, 2, 3].map(() => deliver(message, hooks.deliver)));
    expect(fates.filter(({ kind }) => kind === 'done').length).toBeGreaterThan(0);
    expect(hooks.world.posts).toHaveLength(1);
    expect(await stored(message)).toMatchObject({ state: 'DELIVERED', status: 200, attempts: 1 });
    const { deliveries } = await listDeliveries(
      owner,
      message.endpointId,
      { limit: 10 },
      hooks.start as never,
    );
    expect(deliveries).toHaveLength(1);
  });

  test('takes one of the two leases of its endpoint, which only its holder can return', async () => {
    const { endpoint } = await hooks.add(owner);
    const { leases } = hooks.deliver;
    const nowMs = hooks.world.nowMs;
    const take = (holder: string) => leases.takeLease(endpoint, holder, nowMs + 30_000, nowMs);
    const first = await take('d1');
    const taken = await Promise.all([take('d2'), take('d3'), take('d4')]);
    expect(taken.map(({ kind }) => kind).sort()).toEqual(['busy', 'busy', 'taken']);
    if (first.kind !== 'taken') throw new Error('The lease was not taken.');
    await leases.returnLease(endpoint, { ...first.lease, holder: 'other' });
    expect((await take('d5')).kind).toBe('busy');
    await leases.returnLease(endpoint, first.lease);
    expect((await take('d5')).kind).toBe('taken');
  });

  test('updates its row when it fails, is resent and ends, and adds a row for each attempt', async () => {
    const { endpoint } = await hooks.add(owner);
    const message = await start('e1');
    const failed = { reason: 'HTTP_STATUS', status: 503, text: 'Ọ̀nà kò sí.' } as const;
    hooks.world.respond = async () => ({ kind: 'failed', ...failed });
    expect(await deliver(message, hooks.deliver)).toEqual({ kind: 'hide', seconds: 5 });
    const waiting = await stored(message);
    expect(waiting).toMatchObject({
      state: 'PENDING',
      reason: 'HTTP_STATUS',
      status: 503,
      attemptInRound: 1,
    });
    expect(waiting?.attemptUntilMs).toBeUndefined();
    const resend = { ...hooks.start, ...hooks.manage };
    const again = await resendDelivery(owner, message.endpointId, message.deliveryId, resend);
    if (!waiting) throw new Error('The delivery is missing.');
    expect(await hooks.deliveries.restartDelivery(waiting, again, endpoint)).toBe(false);
    expect(await hooks.deliver.attempts.recordResult(waiting, { state: 'FAILED' }, hooks.world.nowMs)).toBe(
      false,
    );
    hooks.world.respond = async () => ({ kind: 'delivered', status: 204 });
    await deliver({ ...message, round: 2 }, hooks.deliver);
    const ended = await stored(message);
    expect(ended).toMatchObject({
      state: 'DELIVERED',
      status: 204,
      round: 2,
      attemptInRound: 1,
      attempts: 2,
    });
    expect(ended?.reason).toBeUndefined();
    const attempts = await hooks.deliveries.listAttempts(owner, message.endpointId, message.deliveryId, 20);
    expect(attempts).toMatchObject([
      { number: 2, status: 204 },
      { number: 1, ...failed },
    ]);
    const [second, first] = attempts;
    if (!second || !first) throw new Error('An attempt is missing.');
    await hooks.deliver.attempts.insertAttempt(waiting, { ...second, number: 1 });
    expect(await hooks.deliveries.listAttempts(owner, message.endpointId, message.deliveryId, 20)).toEqual(
      attempts,
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { replayLimiterKey } from '../../../shared/core/keys.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { replayBody, resendBody, testWebhookBody } from '../../../shared/webhooks/console/bodies.ts';
import {
  replayDeliveries,
  resendDelivery,
  testWebhook,
} from '../../../shared/webhooks/console/deliveries.ts';
import { type Delivery, newDelivery } from '../../../shared/webhooks/delivery.ts';
import { deliveryTable } from '../../../shared/webhooks/delivery-table.ts';
import { sendTest } from '../../../shared/webhooks/resend-deliveries.ts';
import { replayTimes, sendCounter } from '../../../shared/webhooks/sends-limit.ts';
import { memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';
import { CHOICE, openWebhooks } from '../../support/webhooks/memory-webhooks.ts';

/** Which deliveries the members of an organisation may send by hand, and how many. */

function openConsole() {
  process.env['CONSOLE_URL'] = ORIGIN;
  const store = memoryConsole();
  const hooks = openWebhooks(store.client, 'Console');
  const deps = (recorder: Recorder) => ({
    ...hooks.start,
    deliveries: deliveryTable(store.client, 'Console', recorder),
    nowMs: () => store.clock.nowMs,
  });
  return { store, hooks, deps };
}

test('an organisation sends at most ten tests and resent deliveries within a minute, which holds up no other', async () => {
  const { store, hooks, deps } = openConsole();
  const count = sendCounter(store.client, 'Console');
  const tests = consoleRoute('test-webhook', testWebhook(deps, count), { body: testWebhookBody }, store.deps);
  const resends = consoleRoute(
    'resend-delivery',
    resendDelivery(deps, count),
    { body: resendBody },
    store.deps,
  );
  const sender = async () => {
    const organisation = store.newOrganisation();
    const person = store.newPerson();
    store.newMember(person, organisation, 'developer');
    const owner = { env: 'test', organisationId: organisation.id } as const;
    const endpoints = [await hooks.add(owner, CHOICE), await hooks.add(owner, CHOICE)];
    const ids = endpoints.map(({ endpoint: { id } }) => id);
    const browser = store.newSession(person, organisation);
    return {
      test: (index: number, id = ids[index % 2] ?? '') => {
        const request = { pathParameters: { id }, body: { env: 'test' } };
        return store.send(tests, 'test-webhook', browser, request);
      },
      resend: (id: string, index: number) => {
        const request = { pathParameters: { id }, body: { env: 'test', endpoint_id: ids[index % 2] ?? '' } };
        return store.send(resends, 'resend-delivery', browser, request);
      },
    };
  };
  const [busy, other, third] = [await sender(), await sender(), await sender()];

  // A webhook that does not exist is not counted.
  expect((await busy.test(0, 'hook_none')).status).toBe(404);
  // The endpoint of one that exists is read once.
  const sent = [];
  const isEndpointRead = ({ input }: { input: object }) =>
    'Key' in input && !('UpdateExpression' in input) && /"HOOK#hook_\w+"/.test(JSON.stringify(input));
  const endpointReads = () => store.calls.filter(isEndpointRead).length;
  const before = endpointReads();
  for (let index = 0; index < 9; index += 1) sent.push(await busy.test(index));
  expect(sent.map(({ status }) => status)).toEqual(Array(9).fill(200));
  expect((await busy.resend(sent[0]?.json.data.id, 0)).status).toBe(200);
  expect(endpointReads() - before).toBe(10);
  for (const refused of [await busy.test(1), await busy.resend(sent[1]?.json.data.id, 1)]) {
    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.json.message).toBe(
      'An organisation can send 10 tests and resent deliveries within a minute. Try again in 6 s.',
    );
  }
  expect(hooks.world.messages).toHaveLength(10);
  expect((await other.test(0)).status).toBe(200);

  // Neither organisation is approved, and all of those have twelve a minute together.
  expect((await other.test(1)).status).toBe(200);
  const refused = await other.test(0);
  expect([refused.status, refused.json.message]).toEqual([
    429,
    'All organisations before approval together can send 12 tests and resent deliveries within a minute. Try again in 5 s.',
  ]);
  store.clock.nowMs += 6_000;
  expect([(await third.test(0)).status, (await third.test(0)).status]).toEqual([200, 429]);
  // One person cannot use up the limit of all: after ten, they have fifty a day.
  expect((await busy.test(0)).json.message).toBe(
    'A person can send 10 tests and resent deliveries at once before approval. Try again in 1722 s.',
  );
});

describe('a replay', () => {
  const DAY = '2026-11-23';
  async function world() {
    const { store, hooks, deps } = openConsole();
    const times = replayTimes(store.client, 'Console');
    const replays = consoleRoute(
      'replay-deliveries',
      replayDeliveries(deps, times),
      { body: replayBody },
      store.deps,
    );
    const sender = async (deliveries: number) => {
      const organisation = store.newOrganisation({ status: 'APPROVED' });
      const person = store.newPerson();
      store.newMember(person, organisation, 'developer');
      const owner = { env: 'test', organisationId: organisation.id } as const;
      const { endpoint } = await hooks.add(owner, CHOICE);
      const sent: Delivery[] = [];
      for (let count = 0; count < deliveries; count += 1) {
        const event = {
          id: `e${count}`,
          type: 'test',
          at: DAY,
          data: { message: 'Hello' },
          ...owner,
        } as const;
        const row = newDelivery(event, endpoint, store.clock.nowMs + count);
        sent.push({ ...row, state: 'DELIVERED' });
      }
      for (const row of sent) await hooks.deliveries.insertDelivery(row, endpoint);
      const browser = store.newSession(person, organisation);
      const replay = (cursor: string | null = null) => {
        const body = { env: 'test', from: DAY, to: DAY, which: 'all', cursor };
        const request = { pathParameters: { id: endpoint.id }, body };
        return store.send(replays, 'replay-deliveries', browser, request);
      };
      const dueSeconds = async () => {
        const rows = await Promise.all(
          sent.map(({ id }) => hooks.deliveries.getDelivery(owner, endpoint.id, id)),
        );
        return rows.map((row) => Math.round(((row?.dueMs ?? 0) - store.clock.nowMs) / 1000));
      };
      return { organisation, replay, dueSeconds };
    };
    return { store, sender };
  }

  test('sends its deliveries one after another, and those of other organisations do not wait for them', async () => {
    const { sender } = await world();
    const [busy, other] = [await sender(60), await sender(1)];
    const first = await busy.replay();
    expect(first.json.data).toMatchObject({ resent: 50 });
    expect((await busy.replay(first.json.data.next_cursor)).json.data).toEqual({
      resent: 10,
      next_cursor: null,
    });
    expect(await busy.dueSeconds()).toEqual(Array.from({ length: 60 }, (_, index) => index * 6));
    expect((await other.replay()).json.data.resent).toBe(1);
    expect(await other.dueSeconds()).toEqual([0]);
  });

  test('is rejected if its deliveries would wait for more than a day', async () => {
    const { store, sender } = await world();
    const { organisation, replay } = await sender(1);
    store.put('Console', { ...replayLimiterKey(organisation.id), tatMs: store.clock.nowMs + DAY_MS });
    const { status, code, json } = await replay();
    expect([status, code]).toEqual([429, 'RATE_LIMITED']);
    expect(json.message).toContain('14,400');
  });
});

test.each([
  ['developer', 'test', 60, 'OK'],
  ['developer', 'live', 0, 'ROLE_REQUIRED'],
  ['admin', 'live', 15, 'OK'],
  ['admin', 'live', 16, 'RECENT_SIGN_IN_REQUIRED'],
] as const)(
  'a member with the role %s sends deliveries in %s %d minutes after signing in: %s',
  async (role, env, minutes, expected) => {
    process.env['CONSOLE_URL'] = ORIGIN;
    const store = memoryConsole();
    const hooks = openWebhooks(store.client, 'Console');
    const deps = () => ({ ...hooks.start, nowMs: () => store.clock.nowMs });
    const organisation = store.newOrganisation({ status: 'APPROVED' });
    const person = store.newPerson();
    store.newMember(person, organisation, role);
    const signedInAt = new Date(store.clock.nowMs - minutes * 60_000).toISOString();
    const browser = store.newSession(person, organisation, { signedInAt });
    const { endpoint } = await hooks.add({ env, organisationId: organisation.id });
    const sent = await sendTest(endpoint, endpoint.id, 'test', deps());
    const calls = [
      ['test-webhook', testWebhook(deps, async () => {}), testWebhookBody, endpoint.id, { env }],
      [
        'resend-delivery',
        resendDelivery(deps, async () => {}),
        resendBody,
        sent.id,
        { env, endpoint_id: endpoint.id },
      ],
      [
        'replay-deliveries',
        replayDeliveries(deps, async () => store.clock.nowMs),
        replayBody,
        endpoint.id,
        { env, from: '2026-11-23', to: '2026-11-23', which: 'all', cursor: null },
      ],
    ] as const;
    for (const [name, run, schema, id, body] of calls) {
      const route = consoleRoute(name, run as never, { body: schema }, store.deps);
      const { status, code } = await store.send(route, name, browser, { pathParameters: { id }, body });
      expect([name, status, code]).toEqual([name, expected === 'OK' ? 200 : 403, expected]);
    }
  },
);

import { expect, test } from '@jest/globals';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { resendBody, testWebhookBody } from '../../../shared/webhooks/console/bodies.ts';
import { resendDelivery, testWebhook } from '../../../shared/webhooks/console/deliveries.ts';
import { deliveryTable } from '../../../shared/webhooks/delivery-table.ts';
import { sendCounter } from '../../../shared/webhooks/sends-limit.ts';
import { memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';
import { CHOICE, openWebhooks } from '../../support/webhooks/memory-webhooks.ts';

/** How many deliveries the members of an organisation may send by hand. */

test('an organisation sends at most ten tests and resent deliveries within a minute, which holds up no other', async () => {
  process.env['CONSOLE_URL'] = ORIGIN;
  const store = memoryConsole();
  const hooks = openWebhooks(store.client, 'Console');
  const deps = (recorder: Recorder) => ({
    ...hooks.start,
    deliveries: deliveryTable(store.client, 'Console', recorder),
    nowMs: () => store.clock.nowMs,
  });
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
      test: (index: number) => {
        const request = { pathParameters: { id: ids[index % 2] ?? '' }, body: { env: 'test' } };
        return store.send(tests, 'test-webhook', browser, request);
      },
      resend: (id: string, index: number) => {
        const request = { pathParameters: { id }, body: { env: 'test', endpoint_id: ids[index % 2] ?? '' } };
        return store.send(resends, 'resend-delivery', browser, request);
      },
    };
  };
  const [busy, other] = [await sender(), await sender()];

  const sent = [];
  for (let index = 0; index < 9; index += 1) sent.push(await busy.test(index));
  expect(sent.map(({ status }) => status)).toEqual(Array(9).fill(200));
  expect((await busy.resend(sent[0]?.json.data.id, 0)).status).toBe(200);
  for (const refused of [await busy.test(1), await busy.resend(sent[1]?.json.data.id, 1)]) {
    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.json.message).toBe(
      'An organisation can send 10 tests and resent deliveries within a minute. Try again in 6 s.',
    );
  }
  expect(hooks.world.messages).toHaveLength(10);
  expect((await other.test(0)).status).toBe(200);
  store.clock.nowMs += 6_000;
  expect([(await busy.test(0)).status, (await busy.test(0)).status]).toEqual([200, 429]);
});

import { beforeEach, expect, test } from '@jest/globals';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { startTopUpBody } from '../../../shared/payments/console/bodies.ts';
import { startTopUp } from '../../../shared/payments/console/top-ups.ts';
import { type MemoryConsole, memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';

/** Tests the check of who may buy credits, which runs before an order is opened. */

let service: MemoryConsole;
let opened: number;
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  opened = 0;
});

async function start(status: Organisation['status'], env: 'live' | 'test') {
  const opening = () => {
    opened += 1;
    return undefined;
  };
  const route = startTopUp({ opening, apiUrl: 'https://api.example.com' });
  const handler = consoleRoute('start-top-up', route, { body: startTopUpBody }, service.deps);
  const organisation = service.newOrganisation({ status });
  const person = service.newPerson();
  service.newMember(person, organisation, 'owner');
  const body = { env, credits: 1_000, form_id: 'form-0123456789abcdef' };
  const browser = service.newSession(person, organisation);
  const response = await service.send(handler, 'start-top-up', browser, { body });
  return [response.status, response.json.code];
}

test('live credits are sold only to approved organisations, as in the API', async () => {
  expect(await start('PENDING', 'live')).toEqual([401, 'UNAPPROVED_ORGANIZATION']);
  expect(opened).toBe(0);
  // `opening` returns undefined, as in a stage that sells no credits. So an order that passes the check gets 503.
  expect(await start('PENDING', 'test')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await start('APPROVED', 'live')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(opened).toBe(2);
});

import { HOUR_MS } from '../../../shared/core/clock.ts';
import { publicRoute } from '../../../shared/http/public-route.ts';
import '../../security/environment.ts';

import { afterAll, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { slipRoute } from '../../../shared/slips/routes/nin-slip.ts';
import { checkSlipDetails } from '../../../shared/slips/routes/slip-details.ts';
import { createSlipToken } from '../../../shared/slips/token.ts';
import { captureLines } from '../../security/captured.ts';
import { codeOf, eventOf, invoke } from '../../security/in-process.ts';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, SOME_NIN } from '../../security/routes-in-memory.ts';
import { startSecretDouble } from '../../security/secret-double.ts';

/** Faults of the parts that only slips need: the signing key and the table of attempts. */

const KEY = 'a slip key of tests';
let secrets: Awaited<ReturnType<typeof startSecretDouble>> | undefined;
afterAll(() => secrets?.close());
const lines = captureLines();

test('a slip whose signing key is missing calls no registry and is not charged', async () => {
  const service = memoryService();
  service.registry.lookUp = findsAll;
  const who = await service.newCaller(5);
  const log = { ...service.deps.log, wasVerified: async () => true };
  const body = JSON.stringify({ nin: SOME_NIN, slip_type: 'regular' });
  const handler = slipRoute({ ...service.deps, log }, { checkDays: 365 });
  const response = await invoke(handler, { key: who.text, body, requestedAtMs: service.clock.nowMs });
  expect([response.statusCode, codeOf(response)]).toEqual([500, 'SERVER_ERROR']);
  expect(service.registry.calls).toBe(0);
  expect(await service.balance(who)).toMatchObject({ available: 5, held: 0 });
});

const take = async () => ({ isAllowed: true }) as const;

/** Sends the form with the right details. */
async function submit(giveBack: () => Promise<void>, headers: Readonly<Record<string, string[]>> = {}) {
  secrets ??= await startSecretDouble({ current: KEY });
  const token = createSlipToken(
    {
      slipType: 'premium',
      issuedAt: new Date(),
      expiresAt: new Date(Date.now() + HOUR_MS),
      reference: '0a1b2c3d4e5f',
      specimen: false,
    },
    { nin: SOME_NIN, surname: 'OGUNMOLA', givenNames: 'OLANREWAJU', birthDate: '12 MAR 1990' },
    KEY,
  );
  const deps = {
    attempts: { take, giveBack },
    withdrawn: { isWithdrawn: async () => false },
    nowMs: Date.now,
  };
  const event = eventOf({
    body: new URLSearchParams({ nin: SOME_NIN, surname: 'ogunmola' }).toString(),
    headers: { 'Content-Type': ['application/x-www-form-urlencoded'], ...headers },
  });
  const handler = publicRoute('slip-details', checkSlipDetails(deps));
  return handler(Object.assign(event, { pathParameters: { token } }), {
    getRemainingTimeInMillis: () => 28_000,
  } as Context);
}

test('the check page shows a match even if the attempt cannot be given back', async () => {
  lines.splice(0);
  const response = await submit(() =>
    Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' })),
  );
  expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('<h1>Match</h1>')]);
  expect(lines.join('\n')).toContain('An attempt on a slip check was not given back.');
});

test.each([
  [200, { Host: ['api.example.com'], Origin: ['https://api.example.com'] }],
  [200, { Origin: ['null'], 'Sec-Fetch-Site': ['same-origin'] }],
  [403, { Origin: ['null'] }],
  [403, { Host: ['api.example.com'], Origin: ['null'] }],
])('the form gets %d with the headers %j', async (status, headers) => {
  const response = await submit(async () => undefined, headers);
  expect([response.statusCode, response.headers?.['Referrer-Policy']]).toEqual([status, 'same-origin']);
});

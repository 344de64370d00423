import { describe, expect, test } from '@jest/globals';
import { SERVICE_NAMES } from '../../../shared/verifications/services.ts';
import { EVENT_DATA } from '../../../shared/webhooks/event-type.ts';
import { IdentityClient, safely, verifyWebhook } from '../src/index.ts';
import { FakeIdentity, signWebhook, webhookEvent } from '../testing/main.ts';
import { fakeCases, responsesOf } from './fake-cases.ts';

/** The fake of `ng-identity/testing`. Its cases are those of the Python client's fake. */

const NIN = '12345678901';
const start = (credits?: number) => {
  const fake = new FakeIdentity(credits === undefined ? {} : { credits });
  return { fake, client: new IdentityClient({ ...fake.options, maxRetries: 0 }) };
};

async function errorOf(call: Promise<unknown>) {
  const outcome = await safely(call);
  if (outcome.ok) throw new Error('The call succeeded.');
  return outcome.error;
}

test.each(fakeCases)('the fake responds as the API: $name', async (example) => {
  const fake = new FakeIdentity({ credits: 100 });
  for (const { found, expected } of await responsesOf(example, fake.fetch, fake))
    expect(found).toEqual(expected);
});

test.each([
  ['BVN', '22345678901'],
  ['CAC', 'RC7000'],
  ['TIN', '12345678-0001'],
] as const)('a %s number is found and charged once', async (idType, number) => {
  const { fake, client } = start();
  const { data, creditsCharged, rateLimit } = await client.verify(idType, number);
  expect(Object.keys(data).length).toBeGreaterThan(3);
  expect([creditsCharged, fake.credits, fake.charges.length, rateLimit?.limit]).toEqual([1, 999, 1, 20]);
});

test('an empty wallet is rejected, and the next error and its Retry-After can be chosen', async () => {
  const { client } = start(0);
  expect(await errorOf(client.verify('NIN', NIN))).toMatchObject({ kind: 'insufficient_funds' });
  const { fake, client: other } = start();
  fake.failNext('RATE_LIMITED');
  fake.failNext('OUTCOME_UNKNOWN', { retryAfterSeconds: 7 });
  expect(await errorOf(other.verify('NIN', NIN))).toMatchObject({ kind: 'rate_limit', retryAfterMs: 1000 });
  expect(await errorOf(other.verify('NIN', NIN))).toMatchObject({ charged: undefined, retryAfterMs: 7000 });
  expect(fake.charges).toEqual([]);
  expect(() => fake.failNext('NO_CODE' as never)).toThrow('There is no error code NO_CODE.');
});

test('a lost response was charged, and is repeated free of charge', async () => {
  const { fake } = start();
  const client = new IdentityClient(fake.options);
  fake.cutNext();
  expect(await client.verify('NIN', NIN)).toMatchObject({ replayed: true, creditsCharged: 0 });
  expect([fake.charges.length, fake.requests.length]).toEqual([1, 2]);
});

test('slips, the log, the statement and the banks show what happened', async () => {
  const { fake, client } = start(10);
  const { requestId } = await client.verify('NIN', NIN, { reference: 'customer 4711' });
  expect((await client.downloadSlip(NIN, 'regular')).length).toBeGreaterThan(20);
  await errorOf(client.verify('NIN', '12345670404'));
  const logged = [];
  for await (const { outcome, reference } of client.verifications({ pageSize: 1 }))
    logged.push([outcome, reference]);
  expect(logged).toEqual([
    ['NOT_FOUND', null],
    ['FOUND', null],
    ['FOUND', 'customer 4711'],
  ]);
  expect(await client.verification(requestId)).toMatchObject({ credits_charged: 1, http_status: 200 });
  const balances = [];
  for await (const { amount, balance_after } of client.transactions()) balances.push([amount, balance_after]);
  expect(balances).toEqual([
    [-1, 9],
    [-1, 8],
  ]);
  const earlier = client.transactions({ to: '2026-01-15T09:30:00+01:00' });
  expect((await earlier.next()).done).toBe(true);
  expect((await client.banks()).length).toBeGreaterThan(20);
  expect((await client.balance()).available).toBe(fake.credits);
});

test('an order is paid, and adds its credits', async () => {
  const { fake, client } = start(0);
  const { reference } = await client.startTopUp(10, { idempotencyKey: 'top-up-0001' });
  expect((await client.startTopUp(10, { idempotencyKey: 'top-up-0001' })).reference).toBe(reference);
  fake.payTopUp(reference);
  expect([(await client.topUp(reference)).state, fake.credits]).toEqual(['CREDITED', 10]);
  expect(() => fake.payTopUp(reference)).toThrow('There is no open order');
  expect(await errorOf(client.startTopUp(9))).toMatchObject({
    message: expect.stringContaining('The field credits must be from 10 to 1000000.'),
    field: 'credits',
  });
});

test('the unified gateway verifies every type', async () => {
  const { fake, client } = start();
  const account = await client.verifyGateway('NUBAN', '0000014579', { bankCode: '011' });
  expect(account.data.account_name).toBe('OLORUNFEMI YETUNDE FOLASADE');
  expect((await client.verifyGateway('TIN', '12345678-0001')).data.tin).toBe('12345678-0001');
  expect((await client.verifyGateway('CAC', '7000', { companyType: 'BN' })).data.rcNumber).toBe('BN7000');
  expect(fake.requests[0]?.body).toMatchObject({ params: { id_number: '0000014579', bank_code: '011' } });
});

test('the key and its uses are shown', async () => {
  const { client } = start();
  expect((await client.me()).services).toHaveLength(SERVICE_NAMES.length);
  const key = { idempotencyKey: 'application-4711' };
  const { requestId } = await client.verify('NIN', NIN, key);
  await client.verify('NIN', NIN, key);
  await errorOf(client.verifyGateway('NIN', '12345670404', key));
  const uses = await client.keyUses(key.idempotencyKey);
  expect(uses).toMatchObject([
    { route: 'nin-basic', key_state: 'charged', request_id: requestId, credits_charged: 1, replays_left: 2 },
    { route: 'verify-identity', key_state: 'not_charged', credits_charged: 0, replays_left: 0 },
  ]);
  await client.verify('NIN', NIN);
  const listed = [];
  for await (const { outcome, is_replay: isReplay } of client.verifications(key))
    listed.push([outcome, isReplay]);
  expect(listed).toEqual([
    ['NOT_FOUND', false],
    ['FOUND', true],
    ['FOUND', false],
  ]);
  expect(() => client.verifications({ ...key, service: 'nin-basic' })).toThrow('Unknown option "service".');
  expect(() => client.verifications({ idempotencyKey: 'short' })).toThrow('8 to 255');
});

describe('a signed webhook', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  test.each(Object.keys(EVENT_DATA) as (keyof typeof EVENT_DATA)[])('of %s is verified', async (type) => {
    const event = webhookEvent(type);
    const { body, headers } = await signWebhook(event, secret);
    expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  });

  test('has the time that the test gives it', async () => {
    const { body, headers } = await signWebhook('{"type":"test"}', secret, { nowSeconds: 1_000 });
    const checked = verifyWebhook(body, headers, secret, { now: new Date(1_000_000) });
    expect(await checked).toEqual({ type: 'test' });
    expect(() => webhookEvent('none' as never)).toThrow('There is no event none.');
  });
});

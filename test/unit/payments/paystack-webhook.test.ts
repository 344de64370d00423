import { beforeEach, describe, expect, test } from '@jest/globals';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import { openTopUp } from '../../../shared/payments/orders/open-top-up.ts';
import { settleTopUp } from '../../../shared/payments/orders/settle-top-up.ts';
import type { VerifiedPayment } from '../../../shared/payments/paystack/payment-provider.ts';
import { paystackSignature } from '../../../shared/payments/paystack/webhook-signature.ts';
import { receivePaystackWebhook } from '../../../shared/payments/routes/paystack-webhook.ts';
import { callPublicRoute } from '../../support/payments/call-public-route.ts';
import { bodyWith, PAYSTACK_FIXTURES } from '../../support/payments/paystack-fixtures.ts';
import {
  type FakeProvider,
  fakeProvider,
  type MemoryClient,
  memoryClient,
  memoryClock,
  type PaymentTables,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

/** Tests the webhook through its middleware chain, over in-memory tables. */

const KEYS = { live: 'sk_live_webhook0000001', test: 'sk_test_webhook0000001' };
const REFERENCE = 'TOPUP-01K9SPECMEN000000000000001';

let memory: MemoryClient;
let provider: FakeProvider;
let deps: PaymentTables;
let calls: object[];

beforeEach(async () => {
  memory = memoryClient();
  provider = fakeProvider();
  deps = topUpDependencies(memory.client, provider, memoryClock('2026-11-23T10:00:00.000Z').clock);
  await setUp(deps);
  const opened = await openTopUp(
    { wallet: WALLET, credits: 100, callbackUrl: 'https://api.example.com/return', openedBy: 'key' },
    REFERENCE,
    deps,
  );
  expect(opened.kind).toBe('opened');
  calls = [];
  provider.calls = 0;
  memory.before = (command) => void calls.push(command);
});

function paid(changes: Partial<Exclude<VerifiedPayment, { status: 'missing' }>> = {}): void {
  provider.payments.set(REFERENCE, {
    status: 'success',
    reference: REFERENCE,
    amountKobo: 537_500,
    currency: 'NGN',
    paidAt: '2026-11-23T10:01:00.000Z',
    channel: 'card',
    providerReference: '4000000001',
    ...changes,
  });
}

interface Sent {
  readonly signature?: string | readonly string[] | undefined;
  readonly deps?: PaymentTables | undefined;
}

async function send(body: string | Uint8Array, { signature, ...rest }: Sent = {}) {
  const bytes = Buffer.from(body);
  const signatures = [signature ?? paystackSignature(bytes, KEYS.live)].flat();
  const used = 'deps' in rest ? rest.deps : deps;
  const run = receivePaystackWebhook(used, async () => KEYS);
  const headers = { 'X-Paystack-Signature': signatures };
  const response = await callPublicRoute(run, { body: bytes, headers });
  return { status: response.status, json: JSON.parse(response.body) };
}

const event = (data: object = {}, name = 'webhook.charge-success') =>
  JSON.stringify(bodyWith(name, { reference: REFERENCE, ...data }));

const state = async () => (await deps.orders.getOrder('live', REFERENCE))?.state;
const credited = () => memory.writes.filter(({ sk }) => sk === 'CREDIT').length;

describe('A signed message', () => {
  test('S57: a signed webhook for an unpaid order, and a repeated webhook', async () => {
    expect((await send(event({ amount: 537_500, status: 'success' }))).status).toBe(200);
    expect([await state(), credited()]).toEqual(['OPENED', 0]);
    paid();
    const responses = [await send(event()), ...(await Promise.all([send(event()), send(event())]))];
    for (const response of responses)
      expect(response).toMatchObject({ status: 200, json: { success: true, code: 'WEBHOOK_RECEIVED' } });
    expect(await state()).toBe('CREDITED');
    expect(credited()).toBe(1);
  });

  // test/unit/payments/paystack.test.ts tests that a payment in test mode is not accepted for a live order.
  test('S58: a smaller payment, one in a different currency or one in test mode, for live credits', async () => {
    paid({ amountKobo: 537_499 });
    expect((await send(event({ amount: 537_500 }))).status).toBe(200);
    expect([await state(), credited()]).toEqual(['MISMATCH', 0]);
  });

  test('about a refund also makes the service ask Paystack', async () => {
    const body = bodyWith('webhook.refund-processed', { transaction_reference: REFERENCE });
    expect((await send(JSON.stringify(body))).status).toBe(200);
    expect(provider.calls).toBe(1);
  });

  test('signed with the test key does not settle a live order', async () => {
    paid();
    const body = event();
    const signature = paystackSignature(Buffer.from(body), KEYS.test);
    expect((await send(body, { signature })).status).toBe(200);
    expect(await state()).toBe('OPENED');
    expect(provider.calls).toBe(0);
  });

  test.each(
    PAYSTACK_FIXTURES.filter(({ name }) => name.startsWith('webhook.')).map(({ name, body }) => [name, body]),
  )('of any published kind gets 200: %s', async (_, body) => {
    const text = JSON.stringify(body).replaceAll(REFERENCE, 'TOPUP-UNKNOWN');
    expect((await send(text)).status).toBe(200);
    expect(provider.calls).toBe(0);
    expect(memory.writes.filter(({ sk }) => sk === 'CREDIT')).toEqual([]);
  });

  test.each([
    ['is not JSON', 'nonsense'],
    ['is empty', ''],
    ['is not an object', '[]'],
    ['has no data', '{"event":"charge.success"}'],
    ['has a reference from another application', event({ reference: 'ORDER-17' })],
    ['has a reference that contains a key separator', event({ reference: 'TOPUP-1#live' })],
    ['has a reference that is a number', event({ reference: 17 })],
    ['is about a transfer', event({}, 'webhook.transfer-success')],
  ])('that %s gets 200 and reads no row', async (_, body) => {
    expect((await send(body)).status).toBe(200);
    expect(calls).toEqual([]);
  });

  test('gets 200 in a stage without money settings', async () => {
    expect((await send(event(), { deps: undefined })).status).toBe(200);
  });

  test.each([
    ['has no reference', {}],
    ['has a reference that is null', { reference: null }],
  ])(
    "about a dispute that %s makes the service check whether a credited order's payment was reversed",
    async (_, own) => {
      paid();
      await settleTopUp('live', REFERENCE, deps);
      const body = bodyWith('webhook.dispute-resolve', { ...own, transaction: { reference: REFERENCE } });
      await send(event());
      expect(provider.calls).toBe(1);
      paid({ status: 'reversed' });
      expect((await send(JSON.stringify(body))).status).toBe(200);
      expect(await deps.orders.getOrder('live', REFERENCE)).toMatchObject({
        state: 'CREDITED',
        problem: expect.stringContaining('reversed'),
      });
    },
  );
});

test('a dispute stops automatic top-ups at once, although the payment is not reversed', async () => {
  paid();
  await settleTopUp('live', REFERENCE, deps);
  const { organisationId } = WALLET;
  const settings = { thresholdCredits: 100, credits: 100, monthlyCapKobo: 10, version: 1 };
  const saved = { changedAt: '2026-11-23T09:00:00.000Z', changedBy: 'ada', ...settings };
  const automatic = automaticTable(memory.client, 'Payments');
  await automatic.saveAutomatic(undefined, { organisationId, state: 'ON', ...saved });
  const transaction = { reference: REFERENCE };
  await send(JSON.stringify(bodyWith('webhook.dispute-remind', { transaction })));
  expect(await automatic.getAutomatic(organisationId)).not.toHaveProperty('paidBackAt');
  const body = JSON.stringify(bodyWith('webhook.dispute-create', { transaction }));
  expect((await send(body)).status).toBe(200);
  expect(await automatic.getAutomatic(organisationId)).toMatchObject({
    paidBackAt: expect.stringContaining('2026-11-23T10:00:00'),
  });
  expect(await deps.orders.getOrder('live', REFERENCE)).not.toHaveProperty('problem');
});

describe('S56: a forged webhook', () => {
  const body = event();
  const valid = paystackSignature(Buffer.from(body), KEYS.live);
  test.each([
    ['is missing', []],
    ['is empty', ['']],
    ['is made with an empty key', [paystackSignature(Buffer.from(body), '')]],
    ['is made with a different key', [paystackSignature(Buffer.from(body), 'sk_live_other')]],
    ['belongs to a different body', [paystackSignature(Buffer.from(`${body} `), KEYS.live)]],
    ['is sent twice', [valid, valid]],
  ])('gets 401 and changes nothing if the signature %s', async (_, signature) => {
    paid();
    const written = memory.writes.length;
    expect(await send(body, { signature })).toMatchObject({
      status: 401,
      json: { success: false, code: 'INVALID_SIGNATURE' },
    });
    expect(calls).toEqual([]);
    expect(provider.calls).toBe(0);
    expect(memory.writes).toHaveLength(written);
  });

  test('gets 401 before it is parsed', async () => {
    expect((await send('nonsense', { signature: 'x' })).status).toBe(401);
  });

  test('gets 413 if it is too large, before its signature is checked', async () => {
    expect(await send('x'.repeat(70_000), { signature: 'x' })).toMatchObject({
      status: 413,
      json: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });
});

describe('If Paystack does not respond correctly in time,', () => {
  const dueNow = async () =>
    (await deps.orders.listDue('2026-11-23T10:00:30.000Z')).map((one) => one.reference);

  test('the message gets 200 after a timeout, and the order becomes due at once', async () => {
    paid();
    expect(await dueNow()).toEqual([]);
    provider.before = () => new Promise<void>(() => {});
    expect((await send(event())).status).toBe(200);
    expect(await state()).toBe('OPENED');
    expect(await dueNow()).toEqual([REFERENCE]);
  });

  test('the message gets 200 after an error, and the order becomes due at once', async () => {
    paid();
    provider.before = () => {
      throw new Error('Paystack: unreachable');
    };
    expect((await send(event())).status).toBe(200);
    expect(await dueNow()).toEqual([REFERENCE]);
    provider.before = () => undefined;
    expect((await settleTopUp('live', REFERENCE, deps))?.state).toBe('CREDITED');
    expect(credited()).toBe(1);
  });

  test('and the tables also fail, the message gets 500, so that Paystack sends it again', async () => {
    provider.before = () => {
      throw new Error('Paystack: unreachable');
    };
    memory.before = () => {
      throw new Error('The table does not respond.');
    };
    expect((await send(event())).status).toBe(500);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { openTopUp } from '../../shared/payments/orders/open-top-up.ts';
import { paystackProviders } from '../../shared/payments/paystack/paystack.ts';
import { paystackSignature } from '../../shared/payments/paystack/webhook-signature.ts';
import { showPaymentReturn } from '../../shared/payments/routes/payment-return.ts';
import { receivePaystackWebhook } from '../../shared/payments/routes/paystack-webhook.ts';
import { callPublicRoute } from '../support/payments/call-public-route.ts';
import { bodyWith } from '../support/payments/paystack-fixtures.ts';
import { startDouble } from '../support/registries/double.ts';
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
} from '../unit/payments/memory-payments.ts';

/** Attacks on the payment routes that need no API key. The tables are in memory. */

const KEYS = { live: 'sk_live_security000001', test: 'sk_test_security000001' };
const REFERENCE = 'TOPUP-01K9SPECMEN000000000000001';
const REQUEST = { wallet: WALLET, credits: 100, callbackUrl: 'https://api.example.com', openedBy: 'key' };

let memory: MemoryClient;
let provider: FakeProvider;
let deps: PaymentTables;

beforeEach(async () => {
  memory = memoryClient();
  provider = fakeProvider();
  deps = topUpDependencies(memory.client, provider, memoryClock('2026-11-23T10:00:00.000Z').clock);
  await setUp(deps);
  expect((await openTopUp(REQUEST, REFERENCE, deps)).kind).toBe('opened');
  provider.calls = 0;
});

const PAID = {
  status: 'success',
  reference: REFERENCE,
  amountKobo: 537_500,
  currency: 'NGN',
  paidAt: '2026-11-23T10:01:00.000Z',
  channel: 'card',
  providerReference: '4000000001',
} as const;

const event = (changes: object = {}) =>
  Buffer.from(JSON.stringify(bodyWith('webhook.charge-success', { reference: REFERENCE, ...changes })));

const send = (body: Uint8Array, signature: string) =>
  callPublicRoute(
    receivePaystackWebhook(deps, async () => KEYS),
    { body, headers: { 'x-paystack-signature': [signature] } },
  );

const credits = () => memory.writes.filter(({ sk }) => sk === 'CREDIT').length;

describe('attacks on payments', () => {
  test('S56: a forged webhook', async () => {
    provider.payments.set(REFERENCE, PAID);
    const written = memory.writes.length;
    const body = event();
    const signatures = ['', 'x', paystackSignature(body, ''), paystackSignature(body, 'sk_live_guess')];
    for (const signature of signatures) {
      const response = await send(body, signature);
      expect([response.status, JSON.parse(response.body).code]).toEqual([401, 'INVALID_SIGNATURE']);
      for (const key of Object.values(KEYS)) expect(response.body).not.toContain(key);
    }
    expect(provider.calls).toBe(0);
    expect(memory.writes).toHaveLength(written);
  });

  test('S57: a signed webhook for an unpaid order, and a repeated webhook', async () => {
    const body = event({ status: 'success', amount: 537_500 });
    const signature = paystackSignature(body, KEYS.live);
    expect((await send(body, signature)).status).toBe(200);
    expect(credits()).toBe(0);
    provider.payments.set(REFERENCE, PAID);
    for (let repeat = 0; repeat < 5; repeat += 1) expect((await send(body, signature)).status).toBe(200);
    expect(credits()).toBe(1);
  });

  test('S58: a smaller payment, one in a different currency or one in test mode, for live credits', async () => {
    const paystack = await startDouble(() => ({
      status: 200,
      body: bodyWith('verify.success', { reference: REFERENCE, amount: 537_500, domain: 'test' }),
    }));
    try {
      const config = { credentials: async () => KEYS, baseUrl: paystack.baseUrl, allowLocal: true };
      const real = { ...deps, providers: paystackProviders(config) };
      const run = receivePaystackWebhook(real, async () => KEYS);
      const body = event();
      const headers = { 'x-paystack-signature': [paystackSignature(body, KEYS.live)] };
      expect((await callPublicRoute(run, { body, headers })).status).toBe(200);
      expect(paystack.requests).toHaveLength(1);
      expect((await deps.orders.getOrder('live', REFERENCE))?.state).toBe('OPENED');
    } finally {
      await paystack.stop();
    }
    provider.payments.set(REFERENCE, { ...PAID, amountKobo: 537_499 });
    await send(event(), paystackSignature(event(), KEYS.live));
    expect((await deps.orders.getOrder('live', REFERENCE))?.state).toBe('MISMATCH');
    const other = 'TOPUP-01K9SPECMEN000000000000003';
    await openTopUp(REQUEST, other, deps);
    provider.payments.set(other, { ...PAID, reference: other, currency: 'USD' });
    const otherEvent = event({ reference: other });
    await send(otherEvent, paystackSignature(otherEvent, KEYS.live));
    expect((await deps.orders.getOrder('live', other))?.state).toBe('MISMATCH');
    expect(credits()).toBe(0);
  });

  test('S59: the return page of a payment, with guessed references and markup', async () => {
    const visit = (reference: string) => callPublicRoute(showPaymentReturn(deps), { query: { reference } });
    const guesses = [
      'TOPUP-01K9SPECMEN000000000000002',
      `${REFERENCE}#ORDER`,
      "<img src=x onerror='alert(1)'>",
      'x'.repeat(5_000),
    ];
    for (const guess of guesses) {
      const { status, body } = await visit(guess);
      expect(status).toBe(404);
      expect(body).not.toContain('<img');
      expect(body).not.toContain('<script');
    }
    const { status, body, headers } = await visit(REFERENCE);
    expect(status).toBe(200);
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'");
    // The buyer's details are in the tables, but whoever knows the reference must not learn them.
    for (const secret of ['Kainji', 'kainji.example', '12345678-0001', WALLET.organisationId])
      expect(body).not.toContain(secret);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { openTopUp } from '../../../shared/payments/orders/open-top-up.ts';
import { ORDER_STATES, type TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { returnPage } from '../../../shared/payments/orders/return-page.ts';
import { showPaymentReturn } from '../../../shared/payments/routes/payment-return.ts';
import { callPublicRoute } from '../../support/payments/call-public-route.ts';
import {
  type FakeProvider,
  fakeProvider,
  memoryClient,
  memoryClock,
  type PaymentTables,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

const REFERENCE = 'TOPUP-01K9SPECMEN000000000000001';

let provider: FakeProvider;
let deps: PaymentTables;
let time: { nowMs: number };

beforeEach(async () => {
  provider = fakeProvider();
  const started = memoryClock('2026-11-23T10:00:00.000Z');
  time = started.time;
  deps = topUpDependencies(memoryClient().client, provider, started.clock);
  await setUp(deps);
});

async function open(
  env: 'live' | 'test' = 'live',
  returnUrl?: string,
  openedBy = 'key',
): Promise<TopUpOrder> {
  const request = {
    wallet: { ...WALLET, env },
    credits: 1_000,
    callbackUrl: 'https://api.example.com/return',
    openedBy,
    ...(returnUrl && { returnUrl }),
  };
  const opened = await openTopUp(request, REFERENCE, deps);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  return opened.order;
}

function pay({ totalKobo }: TopUpOrder): void {
  provider.payments.set(REFERENCE, {
    status: 'success',
    reference: REFERENCE,
    amountKobo: totalKobo,
    currency: 'NGN',
    paidAt: '2026-11-23T10:01:00.000Z',
    channel: 'card',
    providerReference: '4000000001',
  });
}

async function visit(query: Record<string, string> | null, used: PaymentTables | undefined = deps) {
  const { body, ...response } = await callPublicRoute(showPaymentReturn(used), { query });
  return { ...response, page: body };
}

describe('The return page of a payment', () => {
  test.each(['live', 'test'] as const)(
    'credits a paid order as the webhook does, in the environment %s',
    async (env) => {
      pay(await open(env));
      const { status, page, headers } = await visit({ trxref: REFERENCE, reference: REFERENCE });
      expect(status).toBe(200);
      expect(page).toContain('<html lang="en" translate="no">');
      expect(page).toContain('The payment is complete');
      expect(page).toContain('1,000');
      expect(page).toContain('₦53,750.00, including ₦3,750.00 of VAT');
      expect(page.includes('TEST: no money moves')).toBe(env === 'test');
      expect(headers).toMatchObject({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': expect.stringContaining("default-src 'none'"),
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      });
      expect((await deps.orders.getOrder(env, REFERENCE))?.state).toBe('CREDITED');
      expect((await visit({ reference: REFERENCE })).page).toContain('The payment is complete');
    },
  );

  test('offers to continue a payment that was declined or left, and never says to wait', async () => {
    const { checkoutUrl = '' } = await open();
    const { page } = await visit({ reference: REFERENCE });
    expect(page).toContain(`<a href="${checkoutUrl}" rel="noreferrer">Continue to pay</a>`);
    expect(page).not.toMatch(/waiting for|second time/);
    expect(page).toContain('No payment has arrived yet');
    expect(page).toContain(`<a href="?reference=${REFERENCE}">Check again</a>`);
  });

  test('shows the stored order if Paystack does not respond, and lets the sweep settle it', async () => {
    pay(await open());
    provider.before = () => new Promise<void>(() => {});
    const { status, page } = await visit({ reference: REFERENCE });
    expect([status, page]).toEqual([200, expect.stringContaining('No payment has arrived yet')]);
    expect(await deps.orders.listDue('2026-11-23T10:00:30.000Z')).toEqual([
      { env: 'live', reference: REFERENCE },
    ]);
  });

  test('shows the stored order if neither Paystack nor a write of the order succeeds', async () => {
    pay(await open());
    provider.before = () => {
      throw new Error('http-500');
    };
    const moveOrder = () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' }));
    const { status, page } = await visit(
      { reference: REFERENCE },
      { ...deps, orders: { ...deps.orders, moveOrder } },
    );
    expect([status, page]).toEqual([200, expect.stringContaining('No payment has arrived yet')]);
  });

  test('S59: the return page of a payment, with guessed references and markup', async () => {
    await open();
    const unknown = [
      null,
      {},
      { reference: '' },
      { reference: 'TOPUP-01K9SPECMEN000000000000002' },
      { reference: 'live#TOPUP' },
      { reference: 'x'.repeat(5_000) },
      { reference: '"><script>alert(1)</script>' },
    ];
    for (const query of unknown) {
      const { status, page } = await visit(query as Record<string, string> | null);
      expect([status, page]).toEqual([404, expect.stringContaining('This payment does not exist')]);
      expect(page).not.toContain('<script');
    }
    expect((await visit({ reference: REFERENCE }, undefined)).status).toBe(200);
  });

  test('redirects members to the wallet of the console, and nobody to an address from the API', async () => {
    const wallet = 'https://console.example.com/wallet?top_up=x&env=live';
    await open('live', wallet, 'member:ada');
    const { status, headers } = await visit({ reference: REFERENCE });
    expect([status, headers['Location']]).toEqual([303, wallet]);
    time.nowMs += 2 * DAY_MS;
    expect((await visit({ reference: REFERENCE })).status).toBe(200);
  });

  test('links to an HTTPS or loopback return URL with its host, and to no others', async () => {
    const order = await open('live', 'https://shop.example.com/paid?a=1&b="2"');
    const page = returnPage({ kind: 'order', order, isRecent: true }, '?');
    expect(page).toContain(
      '<a href="https://shop.example.com/paid?a=1&amp;b=&quot;2&quot;" rel="noreferrer">Return to shop.example.com</a>',
    );
    const console = { ...order, returnUrl: 'http://127.0.0.1:4001/wallet' };
    expect(returnPage({ kind: 'order', order: console, isRecent: true }, '?')).toContain(
      'Return to 127.0.0.1:4001',
    );
    for (const returnUrl of [
      'javascript:alert(1)',
      'http://shop.example.com',
      'http://127.0.0.1.example',
      'x',
    ])
      expect(
        returnPage({ kind: 'order', order: { ...order, returnUrl }, isRecent: true }, '?'),
      ).not.toContain('Return to');
  });

  test('shows only the state 2 days after the order was opened, because others may have seen the address', async () => {
    await open('live', 'https://shop.example.com/paid?session=1');
    time.nowMs += 2 * DAY_MS - 1_000;
    expect((await visit({ reference: REFERENCE })).page).toContain('session=1');
    time.nowMs += 1_000;
    const { status, page } = await visit({ reference: REFERENCE });
    expect([status, page]).toEqual([200, expect.stringContaining('The payment was not made in time')]);
    for (const detail of ['1,000', '53,750', 'shop.example.com']) expect(page).not.toContain(detail);
  });

  test('has a different heading in every state and names no organisation', async () => {
    const order = await open();
    const pages = ORDER_STATES.map((state) =>
      returnPage({ kind: 'order', order: { ...order, state }, isRecent: true }, '?'),
    );
    const headings = pages.map((page) => /<h1>(.*)<\/h1>/.exec(page)?.[1]);
    expect(new Set(headings).size).toBe(ORDER_STATES.length);
    for (const page of pages) {
      expect(page).not.toContain(WALLET.organisationId);
      expect(page).not.toContain('kainji');
      expect(page).not.toContain('undefined');
    }
    const reversed = { ...order, state: 'CREDITED', problem: 'The payment was reversed.' } as const;
    const page = returnPage({ kind: 'order', order: reversed, isRecent: true }, '?');
    expect(page).toContain('The payment is being checked');
    expect(page).not.toContain('The payment is complete');
  });
});

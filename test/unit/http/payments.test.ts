import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { SHORT_HASH } from '../../../shared/accounts/api-key-table.ts';
import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import type { CommandRun } from '../../../shared/audit/recorder.ts';
import { ServiceError } from '../../../shared/core/errors.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import { metricLog } from '../../../shared/core/metrics.ts';
import type { LambdaHandler } from '../../../shared/http/chain.ts';
import type { Run } from '../../../shared/http/public-route.ts';
import { creditWithLot } from '../../../shared/payments/lots/credit-with-lot.ts';
import { creditTransfer } from '../../../shared/payments/orders/credit-transfer.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { startTopUp } from '../../../shared/payments/routes/start-top-up.ts';
import { showTopUp } from '../../../shared/payments/routes/top-up.ts';
import { listInvoices, showInvoice } from '../../../shared/payments/routes/wallet-invoices.ts';
import { listLots } from '../../../shared/payments/routes/wallet-lots.ts';
import {
  type Caller,
  caller,
  countingDependencies,
  type EventInput,
  invoke,
} from '../../security/in-process.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
} from '../payments/memory-payments.ts';

/** The routes for lots, invoices and top-ups, over in-memory tables. */

const PDF = new TextEncoder().encode('%PDF-1.7 of the document');
const KEY = { 'Idempotency-Key': ['order-of-november-2026'] };

beforeEach(() => {
  process.env['STAGE'] = 'prod';
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation(() => true);
});
afterEach(() => {
  delete process.env['STAGE'];
  jest.restoreAllMocks();
});

interface Answer {
  readonly status: number;
  readonly headers: NonNullable<APIGatewayProxyResult['headers']>;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read and compare its fields.
  readonly json: any;
  readonly body: string;
}

async function shop(scopes: string[] | undefined = ['wallet:pay', 'wallet:read']) {
  const memory = memoryClient();
  const provider = fakeProvider();
  const { time, clock } = memoryClock(new Date().toISOString());
  const deps = topUpDependencies(memory.client, provider, clock);
  const limits = scopes && { scopes };
  const buyer = caller('live', { key: { ...limits } });
  const other = caller('live', { key: { ...limits } });
  const callers = countingDependencies([buyer, other]);
  const walletOf = ({ account }: Caller): WalletId => ({
    env: 'live',
    organisationId: account.organisation?.id ?? '',
  });
  await setUp(deps, walletOf(buyer).organisationId);
  await deps.shards.createShard(walletOf(other), 0);

  const route = (name: string, scope: 'wallet:pay' | 'wallet:read', run: Run) =>
    keyedRoute(name, scope, run, callers);
  const call = async (
    handler: LambdaHandler,
    input: EventInput,
    path?: Record<string, string>,
  ): Promise<Answer> => {
    const withPath: LambdaHandler = (event, context) =>
      handler(Object.assign(event, { pathParameters: path ?? null }), context);
    const { statusCode, headers = {}, body } = await invoke(withPath, { key: buyer.text, ...input });
    const isJson = headers['Content-Type'] === 'application/json';
    return { status: statusCode, headers, json: isJson ? JSON.parse(body) : undefined, body };
  };
  const runs: CommandRun[] = [];
  const handlers = {
    start: route(
      'start-top-up',
      'wallet:pay',
      startTopUp((run) => {
        runs.push(run);
        return deps;
      }),
    ),
    show: route('top-up', 'wallet:read', showTopUp(deps)),
    lots: route('wallet-lots', 'wallet:read', listLots(deps)),
    invoices: route('wallet-invoices', 'wallet:read', listInvoices(deps.documents)),
    invoice: route(
      'wallet-invoice',
      'wallet:read',
      showInvoice(async () => PDF, deps.documents),
    ),
  };
  const start = (body: unknown, input: EventInput = {}) =>
    call(handlers.start, { body: JSON.stringify(body), ...input });
  const pay = (order: Pick<TopUpOrder, 'reference'>, amountKobo: number) =>
    provider.payments.set(order.reference, {
      status: 'success',
      reference: order.reference,
      amountKobo,
      currency: 'NGN',
      paidAt: new Date().toISOString(),
      channel: 'card',
      providerReference: '4099260516',
    });
  /** Opens an order, pays it and reads its state, which credits it. */
  const buy = async (credits: number, who = buyer) => {
    const { json } = await start({ credits }, { key: who.text });
    pay(json.data, json.data.total_kobo);
    const state = await call(handlers.show, { key: who.text }, { reference: json.data.reference });
    return state.json.data;
  };
  const tables = { memory, provider, time, clock, deps };
  return { ...tables, buyer, other, callers, walletOf, handlers, call, start, pay, buy, route, runs };
}

describe('POST /wallet/top-ups', () => {
  test('opens an order at the current price and says where to pay', async () => {
    const { start, deps, buyer, walletOf, runs } = await shop();
    const { status, headers, json } = await start({
      credits: 100,
      return_url: 'https://shop.example/paid?x=1',
    });
    expect([status, headers['X-Credits-Charged'], headers['Cache-Control']]).toEqual([200, '0', 'no-store']);
    expect(json).toMatchObject({ success: true, code: 'WALLET_TOP_UP' });
    const { reference } = json.data;
    expect(json.data).toEqual({
      environment: 'live',
      reference: expect.stringMatching(/^TOPUP-[0-9A-Z]{26}$/),
      state: 'OPENED',
      credits: 100,
      kobo_per_credit: 5_000,
      net_kobo: 500_000,
      vat_kobo: 37_500,
      total_kobo: 537_500,
      currency: 'NGN',
      checkout_url: `https://checkout.example/${reference}`,
      opened_at: expect.any(String),
      expires_at: expect.any(String),
      credited_at: null,
      invoice: null,
      receipt: null,
    });
    const order = await deps.orders.getOrder('live', reference);
    expect(order).toMatchObject({
      ...walletOf(buyer),
      openedBy: 'key:story',
      returnUrl: 'https://shop.example/paid?x=1',
    });
    const actor = `key:${buyer.account.key?.hash.slice(0, SHORT_HASH)}`;
    expect(runs).toMatchObject([{ actor, action: 'top-up start', requestId: headers['X-Request-Id'] }]);
  });

  test('under one Idempotency-Key opens one order', async () => {
    const { start, deps, buyer, walletOf } = await shop();
    const first = await start({ credits: 100 }, { headers: KEY });
    const again = await start({ credits: 100 }, { headers: KEY });
    expect(again.json.data).toEqual(first.json.data);
    expect([first.headers['Idempotent-Replayed'], again.headers['Idempotent-Replayed']]).toEqual([
      undefined,
      'true',
    ]);
    const other = await start({ credits: 200 }, { headers: KEY });
    expect([other.status, other.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await deps.orders.listOrders(walletOf(buyer))).toHaveLength(1);
  });

  test.each([
    ['a key without a list of scopes', undefined],
    ['a key without the scope wallet:pay', ['wallet:read', 'verify:*']],
  ])('is rejected for %s', async (_, scopes) => {
    const { start, buyer, provider } = await shop(['wallet:pay']);
    const { scopes: _scopes, ...key } = buyer.account.key ?? ({} as never);
    buyer.account = { ...buyer.account, key: { ...key, ...(scopes && { scopes }) } as never };
    const { status, json } = await start({ credits: 100 });
    expect([status, json.code]).toEqual([401, 'INVALID_API_KEY']);
    expect(json.message).toContain('wallet:pay');
    expect(provider.calls).toBe(0);
  });

  test.each([
    ['an empty object', {}, 'missing_field', 'credits', 'The field credits is missing. Add it.'],
    ['a string', { credits: '100' }, 'wrong_type', 'credits', 'Send it without quotes.'],
    ['a list', { credits: [100] }, 'wrong_type', 'credits', 'whole number'],
    ['null', { credits: null }, 'wrong_type', 'credits', 'whole number'],
    ['a fraction', { credits: 10.5 }, 'wrong_value', 'credits', 'whole number'],
    ['no credits', { credits: 0 }, 'wrong_value', 'credits', 'whole number'],
    ['a huge number', { credits: 1e300 }, 'wrong_value', 'credits', 'whole number'],
    ['too few credits', { credits: 9 }, 'wrong_value', 'credits', 'Send a whole number from 10 to 100000.'],
    ['too many credits', { credits: 100_001 }, 'wrong_value', 'credits', 'from 10 to 100000'],
    ['a misspelt field', { credit: 100 }, 'unknown_field', 'credit', 'Did you mean "credits"?'],
    [
      'a reference',
      { credits: 100, reference: 'x' },
      'unknown_field',
      'reference',
      'Known fields: credits, return_url.',
    ],
    ['a price', { credits: 100, total_kobo: 1 }, 'unknown_field', 'total_kobo', 'credits, return_url'],
    [
      'an http address',
      { credits: 100, return_url: 'http://shop.example' },
      'wrong_format',
      'return_url',
      'an https address',
    ],
    [
      'a javascript address',
      { credits: 100, return_url: 'javascript:alert(1)' },
      'wrong_format',
      'return_url',
      'an https address',
    ],
    [
      'an address with a password',
      { credits: 100, return_url: 'https://u:p@shop.example' },
      'wrong_format',
      'return_url',
      'https',
    ],
    [
      'a number as the address',
      { credits: 100, return_url: 1 },
      'wrong_type',
      'return_url',
      'Send it in quotes.',
    ],
    [
      'a long address',
      { credits: 100, return_url: `https://a.example/${'x'.repeat(2000)}` },
      'too_long',
      'return_url',
      '',
    ],
  ])('rejects %s, says what to send, and opens no order', async (_, body, reason, field, message) => {
    const { start, provider, memory } = await shop();
    const before = memory.writes.length;
    const { status, json } = await start(body);
    expect([status, json.code, json.error.reason, json.error.field]).toEqual([
      400,
      'INVALID_SCHEMA',
      reason,
      field,
    ]);
    expect(json.message).toContain(message);
    expect([provider.calls, memory.writes.length]).toEqual([0, before]);
  });

  test.each([
    ['a different content type', { headers: { 'Content-Type': ['text/plain'] } }, 415],
    ['a large body', { body: ' '.repeat(4_097) }, 413],
    ['broken JSON', { body: '{' }, 400],
    ['a list', { body: '[]' }, 400],
    ['a parameter', { query: { credits: ['100'] } }, 400],
    ['a short key', { headers: { 'Idempotency-Key': ['short'] } }, 400],
    ['two keys', { headers: { 'Idempotency-Key': ['key-number-1', 'key-number-2'] } }, 400],
  ])('rejects %s', async (_, input, status) => {
    const { start, provider } = await shop();
    expect((await start({ credits: 100 }, input as EventInput)).status).toBe(status);
    expect(provider.calls).toBe(0);
  });

  test.each([
    ['billing details', { billing: undefined }, 'has no billing details'],
    ['a price', { prices: [] }, 'no price is set'],
  ])('without %s returns 409 and says who can help', async (_, rows, message) => {
    const { call, route, deps, provider } = await shop();
    const without = {
      ...deps,
      ...('prices' in rows && { prices: { listPrices: async () => rows.prices } }),
      ...('billing' in rows && { billing: { getBilling: async () => rows.billing } }),
    };
    const handler = route(
      'start-top-up',
      'wallet:pay',
      startTopUp(() => without),
    );
    const { status, json } = await call(handler, { body: JSON.stringify({ credits: 100 }) });
    expect([status, json.code]).toEqual([409, 'BILLING_INCOMPLETE']);
    expect(json.message).toContain(message);
    expect(json.message).toMatch(/ask the operator/i);
    expect(provider.calls).toBe(0);
  });

  test('returns 503 if Paystack opens no checkout, and the same key works later', async () => {
    const { start, provider } = await shop();
    const metrics = jest.spyOn(metricLog, 'write').mockImplementation(() => undefined);
    provider.before = () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    };
    const failed = await start({ credits: 100 }, { headers: KEY });
    expect([failed.status, failed.json.code, failed.headers['Retry-After']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '5',
    ]);
    // An outage of Paystack does not use up the error budget.
    expect(metrics.mock.calls.join()).toContain('"failedRequests":0');
    metrics.mockRestore();
    provider.before = () => undefined;
    const opened = await start({ credits: 100 }, { headers: KEY });
    expect([opened.status, opened.json.data.state]).toEqual([200, 'OPENED']);
  });

  test('returns 503 in a stage that sells no credits', async () => {
    const { call, route } = await shop();
    const { status, json } = await call(
      route(
        'start-top-up',
        'wallet:pay',
        startTopUp(() => undefined),
      ),
      {
        body: JSON.stringify({ credits: 100 }),
      },
    );
    expect([status, json.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(json.message).toContain('Ask the operator.');
  });
});

describe('GET /wallet/top-ups/{reference}', () => {
  test('credits a payment that has not been reported yet, and only once', async () => {
    const { buy, call, handlers, provider, buyer, deps, walletOf } = await shop();
    const credited = await buy(100);
    expect(credited).toMatchObject({
      state: 'CREDITED',
      invoice: expect.stringMatching(/^IDV-20\d\d-000001$/),
      receipt: expect.stringMatching(/^IDVR-20\d\d-000001$/),
      credited_at: expect.any(String),
    });
    const { calls } = provider;
    const again = await call(handlers.show, {}, { reference: credited.reference });
    expect([again.json.data, provider.calls]).toEqual([credited, calls]);
    expect(await deps.lots.listLots(walletOf(buyer))).toHaveLength(1);
  });

  test('shows a bank transfer under the reference that the operator chose, without asking Paystack', async () => {
    const { deps, buyer, walletOf, call, handlers, provider } = await shop();
    const reference = 'FT:2026_11.7-a';
    const transfer = { wallet: walletOf(buyer), credits: 100, reference, reason: '' };
    await creditTransfer(transfer, { ...deps, actor: 'ada' });
    const { status, json } = await call(handlers.show, {}, { reference });
    expect([status, json.data.reference, json.data.state]).toEqual([200, reference, 'CREDITED']);
    expect(provider.calls).toBe(0);
  });

  test('calls Paystack at most once every two seconds', async () => {
    const { start, call, handlers, provider, time } = await shop();
    const { reference } = (await start({ credits: 100 })).json.data;
    const show = () => call(handlers.show, {}, { reference });
    for (let times = 0; times < 5; times += 1) expect((await show()).json.data.state).toBe('OPENED');
    expect(provider.calls).toBe(2);
    time.nowMs += 2_000;
    await show();
    expect(provider.calls).toBe(3);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('made up'))],
    ['is unavailable', () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'))],
  ])('shows the order as it was if Paystack %s', async (_, fail) => {
    const { start, call, handlers, provider } = await shop();
    const { data } = (await start({ credits: 100 })).json;
    provider.before = fail;
    const { status, json } = await call(handlers.show, {}, { reference: data.reference });
    expect([status, json.data]).toEqual([200, data]);
  });

  test('does not wait for Paystack for longer than six seconds', async () => {
    const { start, call, handlers, provider } = await shop();
    const { data } = (await start({ credits: 100 })).json;
    provider.before = () => new Promise(() => undefined);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'Date', 'queueMicrotask'] });
    try {
      const shown = call(handlers.show, {}, { reference: data.reference });
      for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
      jest.advanceTimersByTime(6_000);
      expect(await shown).toMatchObject({ status: 200, json: { data } });
    } finally {
      jest.useRealTimers();
    }
  });

  test('reports a payment of a different amount and credits nothing', async () => {
    const { start, call, handlers, pay, deps, walletOf, buyer } = await shop();
    const { data } = (await start({ credits: 100 })).json;
    pay(data, data.total_kobo - 1);
    const { json } = await call(handlers.show, {}, { reference: data.reference });
    expect(json.data.state).toBe('MISMATCH');
    expect(JSON.stringify(json)).not.toContain('problem');
    expect(await deps.lots.listLots(walletOf(buyer))).toEqual([]);
  });
});

describe('GET /wallet/lots', () => {
  test('lists lots, each with its price and remaining credits', async () => {
    const { buy, call, handlers, deps, walletOf, buyer, clock } = await shop();
    const wallet = walletOf(buyer);
    const { reference, invoice } = await buy(100);
    const gift = { reference: 'gift-1', kind: 'TOP_UP', amount: 20, actor: 'ada', reason: 'gift' } as const;
    await creditWithLot(wallet, 1, gift, deps, clock);
    const spent = {
      reference: 'fix-1',
      kind: 'CORRECTION',
      amount: -105,
      actor: 'ada',
      reason: 'use',
    } as const;
    await creditWithLot(wallet, 1, spent, deps, clock);

    const { status, json } = await call(handlers.lots, {});
    expect([status, json.code, json.data.environment, json.data.next_cursor]).toEqual([
      200,
      'WALLET_LOTS',
      'live',
      null,
    ]);
    expect(json.data.lots).toEqual([
      {
        id: expect.any(String),
        kind: 'paid',
        credits: 100,
        remaining: 0,
        kobo_per_credit: 5_000,
        net_kobo: 500_000,
        vat_kobo: 37_500,
        reference: `paystack:${reference}`,
        invoice,
        created_at: expect.any(String),
        expires_at: null,
      },
      expect.objectContaining({
        kind: 'promotional',
        credits: 20,
        remaining: 15,
        kobo_per_credit: 0,
        invoice: null,
      }),
    ]);
  });

  test('returns lots in pages', async () => {
    const { call, handlers, deps, walletOf, buyer, clock } = await shop();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const gift = {
        reference: `gift-${name}`,
        kind: 'TOP_UP',
        amount: 1,
        actor: 'ada',
        reason: 'gift',
      } as const;
      await creditWithLot(walletOf(buyer), 1, gift, deps, clock);
    }
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: ['2'], ...(cursor && { cursor: [cursor] }) };
      const { json } = await call(handlers.lots, { query });
      expect(json.data.lots.length).toBeLessThanOrEqual(2);
      found.push(...json.data.lots.map(({ reference }: { reference: string }) => reference));
      cursor = json.data.next_cursor;
    } while (cursor);
    expect(found).toEqual(['gift-a', 'gift-b', 'gift-c', 'gift-d', 'gift-e']);
    for (const wrong of ['x', 'WyJ4Il0', 'W10'])
      expect((await call(handlers.lots, { query: { cursor: [wrong] } })).json.error).toMatchObject({
        field: 'cursor',
      });
  });
});

describe('GET /wallet/invoices', () => {
  test('lists documents newest first, by kind and page by page', async () => {
    const { buy, call, handlers } = await shop();
    for (const credits of [10, 20, 30]) await buy(credits);
    const all = (await call(handlers.invoices, {})).json.data.invoices;
    expect(all.map(({ net_kobo }: { net_kobo: number }) => net_kobo / 50_000)).toEqual([3, 3, 2, 2, 1, 1]);
    expect(all[0]).not.toHaveProperty('lines');
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { kind: ['INVOICE'], limit: ['1'], ...(cursor && { cursor: [cursor] }) };
      const { json } = await call(handlers.invoices, { query });
      found.push(...json.data.invoices.map(({ number }: { number: string }) => number.slice(-6)));
      cursor = json.data.next_cursor;
    } while (cursor);
    expect(found).toEqual(['000003', '000002', '000001']);
    const wrong = await call(handlers.invoices, { query: { kind: ['BILL'] } });
    expect([wrong.status, wrong.json.error.reason]).toEqual([400, 'wrong_value']);
  });

  test('returns a whole document as JSON', async () => {
    const { buy, call, handlers } = await shop();
    const { invoice, reference } = await buy(100);
    const { json } = await call(handlers.invoice, {}, { number: invoice });
    expect(json.data).toMatchObject({
      environment: 'live',
      number: invoice,
      kind: 'INVOICE',
      top_up: reference,
      net_kobo: 500_000,
      vat_kobo: 37_500,
      total_kobo: 537_500,
      seller: { name: 'Identity Services Ltd', tax_number: '10000000-0001' },
      buyer: { name: 'Kainji Pay Ltd', tax_number: '12345678-0001' },
      lines: [{ quantity: 100, unit_kobo: 5_000, vat_basis_points: 750, total_kobo: 537_500 }],
      total_in_words: 'Five thousand, three hundred and seventy-five naira only',
      payment: { method: 'PAYSTACK', channel: 'card', reference: '4099260516' },
      reason: null,
      content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(json.data).not.toHaveProperty('statement');
  });

  test.each([
    ['application/pdf', true],
    ['Application/PDF', true],
    ['application/pdf, application/json', true],
    ['application/json;q=0.5, application/pdf', true],
    ['application/json, application/pdf;q=0.9', false],
    ['application/pdf;q=0', false],
    ['application/json', false],
    ['*/*', false],
    ['text/html,application/xhtml+xml', false],
  ])('with Accept: %s returns a PDF: %p', async (accept, isPdf) => {
    const { buy, call, handlers } = await shop();
    const { invoice } = await buy(100);
    const { status, headers, body } = await call(
      handlers.invoice,
      { headers: { accept: [accept] } },
      { number: invoice },
    );
    expect([status, headers['Content-Type']]).toEqual([200, isPdf ? 'application/pdf' : 'application/json']);
    expect(headers['X-Credits-Charged']).toBe('0');
    if (!isPdf) return;
    expect(headers['Content-Disposition']).toBe(`attachment; filename="${invoice}.pdf"`);
    expect(Buffer.from(body, 'base64')).toEqual(Buffer.from(PDF));
  });
});

describe('other organisations in the payment routes', () => {
  /** Returns a response without the values that differ between any two requests. */
  const comparable = ({ status, headers, json }: Answer) => {
    const { 'X-Request-Id': _, ...others } = headers;
    return { status, headers: others, json: { ...json, meta: undefined } };
  };

  test('get the same response for an order as for one that does not exist, without a call to Paystack', async () => {
    const { start, call, handlers, other, provider } = await shop();
    const { reference } = (await start({ credits: 100 })).json.data;
    const { calls } = provider;
    const read = (text: string) => call(handlers.show, { key: other.text }, { reference: text });
    const foreign = await read(reference);
    expect([foreign.status, foreign.json.code]).toEqual([404, 'TOP_UP_NOT_FOUND']);
    const missing = comparable(await read('TOPUP-00000000000000000000000000'));
    expect([comparable(foreign), comparable(await read('x')), provider.calls]).toEqual([
      missing,
      missing,
      calls,
    ]);
  });

  test('S60: a document of another organisation or environment', async () => {
    const { buy, call, handlers, other } = await shop();
    const { invoice } = await buy(100);
    for (const accept of ['application/json', 'application/pdf']) {
      const read = (number: string) =>
        call(handlers.invoice, { key: other.text, headers: { accept: [accept] } }, { number });
      const foreign = await read(invoice);
      expect([foreign.status, foreign.json.code]).toEqual([404, 'INVOICE_NOT_FOUND']);
      const missing = comparable(await read('IDV-2026-999999'));
      expect([comparable(foreign), comparable(await read('../../x'))]).toEqual([missing, missing]);
    }
    expect((await call(handlers.invoices, { key: other.text })).json.data.invoices).toEqual([]);
    expect((await call(handlers.lots, { key: other.text })).json.data.lots).toEqual([]);
  });

  test('get their own order under the same Idempotency-Key', async () => {
    const { start, other, deps, walletOf } = await shop();
    const billing = await deps.billing.getBilling(walletOf(other).organisationId);
    expect(billing).toBeUndefined();
    await setUp(
      { ...deps, shards: { ...deps.shards, createShard: async () => true } },
      walletOf(other).organisationId,
    );
    const own = await start({ credits: 100 }, { headers: KEY });
    const theirs = await start({ credits: 200 }, { headers: KEY, key: other.text });
    expect([own.status, theirs.status]).toEqual([200, 200]);
    expect(theirs.json.data.reference).not.toBe(own.json.data.reference);
  });
});

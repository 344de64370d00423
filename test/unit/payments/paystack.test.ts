import { afterEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../shared/core/errors.ts';
import {
  type PaystackConfig,
  paystack,
  paystackProviders,
} from '../../../shared/payments/paystack/paystack.ts';
import { bodyWith, PAYSTACK_FIXTURES, paystackFixture } from '../../support/payments/paystack-fixtures.ts';
import { type DoubleResponse, startDouble, type TestDouble } from '../../support/registries/double.ts';

const KEYS = { live: 'sk_live_adapter0000001', test: 'sk_test_adapter0000001' };
const REFERENCE = 'TOPUP-01K9SPECMEN000000000000001';
const ORDER = {
  reference: REFERENCE,
  totalKobo: 20_000,
  email: 'accounts@example.com',
  callbackUrl: 'https://api.example.com/v1/payments/return',
};

let double: TestDouble | undefined;
afterEach(async () => {
  await double?.stop();
  double = undefined;
});

type Respond = DoubleResponse | (() => DoubleResponse | Promise<DoubleResponse>);

async function adapter(
  respond: Respond,
  config: Partial<PaystackConfig> = {},
  env: 'live' | 'test' = 'test',
) {
  double = await startDouble(() => (typeof respond === 'function' ? respond() : respond));
  const base = { credentials: async () => KEYS, baseUrl: double.baseUrl, allowLocal: true };
  return { provider: paystack(env, { ...base, ...config }), requests: double.requests };
}

const response = (name: string): DoubleResponse => paystackFixture(name);

async function failure(promise: Promise<unknown>): Promise<{ error: ServiceError; detail: string }> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) throw new Error('The call did not fail with a ServiceError.');
  expect(error.code).toBe('SERVICE_UNAVAILABLE');
  const detail = error.cause instanceof Error ? error.cause.message : '';
  for (const secret of Object.values(KEYS)) expect(`${error.stack} ${detail}`).not.toContain(secret);
  return { error, detail };
}

describe('initialise', () => {
  const created = { ...paystackFixture('initialise.created') };

  test('sends the order and returns the checkout', async () => {
    const { provider, requests } = await adapter({
      status: created.status,
      body: bodyWith('initialise.created', { reference: REFERENCE }),
    });
    expect(await provider.initialise(ORDER)).toEqual({
      checkoutUrl: 'https://checkout.paystack.com/x1specimen0code1',
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/transaction/initialize' });
    expect(requests[0]?.headers['authorization']).toBe(`Bearer ${KEYS.test}`);
    expect(requests[0]?.json).toEqual({
      reference: REFERENCE,
      amount: 20_000,
      currency: 'NGN',
      email: ORDER.email,
      callback_url: ORDER.callbackUrl,
    });
  });

  test.each([
    ['initialise.duplicate', 'http-400 duplicate_reference'],
    ['initialise.missing-params', 'http-400 missing_params'],
    ['any.invalid-key', 'http-401'],
  ])('fails with %s, and the error has only the status and the code', async (name, detail) => {
    const { provider } = await adapter(response(name));
    expect((await failure(provider.initialise(ORDER))).detail).toBe(`Paystack: initialise: ${detail}`);
  });

  test.each(['javascript:alert(1)', 'data:text/html,pay', 'http://checkout.example.com/1', '/pay'])(
    'rejects the checkout %s, to which no browser may be sent',
    async (authorization_url) => {
      const body = bodyWith('initialise.created', { reference: REFERENCE, authorization_url });
      const { provider } = await adapter({ status: 200, body });
      expect((await failure(provider.initialise(ORDER))).detail).toContain('Paystack: initialise');
    },
  );

  test('rejects a checkout for another reference', async () => {
    const { provider } = await adapter({
      status: 200,
      body: bodyWith('initialise.created', { reference: 'TOPUP-OTHER' }),
    });
    expect((await failure(provider.initialise(ORDER))).detail).toContain('other-reference');
  });
});

describe('verify', () => {
  test('returns the facts of a paid transaction', async () => {
    const { provider, requests } = await adapter(response('verify.success'));
    expect(await provider.verify(REFERENCE)).toEqual({
      status: 'success',
      reference: REFERENCE,
      amountKobo: 40_333,
      currency: 'NGN',
      paidAt: '2026-11-08T09:15:02.000Z',
      channel: 'card',
      providerReference: '4000000001',
    });
    expect(requests[0]).toMatchObject({ method: 'GET', path: `/transaction/verify/${REFERENCE}` });
  });

  test('reads a transaction by direct debit, whose log and fees are null', async () => {
    const { provider } = await adapter(response('verify.direct-debit'), {}, 'live');
    expect(await provider.verify(REFERENCE)).toMatchObject({ status: 'success', channel: 'direct_debit' });
  });

  test.each([
    ['success', 'success'],
    ['failed', 'failed'],
    ['abandoned', 'abandoned'],
    ['ongoing', 'pending'],
    ['pending', 'pending'],
    ['processing', 'pending'],
    ['queued', 'pending'],
    ['reversed', 'reversed'],
  ])('reads the documented status %s as %s', async (status, expected) => {
    const body = bodyWith('verify.success', { status, paid_at: null, channel: null });
    const { provider } = await adapter({ status: 200, body });
    expect(await provider.verify(REFERENCE)).toMatchObject({
      status: expected,
      paidAt: undefined,
      channel: '',
    });
  });

  test.each([
    ['as documented', response('verify.missing')],
    [
      'with status 400, as public clients see it',
      { status: 400, body: { status: false, message: 'Transaction reference not found.' } },
    ],
    ['by its code', { status: 404, body: { status: false, message: 'x', code: 'transaction_not_found' } }],
  ])('reports a missing reference: %s', async (_, missing) => {
    const { provider } = await adapter(missing);
    expect(await provider.verify(REFERENCE)).toEqual({ status: 'missing' });
  });

  test('does not mistake an error for a missing transaction', async () => {
    for (const other of [
      response('any.invalid-key'),
      { status: 400, body: { status: false, message: 'Invalid key' } },
      { status: 404, body: '<html>not found</html>' },
      { status: 500, body: { status: false, message: 'Transaction reference not found' } },
      { status: 429, body: { status: false, message: 'Too many requests' } },
    ]) {
      const { provider } = await adapter(other);
      await failure(provider.verify(REFERENCE));
      await double?.stop();
    }
  });

  test.each([
    ['a status that is not documented', { status: 'succeeded' }],
    ['no amount', { amount: null }],
    ['an amount with a fraction', { amount: 100.5 }],
    ['a negative amount', { amount: -1 }],
    ['an amount that is not exact', { amount: 2 ** 53 }],
    ['an amount in words', { amount: 'ten' }],
    ['no currency', { currency: null }],
    ['a reference that is not a string', { reference: 5 }],
    ['an invalid time', { paid_at: 'yesterday' }],
    ['no mode', { domain: null }],
  ])('fails if the response has %s', async (_, data) => {
    const { provider } = await adapter({ status: 200, body: bodyWith('verify.success', data) });
    const { detail } = await failure(provider.verify(REFERENCE));
    expect(detail).toBe(`Paystack: verify: invalid body (data.${Object.keys(data)[0]})`);
  });

  test.each(['1', '9007199254740991', '9007199254740993', '18446744073709551615'])(
    'returns every digit of the id %s, as a number or as a string',
    async (id) => {
      const body = JSON.stringify(bodyWith('verify.success', { id: 'ID' }));
      for (const written of [id, `"${id}"`]) {
        const { provider } = await adapter({ status: 200, body: body.replace('"ID"', written) });
        expect(await provider.verify(REFERENCE)).toMatchObject({ providerReference: id });
        await double?.stop();
      }
    },
  );

  test.each(['-1', '1.5', '184467440737095516150', '"18446744073709551615x"'])(
    'fails if the id is %s',
    async (id) => {
      const body = JSON.stringify(bodyWith('verify.success', { id: 'ID' })).replace('"ID"', id);
      const { provider } = await adapter({ status: 200, body });
      expect((await failure(provider.verify(REFERENCE))).detail).toContain('data.id');
    },
  );

  test('fails if the status in the body is false, although the HTTP status is 200', async () => {
    const { provider } = await adapter({ status: 200, body: { status: false, message: 'x' } });
    await failure(provider.verify(REFERENCE));
  });

  test('does not accept a payment in test mode for a live order', async () => {
    const { provider } = await adapter(response('verify.success'), {}, 'live');
    expect((await failure(provider.verify(REFERENCE))).detail).toBe('Paystack: verify: other-mode');
  });

  test('accepts an amount that is a string of digits', async () => {
    const { provider } = await adapter({
      status: 200,
      body: bodyWith('verify.success', { amount: '40333' }),
    });
    expect(await provider.verify(REFERENCE)).toMatchObject({ amountKobo: 40_333 });
  });

  test('reports a different currency unchanged', async () => {
    const { provider } = await adapter({
      status: 200,
      body: bodyWith('verify.success', { currency: 'USD' }),
    });
    expect(await provider.verify(REFERENCE)).toMatchObject({ currency: 'USD', amountKobo: 40_333 });
  });

  test('ends in time if Paystack does not respond', async () => {
    const { provider } = await adapter(() => new Promise<DoubleResponse>(() => {}), { timeoutMs: 50 });
    expect((await failure(provider.verify(REFERENCE))).detail).toContain('timeout');
  });

  test('rejects a response that is too large', async () => {
    const { provider } = await adapter({ status: 200, body: 'x'.repeat(600 * 1024) });
    expect((await failure(provider.verify(REFERENCE))).detail).toContain('too-large');
  });

  test('rejects a redirect', async () => {
    const { provider } = await adapter({
      status: 302,
      body: '',
      headers: { location: 'http://127.0.0.1:1/' },
    });
    expect((await failure(provider.verify(REFERENCE))).detail).toContain('redirect');
  });

  test('fails if Paystack is not reachable', async () => {
    const { provider } = await adapter(response('verify.success'));
    await double?.stop();
    await failure(provider.verify(REFERENCE));
  });
});

describe('a saved card', () => {
  const card = { authorisationCode: 'AUTH_specimen1', email: 'accounts@example.com' };
  const charge = { reference: REFERENCE, totalKobo: 27_000, card };

  test('is read from the payment that was made with it', async () => {
    const { provider } = await adapter(response('verify.success'));
    const details = { brand: 'visa', lastFour: '4081', expires: '12/2030', bank: 'SPECIMEN BANK' };
    expect(await provider.findCard(REFERENCE)).toEqual({ ...card, details });
  });

  test.each([
    { status: 'failed' },
    { authorization: { authorization_code: 'AUTH_1', channel: 'card', reusable: false } },
    { authorization: { authorization_code: 'AUTH_1', channel: 'bank', reusable: true } },
    { authorization: {} },
    { customer: { email: null } },
  ])('is undefined if it cannot be charged again (%j)', async (data) => {
    const { provider } = await adapter({ status: 200, body: bodyWith('verify.success', data) });
    expect(await provider.findCard(REFERENCE)).toBeUndefined();
  });

  test('is saved without details that are not as documented', async () => {
    const odd = { last4: '4084081234', exp_month: 13, exp_year: '30', brand: null, bank: 'B 1234567890' };
    const authorization = { authorization_code: 'AUTH_1', channel: 'card', reusable: true, ...odd };
    const { provider } = await adapter({ status: 200, body: bodyWith('verify.success', { authorization }) });
    const details = { brand: '', lastFour: '', expires: '', bank: '' };
    expect(await provider.findCard(REFERENCE)).toMatchObject({ authorisationCode: 'AUTH_1', details });
  });

  test('is charged under the reference of our order', async () => {
    const { provider, requests } = await adapter(response('charge.success'));
    expect(await provider.charge(charge)).toEqual({ kind: 'attempted' });
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/transaction/charge_authorization' });
    expect(requests[0]?.json).toEqual({
      authorization_code: 'AUTH_specimen1',
      email: 'accounts@example.com',
      amount: 27_000,
      currency: 'NGN',
      reference: REFERENCE,
    });
  });

  test('may have to be confirmed by the cardholder', async () => {
    const { provider } = await adapter(response('charge.paused'));
    const checkoutUrl = 'https://checkout.paystack.com/resume/x1specimen0code2';
    expect(await provider.charge(charge)).toEqual({ kind: 'paused', checkoutUrl });
  });

  test('is refused only if Paystack rejects the request, and not because of an earlier one', async () => {
    const refused = await adapter(response('initialise.missing-params'));
    expect(await refused.provider.charge(charge)).toEqual({ kind: 'refused' });
    await double?.stop();
    const repeated = await adapter(response('initialise.duplicate'));
    expect((await failure(repeated.provider.charge(charge))).detail).toContain('duplicate_reference');
    await double?.stop();
    const other = await adapter({ status: 200, body: bodyWith('charge.success', { reference: 'OTHER' }) });
    expect((await failure(other.provider.charge(charge))).detail).toContain('other-reference');
  });
});

describe('The Paystack key', () => {
  test.each([
    ['is missing', {}],
    ['is empty', { live: '', test: '' }],
    ['belongs to the other mode', { live: KEYS.test, test: KEYS.live }],
  ])('is not used if it %s', async (_, keys) => {
    for (const env of ['live', 'test'] as const) {
      const { provider, requests } = await adapter(
        response('verify.success'),
        { credentials: async () => keys },
        env,
      );
      expect((await failure(provider.verify(REFERENCE))).detail).toContain('not-configured');
      expect(requests).toHaveLength(0);
      await double?.stop();
    }
  });

  test('belongs to the environment of the order', async () => {
    const { requests } = await adapter({ status: 200, body: {} });
    const providers = paystackProviders({
      credentials: async () => KEYS,
      baseUrl: double?.baseUrl ?? '',
      allowLocal: true,
    });
    await failure(providers.live.verify(REFERENCE));
    await failure(providers.test.verify(REFERENCE));
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual([
      `Bearer ${KEYS.live}`,
      `Bearer ${KEYS.test}`,
    ]);
  });

  test.each([
    'http://169.254.169.254',
    'https://api.paystack.co.example.com',
    'http://api.paystack.co',
    'https://user:secret@api.paystack.co',
    'http://127.0.0.1:1',
  ])('is not sent to %s', async (baseUrl) => {
    const { provider } = await adapter(response('verify.success'), { baseUrl, allowLocal: false });
    expect((await failure(provider.verify(REFERENCE))).detail).toBe('Paystack: not-configured: base address');
  });
});

describe('Refunds', () => {
  const request = {
    providerReference: '4000000001',
    amountKobo: 10_000,
    note: 'IDVC-2026-000001',
    customerNote: 'Refund of unused credits',
  };

  test('are sent with the amount and our note', async () => {
    const { provider, requests } = await adapter(response('refund.queued'));
    expect(await provider.refund(request)).toEqual({
      refundReference: '900001',
      status: 'pending',
      amountKobo: 10_000,
      currency: 'NGN',
      note: 'IDVC-2026-000001',
    });
    expect(requests[0]?.json).toEqual({
      transaction: '4000000001',
      amount: 10_000,
      currency: 'NGN',
      merchant_note: 'IDVC-2026-000001',
      customer_note: 'Refund of unused credits',
    });
  });

  test.each(['refunds.found', 'refunds.found-with-meta'])(
    'of other transactions are ignored in %s',
    async (name) => {
      const { provider, requests } = await adapter(response(name));
      const refunds = await provider.listRefunds('4000000001');
      expect(refunds.map(({ refundReference }) => refundReference)).toEqual(['900001']);
      expect(requests.map(({ path, query }) => `${path}?${query}`)).toEqual([
        '/refund?transaction=4000000001&perPage=100&page=1',
      ]);
    },
  );

  test('of a transaction whose id differs only beyond 2^53 are ignored', async () => {
    const { body } = paystackFixture('refunds.found');
    const row = { ...(body.data as object[])[0] };
    const data = [
      { ...row, id: 'FIRST', transaction: 'OTHER' },
      { ...row, id: 'SECOND', transaction: 'OWN' },
    ];
    const written = Object.entries({
      FIRST: '18446744073709551001',
      SECOND: '18446744073709551002',
      OTHER: '18446744073709551614',
      OWN: '18446744073709551615',
    }).reduce((text, [name, id]) => text.replace(`"${name}"`, id), JSON.stringify({ ...body, data }));
    const { provider, requests } = await adapter({ status: 200, body: written });
    const refunds = await provider.listRefunds('18446744073709551615');
    expect(refunds.map(({ refundReference }) => refundReference)).toEqual(['18446744073709551002']);
    expect(requests[0]?.query.get('transaction')).toBe('18446744073709551615');
  });

  test('are read from every page', async () => {
    const { body } = paystackFixture('refunds.found-with-meta');
    const rows = body.data as Record<string, unknown>[];
    let page = 0;
    const { provider, requests } = await adapter(() => {
      page += 1;
      const data = [{ ...rows[0], id: page }];
      return { status: 200, body: { ...body, data, meta: { pageCount: 3, page } } };
    });
    const refunds = await provider.listRefunds('4000000001');
    expect(refunds.map(({ refundReference }) => refundReference)).toEqual(['1', '2', '3']);
    expect(requests.map(({ query }) => query.get('page'))).toEqual(['1', '2', '3']);
  });

  test('cause an error if there are more pages than are read, so that no refund is overlooked', async () => {
    const { body } = paystackFixture('refunds.found-with-meta');
    const { provider } = await adapter({ status: 200, body: { ...body, meta: { pageCount: 1_000 } } });
    expect((await failure(provider.listRefunds('4000000001'))).detail).toContain('too-many-pages');
  });

  test.each(['pending', 'processing', 'needs-attention', 'failed', 'processed'])(
    'have the documented status %s',
    async (status) => {
      const { provider } = await adapter({ status: 200, body: bodyWith('refund.queued', { status }) });
      expect(await provider.refund(request)).toMatchObject({ status });
    },
  );
});

test('every published error has the status false', () => {
  expect(PAYSTACK_FIXTURES.length).toBeGreaterThan(15);
  for (const { status, body } of PAYSTACK_FIXTURES.filter((one) => one.status >= 400))
    expect([status, body['status']]).toEqual([status, false]);
});

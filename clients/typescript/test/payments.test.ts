import { describe, expect, test } from '@jest/globals';
import { safely } from '../src/index.ts';
import { clientOf, success } from './fake-fetch.ts';

/** Lots, invoices and top-ups. None of these calls costs credits. */

const KEY = 'order-of-november-2026';
const TOP_UP = {
  environment: 'test',
  reference: 'TOPUP-01KF0ZB7M0EXAMP1E00000000V',
  state: 'OPENED',
  credits: 500,
  checkout_url: 'https://checkout.example/1',
};
const data = (code: string, value: unknown) => success({ success: true, code, message: '', data: value });
const order = (value: object = TOP_UP) => data('WALLET_TOP_UP', value);
const failure = (status: number, code: string) =>
  Response.json(
    { success: false, code, message: 'A message.', data: null },
    { status, headers: { 'Retry-After': '0' } },
  );

describe('a top-up', () => {
  test('sends the credits and the return URL under the given key, and returns the order', async () => {
    const { client, requests } = clientOf(() => order());
    const opened = await client.startTopUp(500, {
      returnUrl: 'https://shop.example/paid',
      idempotencyKey: KEY,
    });
    expect(opened).toEqual(TOP_UP);
    expect(requests.map(({ url, body }) => [new URL(url).pathname, body])).toEqual([
      ['/api/v1/wallet/top-ups/', { credits: 500, return_url: 'https://shop.example/paid' }],
    ]);
    expect(requests[0]?.headers.get('Idempotency-Key')).toBe(KEY);
  });

  test('is read under any reference that an operator can choose', async () => {
    const { client, requests } = clientOf(() => order({ ...TOP_UP, reference: 'FT:2026_11.7-a' }));
    await client.topUp('FT:2026_11.7-a');
    expect(requests.map(({ url }) => decodeURIComponent(new URL(url).pathname))).toEqual([
      '/api/v1/wallet/top-ups/FT:2026_11.7-a/',
    ]);
  });

  test('uses one new key for all attempts of a call', async () => {
    let count = 0;
    const { client, requests } = clientOf(() => {
      count += 1;
      if (count < 3) return failure(503, 'SERVICE_UNAVAILABLE');
      return order();
    });
    await client.startTopUp(500);
    await client.startTopUp(500);
    const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test.each([
    ['a broken connection', undefined],
    ['an order in progress', failure(409, 'REQUEST_IN_PROGRESS')],
    ['an unknown outcome', failure(503, 'OUTCOME_UNKNOWN')],
    ['a proxy', new Response('<html>', { status: 502 })],
  ])('is never reported as charged: %s', async (_, response) => {
    const { client } = clientOf(
      () => {
        if (!response) throw new TypeError('made up: the connection broke');
        return response.clone();
      },
      { maxRetries: 0 },
    );
    const outcome = await safely(client.startTopUp(500, { idempotencyKey: KEY }));
    expect(outcome).toMatchObject({
      ok: false,
      error: { charged: false, retryable: true, idempotencyKey: KEY },
    });
  });

  test('without billing details is rejected, and not retried', async () => {
    const { client, requests } = clientOf(() => failure(409, 'BILLING_INCOMPLETE'));
    const outcome = await safely(client.startTopUp(500));
    expect(outcome).toMatchObject({
      ok: false,
      error: { kind: 'other', code: 'BILLING_INCOMPLETE', charged: false },
    });
    expect(requests).toHaveLength(1);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 60, '500'])(
    'of %p credits is rejected before any request',
    async (credits) => {
      const { client, requests } = clientOf(() => order());
      await expect(client.startTopUp(credits as number)).rejects.toThrow(
        'credits must be a whole number of 1 or more.',
      );
      expect(requests).toEqual([]);
    },
  );
});

describe('documents', () => {
  test('are fetched page by page with their filter, and lots are listed', async () => {
    const pages = [
      { invoices: [{ number: 'IDVR-2026-000002', kind: 'RECEIPT' }], next_cursor: 'more' },
      { invoices: [{ number: 'IDVR-2026-000001', kind: 'RECEIPT' }], next_cursor: null },
    ];
    const { client, requests } = clientOf(() => data('WALLET_INVOICES', pages.shift()));
    const found: string[] = [];
    for await (const { number } of client.invoices({ kind: 'RECEIPT', pageSize: 1 })) found.push(number);
    expect(found).toEqual(['IDVR-2026-000002', 'IDVR-2026-000001']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?kind=RECEIPT&limit=1',
      '?kind=RECEIPT&limit=1&cursor=more',
    ]);
    const page = { lots: [{ id: '1', remaining: 3 }], next_cursor: null };
    const lots = clientOf(() => data('WALLET_LOTS', page)).client.lots();
    expect((await lots.next()).value).toEqual({ id: '1', remaining: 3 });
  });

  test('are downloaded as PDFs', async () => {
    const pdf = '%PDF-1.7\n%%EOF';
    const headers = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'attachment; filename="IDV-2026-000041.pdf"',
    };
    const { client, requests } = clientOf(() => new Response(pdf, { headers }));
    expect(new TextDecoder().decode(await client.downloadInvoice('IDV-2026-000041'))).toBe(pdf);
    expect(requests[0]?.headers.get('Accept')).toBe('application/pdf');
    expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
  });

  test('that do not exist cause a not_found error, and a broken download is not charged', async () => {
    const { client } = clientOf(() => failure(404, 'INVOICE_NOT_FOUND'));
    expect(await safely(client.invoice('IDV-2026-000041'))).toMatchObject({ error: { kind: 'not_found' } });
    const broken = clientOf(() => new Response('%P'), { maxRetries: 0 }).client;
    expect(await safely(broken.downloadInvoice('IDV-2026-000041'))).toMatchObject({
      error: { kind: 'transport', charged: false },
    });
  });

  test.each(['../balance', '', 'IDV 1', '?x'])(
    '%p is neither a document number nor an order reference, and is rejected before any request',
    async (text) => {
      const { client, requests } = clientOf(() => order());
      for (const call of [client.invoice(text), client.downloadInvoice(text), client.topUp(text)])
        await expect(call).rejects.toThrow('must consist of letters, digits');
      expect(requests).toEqual([]);
    },
  );
});

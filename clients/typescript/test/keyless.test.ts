import { describe, expect, test } from '@jest/globals';
import { IdentityClient } from '../src/index.ts';

/**
 * Responses without the Idempotency-Key of their request, because they never had it or a proxy removed it. What they
 * contain must show to which request they belong.
 */

const NIN = '12345678901';
const MATCH = { overall: 'exact', score: 1, algorithm: '1', fields: {} };
const match = { firstname: 'Adebayo' };

type Call = (client: IdentityClient) => Promise<unknown>;
type Headers = Record<string, string>;

/** Returns a client of a server that sends these responses, and `{}` in their key for that of the request. */
function clientOf(...responses: Response[]): IdentityClient {
  return new IdentityClient({
    apiKey: 'idv_test_keyless',
    baseUrl: 'https://api.example.com',
    maxRetries: responses.length - 1,
    fetch: async (_, init) => {
      const response = responses.shift() as Response;
      const key = new globalThis.Headers(init.headers).get('Idempotency-Key') ?? '';
      const found = response.headers.get('Idempotency-Key');
      if (found !== null) response.headers.set('Idempotency-Key', found.replaceAll('{}', key));
      return response;
    },
  });
}

const json = (body: object, status = 200, headers: Headers = {}) => Response.json(body, { status, headers });
const found = (code: string, data: object, more: object = {}) =>
  json({ success: true, code, message: '', data, ...more });
const list = (code: string, data: object) => found(code, { next_cursor: null, ...data });

function pdf(name?: string): Response {
  const disposition = name === undefined ? undefined : `attachment; filename="${name}"`;
  return new Response('%PDF-1.7\n%%EOF', {
    headers: {
      'Content-Type': 'application/pdf',
      ...(disposition !== undefined && { 'Content-Disposition': disposition }),
    },
  });
}

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const listed: T[] = [];
  for await (const entry of entries) listed.push(entry);
  return listed;
}

const FOREIGN: readonly (readonly [name: string, call: Call, response: () => Response])[] = [
  ['the code of another type', (c) => c.verify('NIN', NIN), () => found('BVN_VERIFIED', { nin: NIN })],
  ['another number', (c) => c.verify('NIN', NIN), () => found('NIN_VERIFIED', { nin: '12345678902' })],
  ['no number', (c) => c.verify('NIN', NIN), () => found('NIN_VERIFIED', { firstname: 'ADA' })],
  [
    'a TIN with other zeros',
    (c) => c.verify('TIN', '0012345678'),
    () => found('TIN_VERIFIED', { tin: '0000012345678' }),
  ],
  [
    'a company with other zeros',
    (c) => c.verify('CAC', 'RC0123'),
    () => found('CAC_VERIFIED', { rcNumber: 'RC123' }),
  ],
  [
    'another company type',
    (c) => c.verify('CAC', '123', { companyType: 'RC' }),
    () => found('CAC_VERIFIED', { rcNumber: 'BN123' }),
  ],
  [
    'Premium instead of Basic',
    (c) => c.verify('NIN', NIN),
    () => found('NIN_VERIFIED', { nin: NIN, tracking_id: '' }),
  ],
  [
    'Basic instead of Premium',
    (c) => c.verify('BVN', NIN, { advance: true }),
    () => found('BVN_VERIFIED', { bvn: NIN }),
  ],
  [
    'Premium from the gateway',
    (c) => c.verifyGateway('CAC', 'RC123'),
    () => found('CAC_VERIFIED', { rcNumber: 'RC123', affiliatesData: [] }),
  ],
  [
    'Basic from the gateway',
    (c) => c.verifyGateway('CAC', 'RC123', { level: 'advanced' }),
    () => found('CAC_VERIFIED', { rcNumber: 'RC123' }),
  ],
  [
    'another bank',
    (c) => c.verify('NUBAN', '0123456789', { bankCode: '011' }),
    () => found('NUBAN_VERIFIED', { account_number: '0123456789', bank_code: '058' }),
  ],
  [
    'any bank',
    (c) => c.verify('NUBAN', '0123456789'),
    () => found('NUBAN_VERIFIED', { account_number: '0123456789', bank_code: '058' }),
  ],
  [
    'the match of another claim',
    (c) => c.verify('NIN', NIN, { match }),
    () => found('NIN_VERIFIED', { nin: NIN }, { match: MATCH }),
  ],
  ['no match', (c) => c.verifyGateway('NIN', NIN, { match }), () => found('NIN_VERIFIED', { nin: NIN })],
  [
    'a match that was not asked for',
    (c) => c.verify('NIN', NIN),
    () => found('NIN_VERIFIED', { nin: NIN }, { match: MATCH }),
  ],
  [
    'a record that was not checked for a photo',
    (c) => c.verifyGateway('NIN', NIN, { level: 'advanced', method: 'biometric' }),
    () => found('NIN_VERIFIED', { nin: NIN, tracking_id: '', photo: 'AAAA' }),
  ],
  ['another slip type', (c) => c.downloadSlip(NIN, 'premium'), () => pdf(`regular_${NIN}_slip.pdf`)],
  ['the slip of another NIN', (c) => c.slipStream(NIN, 'premium'), () => pdf('premium_12345678902_slip.pdf')],
  [
    'the slip of another claim',
    (c) => c.downloadSlip(NIN, 'premium', { match }),
    () => pdf(`premium_${NIN}_slip.pdf`),
  ],
  ['a slip without a name', (c) => c.downloadSlip(NIN, 'premium'), () => pdf()],
];

test.each(FOREIGN)('%s is not returned, and its charge is unknown', async (_, call, response) => {
  await expect(call(clientOf(response()))).rejects.toMatchObject({
    kind: 'transport',
    message: expect.stringContaining('different request'),
    charged: undefined,
    idempotencyKey: expect.stringMatching(/./),
  });
});

test.each<[idNumber: string, call: Call, response: Response]>([
  ['a NIN', (c) => c.verify('NIN', ' 1234-5678901 '), found('NIN_VERIFIED', { nin: NIN })],
  [
    'a Premium record',
    (c) => c.verify('NIN', NIN, { advance: true }),
    found('NIN_VERIFIED', { nin: NIN, tracking_id: '' }),
  ],
  ['a TIN', (c) => c.verify('TIN', '123456780001'), found('TIN_VERIFIED', { tin: '12345678-0001' })],
  ['a company', (c) => c.verify('CAC', ' rc0123'), found('CAC_VERIFIED', { rcNumber: 'RC0123' })],
  [
    'a company without letters',
    (c) => c.verify('CAC', '0123', { companyType: 'BN' }),
    found('CAC_VERIFIED', { rcNumber: 'BN0123' }),
  ],
  [
    'an account',
    (c) => c.verify('NUBAN', '012-345-6789', { bankCode: '058' }),
    found('NUBAN_VERIFIED', { account_number: '0123456789', bank_code: '058' }),
  ],
  ['a slip', (c) => c.downloadSlip(NIN, 'premium'), pdf(`premium_${NIN}_slip.pdf`)],
])('%s with all that was asked for is returned', async (_, call, response) => {
  await expect(call(clientOf(response))).resolves.toBeDefined();
});

test('another order for as many credits is not returned', async () => {
  const order = found('WALLET_TOP_UP', { reference: 'TOPUP-1', credits: 500 });
  await expect(clientOf(order).startTopUp(500)).rejects.toMatchObject({
    message: expect.stringContaining('different request'),
    charged: false,
    idempotencyKey: expect.stringMatching(/./),
  });
});

test.each<[name: string, call: Call, response: Response]>([
  [
    'references',
    (c) => all(c.verifications({ reference: 'a' })),
    list('VERIFICATIONS', { verifications: [{ reference: 'a' }, { reference: 'b' }] }),
  ],
  [
    'services',
    (c) => all(c.verifications({ service: 'nin-basic' })),
    list('VERIFICATIONS', { verifications: [{ service: 'bvn-basic' }] }),
  ],
  [
    'outcomes',
    (c) => all(c.verifications({ outcome: 'FOUND' })),
    list('VERIFICATIONS', { verifications: [{ outcome: 'NOT_FOUND' }] }),
  ],
  [
    'requests that were not rejected',
    (c) => all(c.rejectedRequests()),
    list('VERIFICATIONS', { verifications: [{ outcome: 'FOUND' }], rejected: [{ count: 1 }] }),
  ],
  [
    'types',
    (c) => all(c.transactions({ type: 'debit' })),
    list('WALLET_TRANSACTIONS', { transactions: [{ type: 'credit' }] }),
  ],
  [
    'kinds',
    (c) => all(c.invoices({ kind: 'RECEIPT' })),
    list('WALLET_INVOICES', { invoices: [{ kind: 'INVOICE' }] }),
  ],
  [
    'an earlier start',
    (c) => all(c.transactions({ from: '2026-11-01' })),
    list('WALLET_TRANSACTIONS', { transactions: [], from: '2026-10-01T00:00:00.000Z' }),
  ],
  [
    'a later end',
    (c) => all(c.verifications({ to: new Date('2026-11-01') })),
    list('VERIFICATIONS', { verifications: [], to: '2026-11-01T00:00:00.001Z' }),
  ],
  [
    'a list without its range',
    (c) => all(c.verifications({ from: '2026-11-01' })),
    list('VERIFICATIONS', { verifications: [] }),
  ],
  ['the code of another list', (c) => all(c.lots()), list('WALLET_INVOICES', { lots: [] })],
  [
    'another document',
    (c) => c.invoice('IDV-2026-000041'),
    found('WALLET_INVOICE', { number: 'IDV-2026-000042' }),
  ],
  ['the file of another document', (c) => c.downloadInvoice('IDV-2026-000041'), pdf('IDV-2026-0000411.pdf')],
  ['a file without a name', (c) => c.downloadInvoice('IDV-2026-000041'), pdf()],
  ['another order', (c) => c.topUp('TOPUP-2'), found('WALLET_TOP_UP', { reference: 'TOPUP-1' })],
  [
    'a request with the reference of an order',
    (c) => c.topUp('TOPUP-1'),
    found('VERIFICATION', { reference: 'TOPUP-1' }),
  ],
  [
    'another request',
    (c) => c.verification('req_0123456789ab'),
    found('VERIFICATION', { request_id: 'req_0123456789ac' }),
  ],
])('a read does not return %s', async (_, call, response) => {
  await expect(call(clientOf(response))).rejects.toMatchObject({
    kind: 'transport',
    message: expect.stringContaining('different request'),
    charged: false,
  });
});

test('a page is not taken for the next one', async () => {
  const page = (id: string, next_cursor: string | null) =>
    list('WALLET_LOTS', { lots: [{ id }], next_cursor });
  const lots = await all(clientOf(page('1', 'next'), page('1', 'next'), page('2', null)).lots());
  expect(lots.map(({ id }) => id)).toEqual(['1', '2']);
});

test('a page with the range that was asked for is returned', async () => {
  // The API replaces an end in the future with the time of the request.
  const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-05T10:11:12.000Z' };
  const client = clientOf(list('WALLET_TRANSACTIONS', { transactions: [{ type: 'debit' }], ...range }));
  const query = { from: '2026-11-01', to: '2026-12-01T00:00:00.5Z', type: 'debit' } as const;
  expect(await all(client.transactions(query))).toHaveLength(1);
});

describe('the charge', () => {
  const failure = (code: string, timestamp: string, status: number, headers: Headers = {}) =>
    json({ success: false, code, message: '', data: null, meta: { timestamp } }, status, headers);
  const OF_GATEWAY = [
    [404, 'ROUTE_NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [429, 'RATE_LIMITED'],
  ] as const;

  test.each(OF_GATEWAY)('of an error %d %s of API Gateway itself is none', async (status, code) => {
    const client = clientOf(failure(code, '', status));
    await expect(client.verify('NIN', NIN)).rejects.toMatchObject({ code, charged: false });
  });

  test.each([...OF_GATEWAY, [400, 'NIN_NOT_FOUND'] as const])(
    'of an error %d %s whose key was removed is unknown',
    async (status, code) => {
      const client = clientOf(
        failure(code, '2026-11-01T00:00:00.000Z', status, { 'X-Credits-Charged': '0' }),
      );
      await expect(client.verify('NIN', NIN)).rejects.toMatchObject({ code, charged: undefined });
    },
  );

  test.each([401, 403, 404, 429])('of a page with status %d is unknown', async (status) => {
    const client = clientOf(new Response('<html>', { status }));
    await expect(client.verify('NIN', NIN)).rejects.toMatchObject({ status, charged: undefined });
  });

  test.each(
    [201, 204, 307].flatMap((status) => [
      [status, {}] as const,
      [status, { 'Idempotency-Key': '{}' }] as const,
    ]),
  )('of a response with status %d and the headers %p is unknown', async (status, headers) => {
    const client = clientOf(
      new Response(null, { status, headers: { 'X-Credits-Charged': '0', ...headers } }),
    );
    await expect(client.verify('NIN', NIN)).rejects.toMatchObject({ status, charged: undefined });
  });
});

describe('a key', () => {
  const keyed = (key: string) =>
    json({ success: true, code: 'NIN_VERIFIED', data: { nin: NIN }, match: MATCH }, 200, {
      'Idempotency-Key': key,
    });

  test('that a proxy repeats is accepted', async () => {
    await expect(clientOf(keyed('{}, {}')).verify('NIN', NIN, { match })).resolves.toBeDefined();
  });

  test.each(['{}, another', 'another, {}', '{}-2', ''])('%p of another request is not', async (key) => {
    await expect(clientOf(keyed(key)).verify('NIN', NIN)).rejects.toMatchObject({
      message: 'The response is for a different request. (charge unknown)',
    });
  });
});

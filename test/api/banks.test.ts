import { expect, test } from '@jest/globals';
import { createApiKey } from '../../shared/accounts/manage-api-key.ts';
import { apiKeys, get, organisation, post } from '../support/service.ts';

/** The list of banks, and the accounts of the sandbox. */

const customer = await organisation({ credits: 50 });

interface Bank {
  readonly name: string;
  readonly short_name: string;
  readonly cbn_code: string;
  readonly nip_code: string;
  readonly provider_codes: Readonly<Record<string, string>>;
}

async function listOfBanks(path: string) {
  const response = await get(path, { key: customer.live });
  const { banks } = required(response.json).data as { readonly banks: readonly Bank[] };
  return { response, banks };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The response has no JSON.');
  return value;
}

test.each(['/v1/banks', '/v1/banks/', '/api/v1/banks', '/api/v1/banks/'])(
  'GET %s lists banks with their codes, free of charge',
  async (path) => {
    const { response, banks } = await listOfBanks(path);

    expect([response.status, response.json?.code]).toEqual([200, 'BANKS']);
    expect(response.headers.get('x-credits-charged')).toBe('0');
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(banks.length).toBeGreaterThan(300);
    expect(banks.find(({ short_name }) => short_name === 'GTBank')).toEqual({
      name: 'Guaranty Trust Bank Plc',
      short_name: 'GTBank',
      kind: 'commercial',
      cbn_code: '058',
      nip_code: '000013',
      provider_codes: { paystack: '058', prembly: '058' },
    });
  },
);

test('a client that already has the list gets 304', async () => {
  const first = await get('/v1/banks', { key: customer.live });
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
  const second = await get('/v1/banks', { key: customer.live, headers });

  expect([second.status, second.text]).toEqual([304, '']);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
});

test('the list requires a key, which may have any scope, and takes no parameters', async () => {
  const limited = {
    organisationId: customer.id,
    env: 'live' as const,
    label: 'narrow',
    scopes: ['slip:read'],
  };
  const narrow = await createApiKey(apiKeys, limited, new Date());
  expect((await get('/v1/banks', { key: narrow.text })).status).toBe(200);
  expect((await get('/v1/banks')).json?.code).toBe('INVALID_API_KEY');
  expect((await get('/v1/banks?bank=058', { key: customer.live })).json?.code).toBe('INVALID_SCHEMA');
});

test('a sandbox account is found with the codes of its own bank only', async () => {
  const verify = (body: object) => post('/v1/ng/nuban-basic', body, { key: customer.test });
  const alone = await verify({ id_number: '0123456789' });
  const found = required(alone.json).data as { bank_code: string };
  const { banks } = await listOfBanks('/v1/banks');
  const own = banks.find(({ cbn_code }) => cbn_code === found.bank_code);
  const codes = [own?.cbn_code, own?.nip_code, own?.provider_codes['paystack']];

  for (const bank_code of codes) {
    const response = await verify({ id_number: '0123456789', bank_code });
    expect([bank_code, response.status]).toEqual([bank_code, 200]);
    expect(response.json?.data).toEqual({ ...found, bank_code });
  }
  const elsewhere = await verify({ id_number: '0123456789', bank_code: '058' });
  expect([elsewhere.status, elsewhere.json?.code]).toEqual([400, 'NUBAN_NOT_FOUND']);
  expect(elsewhere.headers.get('x-credits-charged')).toBe('0');
});

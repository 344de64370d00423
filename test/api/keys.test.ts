import { describe, expect, test } from '@jest/globals';
import { missUntilRateLimited } from '../support/not-found-limit.ts';
import { apiKeys, endApiKey, get, number, organisation, post, registryCalls } from '../support/service.ts';

/** API keys (contract B1 to B6). Every change applies to the next request. */

const verify = (key: string | undefined, headers: Record<string, string> = {}) =>
  post('/v1/ng/nin-basic', { nin: number() }, { key, headers });

describe('a change by an operator applies to the next request', () => {
  test('a revoked key is rejected', async () => {
    const customer = await organisation();
    const [key] = (await apiKeys.listApiKeys(customer.id)).filter(({ env }) => env === 'live');
    const before = await verify(customer.live);
    if (key) await apiKeys.revokeApiKey(key);
    const after = await verify(customer.live);

    expect([before.status, after.status, after.json?.code]).toEqual([200, 401, 'INVALID_API_KEY']);
  });

  test('an expired key is rejected', async () => {
    const customer = await organisation();
    const [key] = (await apiKeys.listApiKeys(customer.id)).filter(({ env }) => env === 'live');
    if (key) await endApiKey(key, new Date(Date.now() - 1).toISOString());

    expect((await verify(customer.live)).json?.code).toBe('INVALID_API_KEY');
  });

  test('requests of a suspended organisation, for a disabled service or with an empty wallet are rejected', async () => {
    const customer = await organisation({ credits: 1 });
    const codes: (string | undefined)[] = [(await verify(customer.live)).json?.code];
    codes.push((await verify(customer.live)).json?.code);
    await customer.change((row) => ({ ...row, services: {} }));
    codes.push((await verify(customer.live)).json?.code);
    await customer.change((row) => ({ ...row, status: 'SUSPENDED' }));
    codes.push((await verify(customer.live)).json?.code, (await verify(customer.test)).json?.code);

    expect(codes).toEqual([
      'NIN_VERIFIED',
      'INSUFFICIENT_FUNDS',
      'SUBSCRIPTION_REQUIRED',
      'UNAPPROVED_ORGANIZATION',
      'UNAPPROVED_ORGANIZATION',
    ]);
  });
});

describe('test keys', () => {
  test('work before approval and without subscriptions, and have their own wallet', async () => {
    const customer = await organisation({ status: 'PENDING', services: [] });
    const response = await verify(customer.test);

    expect(response.status).toBe(200);
    expect([(await customer.balance('live')).available, (await customer.balance('test')).available]).toEqual([
      10, 9,
    ]);
  });
});

describe('the Authorization header', () => {
  const verifyWith = async (authorization: string) => {
    const customer = await organisation();
    return verify(undefined, { Authorization: authorization.replace('KEY', customer.live) });
  };

  test.each(['Bearer KEY', 'KEY', 'bearer KEY'])('"%s" is accepted', async (form) => {
    expect((await verifyWith(form)).status).toBe(200);
  });

  test.each(['Basic KEY', 'Token KEY', 'Bearer', 'Bearer KEY KEY', 'Bearer KEY, Bearer KEY', ''])(
    '"%s" is rejected',
    async (form) => {
      const response = await verifyWith(form);

      expect([response.status, response.json?.code]).toEqual([401, 'INVALID_API_KEY']);
      expect(registryCalls(response.json?.meta.request_id ?? '')).toBe(0);
    },
  );

  test('a rejection names the authentication scheme', async () => {
    const response = await verify(undefined);

    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  });
});

describe('rate limits', () => {
  test('a burst of 5 allows 5 requests; the others get 429 with Retry-After and RateLimit headers, and are free', async () => {
    const customer = await organisation({ rateLimit: { perSecond: 0.01, burst: 5 } });
    const responses = await Promise.all(Array.from({ length: 12 }, () => verify(customer.live)));
    const rejected = responses.filter(({ status }) => status === 429);

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(rejected).toHaveLength(7);
    for (const response of rejected) {
      expect(response.json?.code).toBe('RATE_LIMITED');
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=500');
      expect(response.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    }
    expect((await customer.balance()).available).toBe(5);
  });

  test('look-ups without a record are rate limited for a live key, but not for a test key, and other routes still respond', async () => {
    const customer = await organisation({ credits: 100 });
    const miss = (key: string) => post('/v1/ng/nin-basic', { nin: number('0404') }, { key });
    const live = await missUntilRateLimited(() => miss(customer.live));
    const test = await miss(customer.test);
    const balance = await get('/v1/wallet/balance', { key: customer.live });

    expect(live.json?.code).toBe('RATE_LIMITED');
    expect(live.json?.message).toContain('found no record');
    expect(test.json?.code).toBe('NIN_NOT_FOUND');
    expect(balance.status).toBe(200);
  });
});

import { describe, expect, test } from '@jest/globals';
import { number, organisation, post, registryCalls } from '../support/service.ts';

/** API keys (contract B1 to B6). Every change applies to the next request. */

const verify = (key: string | undefined, headers: Record<string, string> = {}) =>
  post('/v1/ng/nin-basic', { nin: number() }, { key, headers });

describe('a change by an operator applies to the next request', () => {
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
});

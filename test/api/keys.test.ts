import { describe, expect, test } from '@jest/globals';
import { missUntilRefused } from '../support/misses.ts';
import { apiKeys, get, number, organisation, post, registryCalls } from '../support/service.ts';

/** Who is let in (decisions B1 to B6): the next request after a change already obeys it. */

const ask = (key: string | undefined, headers: Record<string, string> = {}, path = '/v1/ng/nin-basic') =>
  post(path, { nin: number() }, { key, headers });

describe('what an operator changes holds from the very next request', () => {
  test('a revoked key is refused', async () => {
    const who = await organisation();
    const [key] = (await apiKeys.listApiKeys(who.id)).filter(({ env }) => env === 'live');
    const before = await ask(who.live);
    if (key) await apiKeys.revokeApiKey(key);
    const after = await ask(who.live);

    expect([before.status, after.status, after.json?.code]).toEqual([200, 401, 'INVALID_API_KEY']);
  });

  test('an expired key is refused', async () => {
    const who = await organisation();
    const [key] = (await apiKeys.listApiKeys(who.id)).filter(({ env }) => env === 'live');
    if (key) await apiKeys.expireApiKey(key, new Date(Date.now() - 1).toISOString());

    expect((await ask(who.live)).json?.code).toBe('INVALID_API_KEY');
  });

  test('a suspended organisation, a disabled service and an empty wallet are refused', async () => {
    const who = await organisation({ credits: 1 });
    const codes: (string | undefined)[] = [(await ask(who.live)).json?.code];
    codes.push((await ask(who.live)).json?.code);
    await who.change((row) => ({ ...row, services: {} }));
    codes.push((await ask(who.live)).json?.code);
    await who.change((row) => ({ ...row, status: 'SUSPENDED' }));
    codes.push((await ask(who.live)).json?.code, (await ask(who.test)).json?.code);

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
  test('work before the approval and without subscriptions, on a wallet of their own', async () => {
    const who = await organisation({ status: 'PENDING', services: [] });
    const answer = await ask(who.test);

    expect(answer.status).toBe(200);
    expect([(await who.balance('live')).available, (await who.balance('test')).available]).toEqual([10, 9]);
  });
});

describe('how a key is sent', () => {
  const sent = async (authorization: string) => {
    const who = await organisation();
    return ask(undefined, { Authorization: authorization.replace('KEY', who.live) });
  };

  test.each(['Bearer KEY', 'KEY', 'bearer KEY'])('"%s" is accepted', async (form) => {
    expect((await sent(form)).status).toBe(200);
  });

  test.each(['Basic KEY', 'Token KEY', 'Bearer', 'Bearer KEY KEY', 'Bearer KEY, Bearer KEY', ''])(
    '"%s" is refused',
    async (form) => {
      const answer = await sent(form);

      expect([answer.status, answer.json?.code]).toEqual([401, 'INVALID_API_KEY']);
      expect(registryCalls(answer.json?.meta.request_id ?? '')).toBe(0);
    },
  );

  test('a good key in the address is refused wherever it stands', async () => {
    const who = await organisation();
    const inQuery = await post(`/v1/ng/nin-basic?api_key=${who.live}`, { nin: number() }, { key: who.live });
    const inBody = await post('/v1/ng/nin-basic', { nin: number(), api_key: who.live });

    expect([inQuery.status, inQuery.json?.code]).toEqual([401, 'INVALID_API_KEY']);
    expect([inBody.status, inBody.json?.code]).toEqual([401, 'INVALID_API_KEY']);
    expect((await who.balance()).available).toBe(10);
  });

  test('a refusal tells how to authenticate', async () => {
    const answer = await ask(undefined);

    expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  });
});

describe('rate limits', () => {
  test('a burst of 5 lets 5 in, then 429 with Retry-After and the RateLimit headers', async () => {
    const who = await organisation({ rateLimit: { perSecond: 0.5, burst: 5 } });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => get('/v1/wallet/balance', { key: who.live })),
    );
    const refused = answers.filter(({ status }) => status === 429);

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(7);
    for (const answer of refused) {
      expect(answer.json?.code).toBe('RATE_LIMITED');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=10');
      expect(answer.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    }
  });

  test('60 look-ups without a record slow a live key down, not a test key', async () => {
    const who = await organisation({ credits: 100 });
    const miss = (key: string) => post('/v1/ng/nin-basic', { nin: number('0404') }, { key });
    const live = await missUntilRefused(() => miss(who.live));
    const test = await miss(who.test);

    expect(live.json?.code).toBe('RATE_LIMITED');
    expect(test.json?.code).toBe('NIN_NOT_FOUND');
  });
});

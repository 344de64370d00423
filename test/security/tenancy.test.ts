import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../shared/accounts/manage-api-key.ts';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import { missUntilRateLimited } from '../support/not-found-limit.ts';
import {
  apiKeys,
  get,
  logLines,
  number,
  organisation,
  post,
  registryCalls,
  type TestOrganisation,
  unknownKey,
} from '../support/service.ts';
import { expectHarmless, expectRejected, writtenSoFar } from './attack.ts';
import { caller, codeOf, countingDependencies, invoke } from './in-process.ts';
import { logRowOf, operatorClient, verificationLogsTable } from './tables.ts';

/** Attacks on the data of other organisations, and on keys (S13 to S24, and S60). */

const NIN = '/v1/ng/nin-basic';
const SLIP = '/v1/ng/nin/slip/download';
const verify = (who: TestOrganisation, nin: string, key = who.live) => post(NIN, { nin }, { key });
const slip = (who: TestOrganisation, nin: string, key = who.live) =>
  post(SLIP, { nin, slip_type: 'regular' }, { key });
const NO_LOG = { status: 404, code: 'VERIFICATION_LOG_NOT_FOUND' };
const NO_ENTRY = { status: 404, code: 'VERIFICATION_NOT_FOUND' };
const BAD_KEY = { status: 401, code: 'INVALID_API_KEY' };

async function limitedKey(who: TestOrganisation, limits: { scopes?: string[]; addressRanges?: string[] }) {
  const key = { organisationId: who.id, env: 'live', label: 'limited', ...limits } as const;
  return (await createApiKey(apiKeys, key, new Date())).text;
}

describe('tenancy and authorisation', () => {
  test('S13: a slip for a NIN that only another organisation has verified', async () => {
    const [who, other] = [await organisation(), await organisation()];
    const [theirs, unverified] = [number(), number()];
    await verify(other, theirs);
    const one = await expectRejected(who, { ...NO_LOG, hidden: [theirs] }, () => slip(who, theirs));
    const two = await expectRejected(who, NO_LOG, () => slip(who, unverified));
    const shown = ({ text, headers }: typeof one) => [
      text.replace(/"meta":.*$/, ''),
      [...headers.keys()].sort().join(),
      headers.get('content-length'),
    ];
    expect(shown(one)).toEqual(shown(two));
  });

  test('S14: guessing numbers through verify and slip', async () => {
    const [guesser, downloader] = [
      await organisation({ credits: 100 }),
      await organisation({ credits: 100 }),
    ];
    const verified = await missUntilRateLimited(() => verify(guesser, number('0404')));
    const downloaded = await missUntilRateLimited(() => slip(downloader, number()));
    for (const response of [verified, downloaded]) {
      expectHarmless(response, { status: 429, code: 'RATE_LIMITED' });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const who of [guesser, downloader]) expect((await who.balance()).available).toBe(100);
  });

  test('S15: the request ID of another organisation', async () => {
    const [who, other] = [await organisation(), await organisation()];
    const requestId = (await verify(other, number())).json?.meta.request_id ?? '';
    expect((await get(`/v1/verifications/${requestId}`, { key: other.live })).status).toBe(200);
    for (const id of [
      requestId,
      'req_ffffffffffff',
      'req_',
      '..%2f..',
      '%00',
      `${requestId}%20`,
      'REQ_FFFFFFFFFFFF',
    ])
      await expectRejected(who, NO_ENTRY, () => get(`/v1/verifications/${id}`, { key: who.live }));
  });

  test('S16: a slip after the retention period, while suspended, or with a key that lacks slip:read', async () => {
    const who = await organisation();
    const old = number();
    const row = await logRowOf(who.id, old, { expiresAt: Math.floor(Date.now() / 1000) - 1 });
    await operatorClient.send(new PutCommand({ TableName: verificationLogsTable, Item: row }));
    await expectRejected(who, NO_LOG, () => slip(who, old));

    const nin = number();
    await verify(who, nin);
    const limited = await limitedKey(who, { scopes: ['verify:*', 'wallet:read', 'verification:read'] });
    const rejected = await expectRejected(who, { status: 401, code: 'SUBSCRIPTION_REQUIRED' }, () =>
      slip(who, nin, limited),
    );
    expect(rejected.json?.message).toContain('slip:read');
    await who.change((changed) => ({ ...changed, status: 'SUSPENDED' }));
    await expectRejected(who, { status: 401, code: 'UNAPPROVED_ORGANIZATION' }, () => slip(who, nin));
  });

  test('S17: a slip during a verification, and after a failed one', async () => {
    const who = await organisation();
    const [slow, failed, unreachable] = [number('0299'), number('0400'), number('0503')];
    const running = verify(who, slow);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expectHarmless(await slip(who, slow), NO_LOG);
    expect((await running).status).toBe(200);
    await verify(who, failed);
    await verify(who, unreachable);
    for (const nin of [failed, unreachable]) await expectRejected(who, NO_LOG, () => slip(who, nin));
  });

  test('S18: a test key for live logs, and a live key for test logs', async () => {
    const who = await organisation();
    const [live, tested] = [number(), number()];
    const liveId = (await verify(who, live)).json?.meta.request_id;
    const testId = (await verify(who, tested, who.test)).json?.meta.request_id;
    await expectRejected(who, NO_LOG, () => slip(who, live, who.test));
    await expectRejected(who, NO_LOG, () => slip(who, tested));
    await expectRejected(who, NO_ENTRY, () => get(`/v1/verifications/${liveId}`, { key: who.test }));
    await expectRejected(who, NO_ENTRY, () => get(`/v1/verifications/${testId}`, { key: who.live }));
    // Changing the environment in a key makes its checksum and hash wrong.
    await expectRejected(who, BAD_KEY, () => verify(who, live, who.test.replace('idv_test_', 'idv_live_')));
  });

  test('S19: an organisation that is pending, or is suspended or unsubscribed during a request', async () => {
    const pending = await organisation({ status: 'PENDING' });
    const UNAPPROVED = { status: 401, code: 'UNAPPROVED_ORGANIZATION' };
    await expectRejected(pending, UNAPPROVED, () => verify(pending, number()));
    const who = await organisation();
    const running = verify(who, number('0299'));
    await new Promise((resolve) => setTimeout(resolve, 700));
    await who.change((row) => ({ ...row, services: {} }));
    const unsubscribed = await verify(who, number());
    await who.change((row) => ({ ...row, status: 'SUSPENDED' }));
    const suspended = await verify(who, number());
    // A request that passed the checks before the change completes. Later requests are rejected.
    expect((await running).status).toBe(200);
    expectHarmless(unsubscribed, { status: 401, code: 'SUBSCRIPTION_REQUIRED' });
    expectHarmless(suspended, UNAPPROVED);
    expect((await who.balance()).available).toBe(9);
  });

  test('S20: an API key that manages keys, adds credits or starts a payment', async () => {
    const who = await organisation();
    const paths = [
      '/keys',
      '/api-keys',
      '/organisations',
      '/wallet/top-up',
      '/wallet/credits',
      '/webhooks',
      '/webhooks/paystack',
      '/admin',
      '/services',
    ];
    for (const path of paths.flatMap((tail) => [`/v1${tail}`, `/api/v1${tail}`]))
      await expectRejected(who, { status: 404, code: 'ROUTE_NOT_FOUND' }, () =>
        post(path, { credits: 1000, org: who.id }, { key: who.live }),
      );
    await expectRejected(who, { status: 405, code: 'METHOD_NOT_ALLOWED' }, () =>
      post('/v1/wallet/balance', { available: 1000 }, { key: who.live }),
    );
    // A key without a list of scopes may do everything except start payments.
    await expectRejected(who, BAD_KEY, () =>
      post('/v1/wallet/top-ups', { credits: 1000 }, { key: who.live }),
    );
  });

  test('S21: a key in the query string, a cookie, the body or the path', async () => {
    const who = await organisation();
    const body = { nin: number() };
    const inQuery = await expectRejected(who, BAD_KEY, () =>
      post(`${NIN}?key=${who.live}`, body, { key: who.live }),
    );
    const flagged = logLines(inQuery.json?.meta.request_id ?? '');
    expect(flagged).toContainEqual(expect.objectContaining({ detail: 'key-in-query' }));
    await expectRejected(who, BAD_KEY, () => post(NIN, body, { headers: { Cookie: `key=${who.live}` } }));
    await expectRejected(who, BAD_KEY, () => post(NIN, body, { headers: { 'X-Api-Key': who.live } }));
    await expectRejected(who, BAD_KEY, () => post(NIN, { ...body, api_key: who.live }));
    await expectRejected(who, { status: 404, code: 'ROUTE_NOT_FOUND' }, () =>
      post(`${NIN}/${who.live}`, body),
    );
    expect(writtenSoFar()).not.toContain(who.live);
  });

  test('S22: 100 parallel requests with a revoked key', async () => {
    const who = await organisation({ credits: 200 });
    expect((await verify(who, number())).status).toBe(200);
    const [key] = (await apiKeys.listApiKeys(who.id)).filter(({ env }) => env === 'live');
    if (key) await apiKeys.revokeApiKey(key);
    const responses = await Promise.all(Array.from({ length: 100 }, () => verify(who, number())));
    for (const response of responses) expectHarmless(response, BAD_KEY);
    expect((await who.balance()).available).toBe(199);
  });

  test('S23: guessed keys, with wrong and correct checksums', async () => {
    const who = await organisation();
    const wrong = `${who.live.slice(0, -1)}${who.live.endsWith('0') ? '1' : '0'}`;
    for (const key of [
      wrong,
      unknownKey(who.id),
      `${who.live}0`,
      who.live.toUpperCase(),
      'idv_live_',
      "' OR 1=1 --",
    ])
      await expectRejected(who, BAD_KEY, () => verify(who, number(), key));
    const { handler, deps } = await reading([]);
    await invoke(handler, { key: wrong });
    expect(deps.reads).toBe(0);
    await invoke(handler, { key: unknownKey(who.id) });
    expect(deps.reads).toBe(1);
  });

  test('S24: distinguishing unknown, revoked and expired keys by their response', async () => {
    const [valid, revoked, expired] = [caller(), caller(), caller()];
    const edit = (one: typeof valid, change: object) => {
      const { key } = one.account;
      if (key) one.account = { ...one.account, key: { ...key, ...change } };
    };
    edit(revoked, { status: 'REVOKED' });
    edit(expired, { notAfter: '2020-01-01T00:00:00.000Z' });
    const { handler, deps } = await reading([valid, revoked, expired]);
    const unknown = caller();
    const responses = [];
    for (const { text } of [unknown, revoked, expired]) {
      deps.reads = 0;
      deps.writes = 0;
      responses.push(await invoke(handler, { key: text }));
      // Each key causes the same work: one read and no write.
      expect([deps.reads, deps.writes]).toEqual([1, 0]);
    }
    expect((await invoke(handler, { key: valid.text })).statusCode).toBe(200);
    const shown = responses.map(({ statusCode, body, headers }) => [
      statusCode,
      body.replace(/"meta":.*$/, ''),
      Object.keys(headers ?? {})
        .sort()
        .join(),
    ]);
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(codeOf(responses[0] ?? { statusCode: 0, body: '{}' })).toBe('INVALID_API_KEY');
  });
});

describe('keys with limits (decision 4)', () => {
  test('a key for one service works for that service only', async () => {
    const who = await organisation();
    const key = await limitedKey(who, { scopes: ['verify:nin-basic'] });
    const LACKING = { status: 401, code: 'SUBSCRIPTION_REQUIRED' };
    expect((await verify(who, number(), key)).status).toBe(200);
    await expectRejected(who, LACKING, () => post('/v1/ng/nin-premium', { nin: number() }, { key }));
    const premium = { country: 'NG', id_type: 'NIN', level: 'advanced', params: { id_number: number() } };
    await expectRejected(who, LACKING, () => post('/v1/identities/verify', premium, { key }));
    await expectRejected(who, BAD_KEY, () => get('/v1/wallet/balance', { key }));
    await expectRejected(who, BAD_KEY, () => get('/v1/wallet/transactions', { key }));
    await expectRejected(who, BAD_KEY, () => get('/v1/verifications/req_000000000000', { key }));
  });

  test('a key that is used from an address outside its ranges gets the same response as an invalid key', async () => {
    const who = await organisation();
    const elsewhere = await limitedKey(who, { addressRanges: ['203.0.113.0/24', '2001:db8::/32'] });
    const unknown = await verify(who, number(), unknownKey(who.id));
    const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' };
    const rejected = await expectRejected(who, BAD_KEY, () =>
      post(NIN, { nin: number() }, { key: elsewhere, headers: forged }),
    );
    expect(rejected.text.replace(/"meta":.*$/, '')).toBe(unknown.text.replace(/"meta":.*$/, ''));
    expect(registryCalls(rejected.json?.meta.request_id ?? '')).toBe(0);
    const here = await limitedKey(who, { addressRanges: ['127.0.0.0/8', '::1'] });
    expect((await verify(who, number(), here)).status).toBe(200);
  });
});

/**
 * Returns a handler that requires the scope `wallet:read`, and its dependencies, which count their calls. Imports the
 * chains late, because their module creates its metrics on import.
 */
async function reading(known: Parameters<typeof countingDependencies>[0]) {
  const { keyedRoute } = await import('../../shared/accounts/middleware/keyed-route.ts');
  const deps = countingDependencies(known);
  const run = async () => ({ kind: 'information', code: 'OK', message: 'Fine.', data: {} }) as const;
  const handler: LambdaHandler = keyedRoute('counted', 'wallet:read', run, deps);
  return { handler, deps };
}

import type { IncomingHttpHeaders } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { type ApiRequest, signApiRequest } from '../../clients/operator/signed-fetch.ts';
import { Principals } from '../../infra/local/aws/principals.ts';
import { type SignedRequest, verifySignature } from '../../infra/local/aws/signature.ts';

const NOW = Date.parse('2026-11-21T11:33:41Z');
const principals = new Principals();
const ada = { arn: 'arn:aws:iam::000000000000:user/ada', authorise: () => true };
const registered = principals.register(ada);
const ADA = {
  accessKeyId: registered.AWS_ACCESS_KEY_ID,
  secretAccessKey: registered.AWS_SECRET_ACCESS_KEY,
  sessionToken: registered.AWS_SESSION_TOKEN,
};
const POST: ApiRequest = {
  method: 'POST',
  url: new URL('http://127.0.0.1:4000/operations/top-up'),
  headers: { 'content-type': 'application/json' },
  body: '{"credits":100}',
};

interface Signing {
  readonly credentials?: typeof ADA | Omit<typeof ADA, 'sessionToken'>;
  readonly region?: string;
  readonly atMs?: number;
}

/** Returns the request as a server receives it. */
async function received(
  request: ApiRequest = POST,
  { credentials = ADA, region = 'eu-west-1', atMs = NOW }: Signing = {},
): Promise<SignedRequest> {
  const { config } = new DynamoDBClient({ region, credentials });
  const { url, headers } = await signApiRequest(request, config, new Date(atMs));
  return {
    method: request.method,
    url: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'user-agent': 'node' },
    body: Buffer.from(request.body ?? ''),
  };
}

const verify = (request: SignedRequest) => verifySignature(request, 'execute-api', principals, NOW);
const WRONG = {
  type: 'INVALID_SIGNATURE',
  message: expect.stringMatching(/^The request signature we calculated does not match/),
};

describe('a signed request is accepted', () => {
  test.each<[string, ApiRequest]>([
    ['with a body', POST],
    ['without a body', { method: 'GET', url: new URL('http://127.0.0.1:4000/reports') }],
    [
      'with names and values that need encoding',
      {
        method: 'GET',
        url: new URL("http://127.0.0.1:4000/reports/a%20b/%C3%BC?q=a%20b+c&q='1'&a=%2B/~*&empty="),
      },
    ],
  ])('%s', async (_what, request) => {
    expect(await verify(await received(request))).toEqual({ principal: ada, accessKeyId: ADA.accessKeyId });
  });

  test.each([-300_000, 300_000])('%d ms before the time of its signature', async (ms) => {
    expect(await verify(await received(POST, { atMs: NOW + ms }))).toMatchObject({ principal: ada });
  });
});

describe('a request is rejected', () => {
  const other = principals.register({ arn: 'other', authorise: () => true });
  test.each<[string, Signing]>([
    ['with a different secret', { credentials: { ...ADA, secretAccessKey: 'x' } }],
    [
      'with the secret of someone else',
      { credentials: { ...ADA, secretAccessKey: other.AWS_SECRET_ACCESS_KEY } },
    ],
    ['for a different region', { region: 'eu-west-2' }],
  ])('that was signed %s', async (_how, signing) => {
    expect(await verify(await received(POST, signing))).toEqual(WRONG);
  });

  test.each<[string, Partial<SignedRequest>]>([
    ['body', { body: Buffer.from('{"credits":1000}') }],
    ['path', { url: '/operations/correct' }],
    ['query', { url: '/operations/top-up?dry=1' }],
    ['method', { method: 'PUT' }],
  ])('with a different %s', async (_part, changed) => {
    expect(await verify({ ...(await received()), ...changed })).toEqual(WRONG);
  });

  test.each<[string, IncomingHttpHeaders]>([
    ['host', { host: '127.0.0.1:4001' }],
    ['content-type', { 'content-type': 'text/plain' }],
    ['x-amz-date', { 'x-amz-date': '20261121T113342Z' }],
    ['x-amz-content-sha256', { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }],
  ])('with a different header %s', async (_name, changed) => {
    const { headers, ...request } = await received();
    expect(await verify({ ...request, headers: { ...headers, ...changed } })).toEqual(WRONG);
  });

  test('if its signature does not cover the host', async () => {
    const { headers, ...request } = await received();
    const authorization = headers.authorization?.replace('host;', '');
    expect(await verify({ ...request, headers: { ...headers, authorization } })).toMatchObject({
      type: 'INVALID_SIGNATURE',
      message: expect.stringContaining("'Host'"),
    });
  });

  test.each([
    [
      -301_000,
      'Signature expired: 20261121T112840Z is now earlier than 20261121T112841Z (20261121T113341Z - 5 min.)',
    ],
    [
      301_000,
      'Signature not yet current: 20261121T113842Z is still later than 20261121T113841Z (20261121T113341Z + 5 min.)',
    ],
  ])('%d ms from the time of its signature', async (ms, message) => {
    expect(await verify(await received(POST, { atMs: NOW + ms }))).toEqual({
      type: 'EXPIRED_TOKEN',
      message,
    });
  });

  test('without a signature', async () => {
    const { headers, ...request } = await received();
    const { authorization: _signature, ...others } = headers;
    expect(await verify({ ...request, headers: others })).toMatchObject({
      type: 'MISSING_AUTHENTICATION_TOKEN',
    });
    const bearer = { ...others, authorization: 'Bearer token' };
    expect(await verify({ ...request, headers: bearer })).toMatchObject({ type: 'INVALID_SIGNATURE' });
  });

  const { sessionToken: _token, ...withoutToken } = ADA;
  test.each<[string, Signing['credentials']]>([
    ['with an unknown key', { ...ADA, accessKeyId: 'AKIDEXAMPLE' }],
    ['without a session token', withoutToken],
    ['with a different session token', { ...ADA, sessionToken: 'other' }],
  ])('%s', async (_how, credentials) => {
    expect(await verify(await received(POST, credentials && { credentials }))).toEqual({
      type: 'ACCESS_DENIED',
      message: 'The security token included in the request is invalid.',
    });
  });
});

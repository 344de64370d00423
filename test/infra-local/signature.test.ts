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
});

describe('a request is rejected', () => {
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

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import { connect } from '../../../shared/core/database.ts';
import { secretsManager } from '../../../shared/core/secrets.ts';

/** The settings and middlewares of the AWS clients. A server in this process responds to the calls. */

const environment = { ...process.env };
let requests: IncomingHttpHeaders[];
/** Responds to a request. `attempt` is its number, counted from 1. */
let respond: (response: ServerResponse, attempt: number) => void;
const server = createServer((request, response) => {
  requests.push(request.headers);
  request.resume();
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  respond(response, requests.length);
});

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'a made-up key',
    AWS_SESSION_TOKEN: 'a made-up token',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:1',
  });
});
afterAll(() => {
  process.env = environment;
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  respond = (response) => response.end('{}');
});

const put = new PutCommand({ TableName: 'Wallets', Item: { pk: 'a', sk: 'b' } });

// Names from the SDK. cspell:ignore initialize serialize deserialize
const MIDDLEWARES = [
  'trace - initialize',
  'serializerMiddleware - serialize',
  'contentLengthMiddleware - build',
  'hostHeaderMiddleware - build',
  'retryMiddleware - finalizeRequest',
  'httpSigningMiddleware (a.k.a. apiKeyMiddleware,tokenMiddleware,awsAuthMiddleware) - finalizeRequest',
  'deserializerMiddleware - deserialize',
];

test.each([
  ['DynamoDB', () => connect()],
  ['Secrets Manager', secretsManager],
])('the %s client has only the middlewares that a call needs', (_, clientOf) => {
  expect(clientOf().middlewareStack.identify()).toEqual(MIDDLEWARES);
});

test.each([
  ['DynamoDB', () => connect()],
  ['Secrets Manager', secretsManager],
])('the settings of the %s client are explicit', async (_, clientOf) => {
  const { config } = clientOf();
  expect(config.ignoreConfiguredEndpointUrls).toBe(true);
  expect(config.isCustomEndpoint).toBe(true);
  expect(await config.region()).toBe('af-south-1');
  expect(await config.useFipsEndpoint()).toBe(false);
  expect(await config.useDualstackEndpoint()).toBe(false);
  expect(await config.maxAttempts()).toBe(3);
  expect(await config.disableClockSkewCorrection()).toBe(false);
});

test('without an endpoint in the environment, the region determines the endpoint of the tables', async () => {
  const { AWS_ENDPOINT_URL_DYNAMODB: url, ...rest } = process.env;
  process.env = { ...rest };
  const { config } = connect();
  process.env = { ...rest, AWS_ENDPOINT_URL_DYNAMODB: url };
  const resolved = config.endpointProvider({
    Region: await config.region(),
    UseFIPS: await config.useFipsEndpoint(),
    UseDualStack: await config.useDualstackEndpoint(),
  });

  expect(config.isCustomEndpoint).toBe(false);
  expect(resolved.url.href).toBe('https://dynamodb.af-south-1.amazonaws.com/');
});

describe('a call to AWS', () => {
  test('is signed with its host, its time and the session token', async () => {
    await connect().send(put);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      'x-amz-security-token': 'a made-up token',
      authorization: expect.stringMatching(
        /Credential=AKIDEXAMPLE\/\d{8}\/af-south-1\/dynamodb\/aws4_request, SignedHeaders=[^,]*host;[^,]*x-amz-date;[^,]*x-amz-security-token/,
      ),
    });
  });

  test('is sent again after a fault of the service', async () => {
    respond = (response, attempt) => {
      response.statusCode = attempt < 3 ? 500 : 200;
      response.end(attempt < 3 ? '{"__type":"InternalServerError"}' : '{}');
    };
    await connect().send(put);
    expect(requests.map((headers) => headers['amz-sdk-request'])).toEqual([
      'attempt=1; max=3',
      'attempt=2; max=3',
      'attempt=3; max=3',
    ]);
  });

  test("is signed with the service's time after it was rejected because the clock was wrong", async () => {
    const aheadMs = HOUR_MS;
    respond = (response, attempt) => {
      response.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString());
      response.statusCode = attempt === 1 ? 400 : 200;
      response.end(attempt === 1 ? '{"__type":"RequestTimeTooSkewed","message":"made up"}' : '{}');
    };
    await connect().send(put);
    const signedMs = requests.map((headers) => timeOf(String(headers['x-amz-date'])));

    expect(requests).toHaveLength(2);
    expect((signedMs[1] ?? 0) - (signedMs[0] ?? 0)).toBeGreaterThan(aheadMs - 60_000);
  });
});

/** Returns the epoch milliseconds of a time such as `20261124T141500Z`. */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
}

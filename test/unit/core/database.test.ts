import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, isTableFailure } from '../../../shared/core/database.ts';

/** Tests which SDK errors count as table failures. A server in this process responds to the calls. */

type Respond = (response: ServerResponse) => void;
let respond: Respond = () => undefined;
const server = createServer((request, response) => {
  request.resume();
  respond(response);
});
const environment = { ...process.env };

beforeAll(async () => {
  const listening = new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  await listening;
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    DATABASE_TIMEOUT_MS: '200',
  });
});
afterAll(() => {
  process.env = environment;
  server.closeAllConnections();
  server.close();
});

async function errorOf(how: Respond): Promise<unknown> {
  respond = how;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put = new PutCommand({ TableName: 'Wallets', Item: { pk: 'a', sk: 'b' } });
  const sent = connect(1).send(put);
  return sent.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const text = (status: number, body: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(body);
};
const dynamoDb = (status: number, name: string, more: object = {}) =>
  text(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'x', ...more }));
const cancelled = (...codes: string[]) =>
  dynamoDb(400, 'TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

describe('an SDK error is a table failure', () => {
  test.each<[string, Respond]>([
    ['if the table does not respond', () => undefined],
    ['after 500', dynamoDb(500, 'InternalServerError')],
    ['after 503 from something else', text(503, '<html>')],
    ['if it throttles', dynamoDb(400, 'ThrottlingException')],
    ['if its throughput is exceeded', dynamoDb(400, 'ProvisionedThroughputExceededException')],
    ['if a transaction writes the item', dynamoDb(400, 'TransactionConflictException')],
    ['if the transaction is in progress', dynamoDb(400, 'TransactionInProgressException')],
    ['if another call cancelled the transaction', cancelled('TransactionConflict', 'None')],
    ['if it throttled an item of a transaction', cancelled('None', 'ThrottlingError')],
    ['if it denies access', dynamoDb(400, 'AccessDeniedException')],
  ])('%s', async (_name, how) => {
    expect(isTableFailure(await errorOf(how))).toBe(true);
  });

  // Created here, because the SDK would wrap Node's own errors in the realm in which Jest runs tests.
  test.each([
    ['TimeoutError', 'ECONNRESET'],
    ['Error', 'ECONNREFUSED'],
    ['Error', 'ENOTFOUND'],
  ])('if there is no connection: %s %s', (name, code) => {
    expect(isTableFailure(Object.assign(new Error(code), { name, code }))).toBe(true);
  });
});

describe('an SDK error is not a table failure', () => {
  test.each<[string, Respond]>([
    ['if the call is not valid', dynamoDb(400, 'ValidationException')],
    ['if a condition failed', dynamoDb(400, 'ConditionalCheckFailedException')],
    ['if a condition of a transaction failed', cancelled('ConditionalCheckFailed', 'TransactionConflict')],
    ['if an item of a transaction is not valid', cancelled('None', 'ValidationError')],
    ['if there is no such table', dynamoDb(400, 'ResourceNotFoundException')],
  ])('%s', async (_name, how) => {
    const error = await errorOf(how);
    expect(error).toBeInstanceOf(Error);
    expect(isTableFailure(error)).toBe(false);
  });
});

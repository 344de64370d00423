import { createServer } from 'node:http';
import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen } from '../../../infra/local/http-server.ts';
import { connect } from '../../../shared/core/database.ts';
import { beginSubsegment } from '../../../shared/core/trace.ts';
import { requestJson } from '../../../shared/registries/transport/http-client.ts';
import {
  PARENT,
  ROOT,
  startTraceDaemon,
  type TraceDaemon,
  traceHeaderOf,
} from '../../support/trace-daemon.ts';

/** The subsegments that functions send to X-Ray, received by a test double for the daemon that rejects invalid ones. */

const NIN = '41234567890';
/** The responses of the server, in order. The last one repeats. */
let responses: { status: number; body: object }[];
let server: Listening;
let daemon: TraceDaemon;
beforeAll(async () => {
  daemon = await startTraceDaemon();
  server = await listen(
    createServer((request, response) => {
      const { status, body } = (responses.length > 1 ? responses.shift() : responses[0]) ?? {
        status: 500,
        body: {},
      };
      request.resume().once('end', () => {
        response.setHeader('x-amzn-requestid', 'AWS-REQUEST-1').writeHead(status).end(JSON.stringify(body));
      });
    }),
  );
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: server.url,
    AWS_XRAY_DAEMON_ADDRESS: daemon.address,
  });
});
afterAll(async () => {
  await server.close();
  await daemon.close();
});

let testNumber = 0;
beforeEach(() => {
  // Uses a separate trace for each test.
  testNumber += 1;
  daemon.datagrams.length = 0;
  responses = [{ status: 200, body: {} }];
  trace(traceHeaderOf({ root: rootOf(testNumber) }));
});

const rootOf = (test: number) => `1-5759e988-${String(test).padStart(24, '0')}`;
function trace(header: string): void {
  process.env['_X_AMZN_TRACE_ID'] = header;
}

const update = new UpdateCommand({ TableName: 'Wallets', Key: { pk: `live#${NIN}`, sk: 'WALLET' } });
const failing = (type: string, status = 400) => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `The item of ${NIN} is invalid.` },
});

describe('a call to DynamoDB', () => {
  test('is one subsegment with the operation, table, status and number of retries', async () => {
    await connect().send(update);

    const [call, ...others] = await daemon.waitFor(1);
    expect(others).toEqual([]);
    expect(call).toEqual({
      type: 'subsegment',
      trace_id: rootOf(testNumber),
      parent_id: PARENT,
      id: expect.any(String),
      start_time: expect.any(Number),
      end_time: expect.any(Number),
      name: 'DynamoDB',
      namespace: 'aws',
      http: { response: { status: 200 } },
      aws: { operation: 'UpdateItem', table_name: 'Wallets', request_id: 'AWS-REQUEST-1', retries: 0 },
    });
  });

  test('contains the names of its tables, but no keys', async () => {
    await connect().send(
      new BatchGetCommand({
        RequestItems: { ApiKeys: { Keys: [{ pk: NIN }] }, Wallets: { Keys: [{ pk: NIN }] } },
      }),
    );
    const Key = { pk: `live#${NIN}`, sk: 'WALLET' };
    const both = [
      { Delete: { TableName: 'Wallets', Key } },
      { Update: { TableName: 'Wallets', Key, UpdateExpression: 'SET a = b' } },
    ];
    await connect().send(new TransactWriteCommand({ TransactItems: both }));

    const [batch, transaction] = await daemon.waitFor(2);
    expect(batch?.aws).toMatchObject({ operation: 'BatchGetItem', resource_names: ['ApiKeys', 'Wallets'] });
    expect(transaction?.aws).toMatchObject({ operation: 'TransactWriteItems', table_name: 'Wallets' });
    expect(daemon.datagrams.join()).not.toContain(NIN);
  });

  test('that is retried is still one subsegment', async () => {
    responses = [failing('InternalServerError', 500), { status: 200, body: {} }];
    await connect().send(update);

    const [call, ...others] = await daemon.waitFor(1);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ aws: { retries: 1 }, http: { response: { status: 200 } } });
    expect(call).not.toHaveProperty('fault');
  });

  test.each([
    ['a failed condition', failing('ConditionalCheckFailedException'), { error: true }],
    ['throttling', failing('ProvisionedThroughputExceededException'), { error: true, throttle: true }],
    ['an internal error of AWS', failing('InternalServerError', 500), { fault: true }],
  ])("that fails with %s has the error's type but not its message", async (_, failure, flags) => {
    responses = [failure];
    await expect(connect(1).send(update)).rejects.toThrow();

    const [call] = await daemon.waitFor(1);
    const { error, throttle, fault } = call ?? {};
    expect(JSON.parse(JSON.stringify({ error, throttle, fault }))).toEqual(flags);
    const type = String(failure.body.__type.split('#')[1]);
    expect(call?.cause?.exceptions).toEqual([{ id: expect.any(String), type, remote: true }]);
    expect(daemon.datagrams.join()).not.toContain(NIN);
  });

  test('without a response is a fault without a status', async () => {
    const gone = await listen(createServer());
    await gone.close();
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = gone.url;
    await expect(connect(1).send(update)).rejects.toThrow();
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = server.url;

    const [call] = await daemon.waitFor(1);
    expect(call).toMatchObject({ fault: true, aws: { operation: 'UpdateItem' } });
    expect(call?.http).toBeUndefined();
  });
});

describe('a call to a registry', () => {
  const lookUp = (baseUrl = server.url) =>
    requestJson({
      method: 'POST',
      url: new URL(`/lookup/${NIN}?number=${NIN}`, baseUrl),
      headers: { authorization: 'our secret' },
      body: { id_number: NIN },
      deadlineMs: Date.now() + 5_000,
    });

  test('is one subsegment with host and status, without path, query, headers or body', async () => {
    await lookUp();

    const [call, ...others] = await daemon.waitFor(1);
    expect(others).toEqual([]);
    expect(call).toMatchObject({
      name: new URL(server.url).host,
      namespace: 'remote',
      trace_id: rootOf(testNumber),
      parent_id: PARENT,
      http: { request: { method: 'POST', url: `${server.url}/` }, response: { status: 200 } },
    });
    expect(daemon.datagrams.join()).not.toMatch(new RegExp(`${NIN}|lookup|secret`));
  });

  test.each([
    [404, { error: true }],
    [429, { error: true, throttle: true }],
    [503, { fault: true }],
  ])('with status %i is recorded as %j', async (status, flags) => {
    responses = [{ status, body: {} }];
    await lookUp();

    const [{ error, throttle, fault } = {}] = await daemon.waitFor(1);
    expect(JSON.parse(JSON.stringify({ error, throttle, fault }))).toEqual(flags);
  });

  test('without a response is a fault with one of our error types', async () => {
    const gone = await listen(createServer());
    await gone.close();
    await lookUp(gone.url);

    const [call] = await daemon.waitFor(1);
    expect(call).toMatchObject({ fault: true, http: { request: { method: 'POST' } } });
    expect(call?.cause?.exceptions[0]?.type).toBe('unreachable: ECONNREFUSED');
  });
});

describe('a trace header that is:', () => {
  test.each([
    ['missing', ''],
    ['not sampled', traceHeaderOf({ sampled: '0' })],
    ['undecided', traceHeaderOf({ sampled: '?' })],
    ['without a known decision', traceHeaderOf({ sampled: '10' })],
    ['without a parent id', `Root=${ROOT};Sampled=1`],
    ['without a trace id', `Parent=${PARENT};Sampled=1`],
    ['with too long a trace id', traceHeaderOf({ root: `${ROOT}0` })],
    ['with an invalid trace id', traceHeaderOf({ root: '1-5759e988-"};alert(1)//000000000' })],
    ['with an invalid parent id', traceHeaderOf({ parent: '../../etc/passwd' })],
    ['very long', `${'Root='.repeat(10_000)}Sampled=1`],
  ])('%s causes no subsegment and no error', async (_, header) => {
    trace(header);
    expect(beginSubsegment('some call')).toBeUndefined();
    await connect().send(update);
    trace(traceHeaderOf({ root: rootOf(testNumber) }));
    await beginSubsegment('sampled')?.({});

    expect((await daemon.waitFor(1)).map(({ name }) => name)).toEqual(['sampled']);
  });
});

describe('the trace header', () => {
  test("comes from Lambda's invoke store if Lambda has one", async () => {
    const lambda = globalThis as { awslambda?: object };
    const before = lambda.awslambda;
    lambda.awslambda = { InvokeStore: { getXRayTraceId: () => traceHeaderOf({ parent: 'ab'.repeat(8) }) } };
    trace(traceHeaderOf({ sampled: '0' }));
    try {
      await beginSubsegment('a call')?.({});
    } finally {
      lambda.awslambda = before ?? {};
    }

    expect(await daemon.waitFor(1)).toMatchObject([{ trace_id: ROOT, parent_id: 'ab'.repeat(8) }]);
  });
});

describe('a trace', () => {
  test('has at most 200 of our subsegments, counted separately for each trace', async () => {
    for (let call = 0; call < 300; call += 1) {
      await beginSubsegment('one of many calls')?.({});
      // The socket buffer of the test double holds only a few hundred datagrams.
      if (call % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await daemon.waitFor(200)).toHaveLength(200);
    expect(beginSubsegment('one too many')).toBeUndefined();
    trace(traceHeaderOf());

    expect(beginSubsegment('of the next trace')).toBeDefined();
  });

  test('has only names that X-Ray accepts', async () => {
    await beginSubsegment(`[::1]:8443 "<${'é'.repeat(300)}`)?.({});

    const [{ name } = {}] = await daemon.waitFor(1);
    expect(name).toMatch(/^_::1_:8443 __+$/);
    expect(name).toHaveLength(200);
  });
});

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

/** What leaves a function for X-Ray, read off the wire by a stand-in of the daemon that refuses bad documents. */

const NIN = '41234567890';
/** Answers whatever is asked with the next of these, and with the last of them from then on. */
let answers: { status: number; body: object }[];
let server: Listening;
let daemon: TraceDaemon;
beforeAll(async () => {
  daemon = await startTraceDaemon();
  server = await listen(
    createServer((request, response) => {
      const { status, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {
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

let drawn = 0;
/** A trace of its own for each test. */
beforeEach(() => {
  drawn += 1;
  daemon.datagrams.length = 0;
  answers = [{ status: 200, body: {} }];
  trace(traceHeaderOf({ root: rootOf(drawn) }));
});

const rootOf = (test: number) => `1-5759e988-${String(test).padStart(24, '0')}`;
function trace(header: string): void {
  process.env['_X_AMZN_TRACE_ID'] = header;
}

const update = new UpdateCommand({ TableName: 'Wallets', Key: { pk: `live#${NIN}`, sk: 'WALLET' } });
const failing = (type: string, status = 400) => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `The item of ${NIN} is not so.` },
});

describe('a call of DynamoDB', () => {
  test('is one subsegment: what was done at which table, how it ended, and how often it was tried', async () => {
    await connect().send(update);

    const [call, ...others] = await daemon.waitFor(1);
    expect(others).toEqual([]);
    expect(call).toEqual({
      ...{ type: 'subsegment', trace_id: rootOf(drawn), parent_id: PARENT },
      ...{ id: expect.any(String), start_time: expect.any(Number), end_time: expect.any(Number) },
      ...{ name: 'DynamoDB', namespace: 'aws', http: { response: { status: 200 } } },
      aws: { operation: 'UpdateItem', table_name: 'Wallets', request_id: 'AWS-REQUEST-1', retries: 0 },
    });
  });

  test('names all its tables, and nothing of their keys', async () => {
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

  test('that is tried again is one subsegment still', async () => {
    answers = [failing('InternalServerError', 500), { status: 200, body: {} }];
    await connect().send(update);

    const [call, ...others] = await daemon.waitFor(1);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ aws: { retries: 1 }, http: { response: { status: 200 } } });
    expect(call).not.toHaveProperty('fault');
  });

  test.each([
    [
      'a condition that fails is an error of the caller',
      failing('ConditionalCheckFailedException'),
      { error: true },
    ],
    ['a throttle is one', failing('ProvisionedThroughputExceededException'), { error: true, throttle: true }],
    ['a failure of AWS is a fault', failing('InternalServerError', 500), { fault: true }],
  ])('%s, told by its name and never by its words', async (_, answer, flags) => {
    answers = [answer];
    await expect(connect(1).send(update)).rejects.toThrow();

    const [call] = await daemon.waitFor(1);
    const { error, throttle, fault } = call ?? {};
    expect(JSON.parse(JSON.stringify({ error, throttle, fault }))).toEqual(flags);
    const type = String(answer.body.__type.split('#')[1]);
    expect(call?.cause?.exceptions).toEqual([{ id: expect.any(String), type, remote: true }]);
    expect(daemon.datagrams.join()).not.toContain(NIN);
  });

  test('that brought no answer is a fault without a status', async () => {
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

describe('a call of a registry', () => {
  const ask = (baseUrl = server.url) =>
    requestJson({
      method: 'POST',
      url: new URL(`/lookup/${NIN}?number=${NIN}`, baseUrl),
      headers: { authorization: 'a secret of ours' },
      body: { id_number: NIN },
      deadlineMs: Date.now() + 5_000,
    });

  test('is one subsegment with the host and the status: no path, query, header or body', async () => {
    await ask();

    const [call, ...others] = await daemon.waitFor(1);
    expect(others).toEqual([]);
    expect(call).toMatchObject({
      ...{ name: new URL(server.url).host, namespace: 'remote', trace_id: rootOf(drawn), parent_id: PARENT },
      http: { request: { method: 'POST', url: `${server.url}/` }, response: { status: 200 } },
    });
    expect(daemon.datagrams.join()).not.toMatch(new RegExp(`${NIN}|lookup|secret`));
  });

  test.each([
    [404, { error: true }],
    [429, { error: true, throttle: true }],
    [503, { fault: true }],
  ])('that is answered %i shows as %j', async (status, flags) => {
    answers = [{ status, body: {} }];
    await ask();

    const [{ error, throttle, fault } = {}] = await daemon.waitFor(1);
    expect(JSON.parse(JSON.stringify({ error, throttle, fault }))).toEqual(flags);
  });

  test('that brought no answer is a fault, with our own word for it', async () => {
    const gone = await listen(createServer());
    await gone.close();
    await ask(gone.url);

    const [call] = await daemon.waitFor(1);
    expect(call).toMatchObject({ fault: true, http: { request: { method: 'POST' } } });
    expect(call?.cause?.exceptions[0]?.type).toBe('unreachable: ECONNREFUSED');
  });
});

describe('what is not a sample', () => {
  test.each([
    ['', 'no header'],
    [traceHeaderOf({ sampled: '0' }), 'not sampled'],
    [traceHeaderOf({ sampled: '?' }), 'undecided'],
    [traceHeaderOf({ sampled: '10' }), 'no decision that we know'],
    [`Root=${ROOT};Sampled=1`, 'no parent'],
    [`Parent=${PARENT};Sampled=1`, 'no trace'],
    [traceHeaderOf({ root: `${ROOT}0` }), 'a trace id that is too long'],
    [traceHeaderOf({ root: '1-5759e988-"};alert(1)//000000000' }), 'no trace id'],
    [traceHeaderOf({ parent: '../../etc/passwd' }), 'no parent id'],
    [`${'Root='.repeat(10_000)}Sampled=1`, 'a long one'],
  ])('%#: leaves no trace, and no trouble', async (header) => {
    trace(header);
    expect(beginSubsegment('some call')).toBeUndefined();
    await connect().send(update);
    trace(traceHeaderOf({ root: rootOf(drawn) }));
    await beginSubsegment('the last')?.({});

    expect((await daemon.waitFor(1)).map(({ name }) => name)).toEqual(['the last']);
  });
});

describe('the trace header', () => {
  test("is that of Lambda's own store, where Lambda has one", async () => {
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
  test('holds no more than 200 of our subsegments, and the next one as many again', async () => {
    for (let call = 0; call < 300; call += 1) {
      await beginSubsegment('a call of many')?.({});
      // The stand-in's buffer takes no more than some hundred at once.
      if (call % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await daemon.waitFor(200)).toHaveLength(200);
    expect(beginSubsegment('one too many')).toBeUndefined();
    trace(traceHeaderOf());

    expect(beginSubsegment('of the next trace')).toBeDefined();
  });

  test('takes names as X-Ray takes them', async () => {
    await beginSubsegment(`[::1]:8443 "<${'é'.repeat(300)}`)?.({});

    const [{ name } = {}] = await daemon.waitFor(1);
    expect(name).toMatch(/^_::1_:8443 __+$/);
    expect(name).toHaveLength(200);
  });
});

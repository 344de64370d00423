import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

const workDirectory = mkdtempSync(join(tmpdir(), 'identity-fixture-'));
const service = await startLocalService({
  workDirectory,
  projectDirectory: FIXTURE,
  seed: false,
  instances: 2,
  functionsEnvironment: { EXTRA: 'for tests' },
});
afterAll(async () => {
  await service.stop();
  rmSync(workDirectory, { recursive: true });
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, { method: 'POST', body: JSON.stringify(body), headers });
const probe = (body: object, headers = {}) => post('/v1/probe', body, headers);
const log = () => readFileSync(service.logFile, 'utf8');

async function untilBusy(functionName: string): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const busy = (await service.control.instances()).find((one) => one.function === functionName && one.busy);
    if (busy) return busy.pid;
    await sleep(20);
  }
  throw new Error(`${functionName} was never busy.`);
}

describe('the REST API runs what the template says', () => {
  test("a function gets the event of the request, Lambda's context and its declared environment only", async () => {
    const answer = await probe({ mode: 'echo' }, { 'X-Forwarded-Proto': 'http' });
    expect(answer.status).toBe(200);
    const { event, context, environment } = (await answer.json()) as Record<string, Record<string, unknown>>;
    expect(event).toMatchObject({ resource: '/v1/probe', httpMethod: 'POST', isBase64Encoded: true });
    expect(event?.['headers']).toMatchObject({ 'X-Forwarded-Proto': 'http' });
    expect(context).toMatchObject({
      functionName: environment?.['AWS_LAMBDA_FUNCTION_NAME'],
      memoryLimitInMB: '128',
    });
    expect(context?.['remainingMs']).toBeGreaterThan(1_000);
    expect(context?.['remainingMs']).toBeLessThanOrEqual(2_000);
    expect(environment).toMatchObject({ STAGE: 'local', EXTRA: 'for tests', _HANDLER: 'index.handler' });
    expect(environment).not.toHaveProperty('HOME');
    expect(environment).not.toHaveProperty('THINGS_TABLE');
  });

  test('the answer carries every header, those of the gateway under their new names', async () => {
    const answer = await probe({});
    expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(answer.headers.get('x-twice')).toBe('1, 2');
    expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a binary answer arrives byte for byte', async () => {
    const answer = await probe({ mode: 'binary' });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from([0, 255, 10, 13]));
  });

  test('an exact path goes before a parameter, ANY after a named method, and the rest to the proxy', async () => {
    const resourceOf = async (path: string, method = 'GET') => {
      const answer = await fetch(service.baseUrl + path, { method });
      return ((await answer.json()) as { event: { resource: string } }).event.resource;
    };
    expect(await resourceOf('/v1/things/all/')).toBe('/v1/things/all');
    expect(await resourceOf('/v1/things/other')).toBe('/v1/things/{id}');
    expect(await resourceOf('/v1/probe', 'DELETE')).toBe('/v1/probe');
    expect(await resourceOf('/else/where')).toBe('/{proxy+}');
  });

  test("what has no method gets the gateway's own answer, in the words of the template", async () => {
    const answer = await post('/v1/things/all', {});
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const requestId = answer.headers.get('x-amzn-requestid');
    expect(await answer.json()).toEqual({ code: 'ROUTE_NOT_FOUND', request_id: requestId });
  });

  test('a body over the limits and a header over the limit are refused before any function', async () => {
    const large = await fetch(`${service.baseUrl}/v1/probe`, {
      method: 'POST',
      body: Buffer.alloc(11 * 1024 * 1024),
    });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await probe({}, { 'X-Long': 'x'.repeat(10_300) })).status).toBe(431);
  });

  test('a function URL serves its function with events of version 2', async () => {
    const answer = await probe({ mode: 'registry' });
    expect(answer.status).toBe(203);
    expect(await answer.json()).toMatchObject({
      version: '2.0',
      rawPath: '/look-up',
      rawQueryString: 'number=1&number=2',
      body: 'ask',
      isBase64Encoded: false,
      requestContext: { http: { method: 'POST' } },
    });
  });
});

describe("a function that breaks gives the gateway's own answer", () => {
  const fault = async (answer: Response) => {
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'SERVER_ERROR' });
  };

  test('when its handler throws, and the log says why', async () => {
    await fault(await probe({ mode: 'throw' }));
    expect(log()).toContain('a fault of the handler');
  });

  test('when it returns no proper answer', async () => fault(await probe({ mode: 'malformed' })));

  test('when its process ends by itself, and the next request is served by another', async () => {
    await fault(await probe({ mode: 'exit' }));
    expect(log()).toContain('exit status 3');
    expect((await probe({})).status).toBe(200);
  });

  test('when it is killed in the middle of a request', async () => {
    const answer = probe({ mode: 'wait', ms: 1_500 });
    const pid = await untilBusy('probe');
    expect(await service.control.kill(pid)).toBe(true);
    await fault(await answer);
    expect(log()).toContain('signal: SIGKILL');
    expect((await service.control.instances()).map((one) => one.pid)).not.toContain(pid);
  });

  test('when it runs past its declared timeout, be it asleep or busy, and its process is gone', async () => {
    const startedAt = performance.now();
    await Promise.all([probe({ mode: 'wait', ms: 10_000 }).then(fault), probe({ mode: 'spin' }).then(fault)]);
    expect(performance.now() - startedAt).toBeGreaterThan(1_950);
    expect(performance.now() - startedAt).toBeLessThan(9_500);
    expect(log()).toContain('Task timed out after 2 s');
    const busy = (await service.control.instances()).filter((one) => one.function === 'probe' && one.busy);
    expect(busy).toEqual([]);
  });
});

test('requests beyond the instances wait, and their request time starts when one is free', async () => {
  const sentAt = Date.now();
  const waiting = [1, 2].map(() => probe({ mode: 'wait', ms: 1_200 }));
  const late = await probe({ mode: 'echo' });
  const { event } = (await late.json()) as { event: { requestContext: { requestTimeEpoch: number } } };
  expect(event.requestContext.requestTimeEpoch - sentAt).toBeGreaterThan(1_000);
  for (const answer of await Promise.all(waiting)) expect(await answer.text()).toBe('waited');
  const pids = (await service.control.instances()).filter((one) => one.function === 'probe');
  expect(pids.length).toBeLessThanOrEqual(2);
});

describe('a function may do what the policies of its role say, and nothing else', () => {
  const ask = async (target: string, content: object) => {
    const answer = await post('/v1/table', { target, content });
    return (await answer.json()) as { status: number; content: Record<string, unknown> };
  };
  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '1' } });

  test('its own actions reach the table', async () => {
    const item = { ...key('a'), colour: { S: 'green' } };
    expect((await ask('DynamoDB_20120810.PutItem', { Item: item })).status).toBe(200);
    const { content } = await ask('DynamoDB_20120810.GetItem', { Key: key('a') });
    expect(content['Item']).toEqual(item);
    const query = {
      IndexName: 'byColour',
      KeyConditionExpression: 'colour = :c',
      ExpressionAttributeValues: { ':c': { S: 'green' } },
    };
    expect((await ask('DynamoDB_20120810.Query', query)).content).toMatchObject({ Count: 1 });
  });

  test.each<[string, object]>([
    ['DeleteItem', { Key: key('a') }],
    ['Scan', {}],
    [
      'UpdateItem',
      { Key: key('a'), UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1' } } },
    ],
  ])('%s is denied, as AWS denies it, and the log tells', async (operation, content) => {
    const answer = await ask(`DynamoDB_20120810.${operation}`, content);
    expect(answer.status).toBe(400);
    expect(answer.content['__type']).toMatch(/#AccessDeniedException$/);
    expect(log()).toContain(`not authorized to perform: dynamodb:${operation}`);
  });

  test('an update is allowed for the leading keys of its condition', async () => {
    const change = { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1' } } };
    expect((await ask('DynamoDB_20120810.UpdateItem', { Key: key('RATE#a'), ...change })).status).toBe(200);
  });

  test('its own secret can be read, another one not', async () => {
    const own = await ask('secretsmanager.GetSecretValue', { variable: 'PEPPER_SECRET' });
    const value = JSON.parse(String(own.content['SecretString'])) as Record<string, string>;
    expect(value['current']).toMatch(/^[A-Za-z0-9]{64}$/);
    const foreign = await ask('secretsmanager.GetSecretValue', { variable: 'FOREIGN_SECRET' });
    expect(foreign.content['__type']).toMatch(/#AccessDeniedException$/);
  });

  test("a stranger's key is not known at all", async () => {
    const answer = await fetch(service.adminAwsEnvironment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', {
      method: 'POST',
      headers: { 'X-Amz-Target': 'DynamoDB_20120810.ListTables', Authorization: 'AWS4 Credential=AKIA/x' },
      body: '{}',
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('UnrecognizedClientException');
  });
});

test('a scheduled function can be run now, and gets the event of its rule', async () => {
  await service.control.runSchedule('tick');
  expect(log()).toContain('tick by aws.events');
  await expect(service.control.runSchedule('nobody')).rejects.toThrow('nobody');
});

test('a port that is taken is told at once, in clear words', async () => {
  const port = Number(new URL(service.baseUrl).port);
  const other = mkdtempSync(join(tmpdir(), 'identity-taken-'));
  const start = startLocalService({ port, workDirectory: other, projectDirectory: FIXTURE, seed: false });
  await expect(start).rejects.toThrow(`Port ${port} is taken by another program`);
  rmSync(other, { recursive: true });
});

test('everything listens on the loopback interface only', async () => {
  const port = Number(new URL(service.baseUrl).port);
  const outcome = new Promise((done) => {
    connect(port, '127.0.0.2')
      .once('error', done)
      .once('connect', () => done('connected'));
  });
  expect(await outcome).toMatchObject({ code: 'ECONNREFUSED' });
});

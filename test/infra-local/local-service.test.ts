import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { signedFetch } from '../../clients/operator/signed-fetch.ts';
import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

const workDirectory = mkdtempSync(join(tmpdir(), 'identity-fixture-'));
const service = await startLocalService({
  workDirectory,
  projectDirectory: FIXTURE,
  seed: false,
  instances: 2,
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
  for (let attempts = 0; attempts < 200; attempts += 1) {
    const busy = (await service.control.instances()).find(
      (instance) => instance.function === functionName && instance.busy,
    );
    if (busy) return busy.pid;
    await sleep(20);
  }
  throw new Error(`${functionName} was never busy.`);
}

describe('the REST API serves the routes of the template', () => {
  test("a function receives the event, Lambda's context and only its declared environment", async () => {
    const response = await probe({ mode: 'echo' }, { 'X-Forwarded-Proto': 'http' });
    expect(response.status).toBe(200);
    const { event, context, environment } = (await response.json()) as Record<
      string,
      Record<string, unknown>
    >;
    expect(event).toMatchObject({ resource: '/v1/probe', httpMethod: 'POST', isBase64Encoded: true });
    expect(event?.['headers']).toMatchObject({ 'X-Forwarded-Proto': 'http' });
    expect(context).toMatchObject({
      functionName: environment?.['AWS_LAMBDA_FUNCTION_NAME'],
      memoryLimitInMB: '128',
    });
    expect(context?.['remainingMs']).toBeGreaterThan(1_000);
    expect(context?.['remainingMs']).toBeLessThanOrEqual(2_000);
    expect(environment).toMatchObject({ STAGE: 'local', _HANDLER: 'index.handler' });
    expect(environment).not.toHaveProperty('HOME');
    expect(environment).not.toHaveProperty('THINGS_TABLE');
  });

  test('the response contains every header that the function returns, and reserved headers are renamed', async () => {
    const response = await probe({});
    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.get('x-twice')).toBe('1, 2');
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a binary body arrives unchanged', async () => {
    const response = await probe({ mode: 'binary' });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255, 10, 13]));
  });

  test('exact paths take precedence over parameters, named methods take precedence over ANY, and the proxy gets the rest', async () => {
    const resourceOf = async (path: string, method = 'GET') => {
      const response = await fetch(service.baseUrl + path, { method });
      return ((await response.json()) as { event: { resource: string } }).event.resource;
    };
    expect(await resourceOf('/v1/things/all/')).toBe('/v1/things/all');
    expect(await resourceOf('/v1/things/other')).toBe('/v1/things/{id}');
    expect(await resourceOf('/v1/probe', 'DELETE')).toBe('/v1/probe');
    expect(await resourceOf('/else/where')).toBe('/{proxy+}');
  });

  test('a request with an undeclared method gets the gateway response that the template declares', async () => {
    const response = await post('/v1/things/all', {});
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const requestId = response.headers.get('x-amzn-requestid');
    expect(await response.json()).toEqual({ code: 'ROUTE_NOT_FOUND', request_id: requestId });
  });

  test('a function that the API has no permission to invoke does not run', async () => {
    const response = await fetch(`${service.baseUrl}/v1/forbidden`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'SERVER_ERROR' });
  });

  test('a body or a header over the limit is rejected', async () => {
    const large = await fetch(`${service.baseUrl}/v1/probe`, {
      method: 'POST',
      body: Buffer.alloc(11 * 1024 * 1024),
    });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await probe({}, { 'X-Long': 'x'.repeat(10_300) })).status).toBe(431);
  });

  test('the console has its own address, and its functions receive the address of the API', async () => {
    const url = service.console?.url ?? '';
    expect(url).not.toBe(service.baseUrl);
    const response = await fetch(`${url}/console/probe`, { method: 'POST' });
    const { event, environment } = (await response.json()) as Record<string, Record<string, unknown>>;
    expect(event).toMatchObject({ resource: '/console/probe', isBase64Encoded: false });
    expect(environment).toMatchObject({ API_URL: `${service.baseUrl}/` });
    const codes = await Promise.all(
      [`${url}/v1/probe`, `${service.baseUrl}/console/probe`].map(async (address) => {
        return ((await (await fetch(address, { method: 'POST' })).json()) as { code: string }).code;
      }),
    );
    expect(codes).toEqual(['PAGE_NOT_FOUND', 'ROUTE_NOT_FOUND']);
  });

  test('a function URL sends events of version 2 to its function', async () => {
    const response = await probe({ mode: 'registry' });
    expect(response.status).toBe(203);
    expect(await response.json()).toMatchObject({
      version: '2.0',
      rawPath: '/look-up',
      rawQueryString: 'number=1&number=2',
      body: 'look up',
      isBase64Encoded: false,
      requestContext: { http: { method: 'POST' } },
    });
  });
});

describe('reserved concurrency', () => {
  test('a function URL responds with 429 while all reserved executions are in use, and serves again after that', async () => {
    const { environment } = (await (await probe({})).json()) as { environment: Record<string, string> };
    const ask = (ms: number) => fetch(`${environment['REGISTRY_URL']}?ms=${ms}`, { method: 'POST' });
    const first = ask(3_000);
    await untilBusy('registry');
    const second = await ask(0);

    expect([second.status, await second.text()]).toEqual([429, '{"Message":"Rate Exceeded."}']);
    expect((await first).status).toBe(203);
    expect((await ask(0)).status).toBe(203);
    expect(log()).toContain('"throttled"');
  });
});

describe('a function that fails causes the gateway response that the template declares', () => {
  const fault = async (response: Response) => {
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'SERVER_ERROR' });
  };

  test('when its handler throws, and the log contains the error', async () => {
    await fault(await probe({ mode: 'throw' }));
    expect(log()).toContain('an error of the handler');
  });

  test('when it returns a malformed result', async () => fault(await probe({ mode: 'malformed' })));

  test('when its process exits, and another process serves the next request', async () => {
    await fault(await probe({ mode: 'exit' }));
    expect(log()).toContain('exit status 3');
    expect((await probe({})).status).toBe(200);
  });

  test('when it is killed during a request', async () => {
    const response = probe({ mode: 'wait', ms: 1_500 });
    const pid = await untilBusy('probe');
    expect(await service.control.kill(pid)).toBe(true);
    await fault(await response);
    expect(log()).toContain('signal: SIGKILL');
    expect((await service.control.instances()).map(({ pid }) => pid)).not.toContain(pid);
  });

  test('when it waits or computes for longer than its declared timeout, and its process is killed', async () => {
    const startedAt = performance.now();
    await Promise.all([probe({ mode: 'wait', ms: 20_000 }).then(fault), probe({ mode: 'spin' }).then(fault)]);
    expect(performance.now() - startedAt).toBeGreaterThan(1_950);
    expect(log()).toContain('Task timed out after 2 s');
    const busy = (await service.control.instances()).filter(
      ({ function: name, busy }) => name === 'probe' && busy,
    );
    expect(busy).toEqual([]);
  });
});

test('requests are queued while all instances are busy, and get their request time when they leave the queue', async () => {
  const sentAt = Date.now();
  const waiting = [1, 2].map(() => probe({ mode: 'wait', ms: 1_200 }));
  const late = await probe({ mode: 'echo' });
  const { event } = (await late.json()) as { event: { requestContext: { requestTimeEpoch: number } } };
  expect(event.requestContext.requestTimeEpoch - sentAt).toBeGreaterThan(1_000);
  for (const response of await Promise.all(waiting)) expect(await response.text()).toBe('waited');
  const probes = (await service.control.instances()).filter(({ function: name }) => name === 'probe');
  expect(probes.length).toBeLessThanOrEqual(2);
});

describe('the policies of a role limit what its function can do', () => {
  const sendAwsRequest = async (target: string, content: object) => {
    const response = await post('/v1/table', { target, content });
    return (await response.json()) as { status: number; content: Record<string, unknown> };
  };
  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '1' } });

  test('permitted actions reach the table', async () => {
    const item = { ...key('a'), colour: { S: 'green' } };
    expect((await sendAwsRequest('DynamoDB_20120810.PutItem', { Item: item })).status).toBe(200);
    const { content } = await sendAwsRequest('DynamoDB_20120810.GetItem', { Key: key('a') });
    expect(content['Item']).toEqual(item);
    const query = {
      IndexName: 'byColour',
      KeyConditionExpression: 'colour = :c',
      ExpressionAttributeValues: { ':c': { S: 'green' } },
    };
    expect((await sendAwsRequest('DynamoDB_20120810.Query', query)).content).toMatchObject({ Count: 1 });
  });

  test.each<[string, object]>([
    ['DeleteItem', { Key: key('a') }],
    ['Scan', {}],
    [
      'UpdateItem',
      { Key: key('a'), UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1' } } },
    ],
  ])('%s is denied with AWS’s error, and the log contains its message', async (operation, content) => {
    const response = await sendAwsRequest(`DynamoDB_20120810.${operation}`, content);
    expect(response.status).toBe(400);
    expect(response.content['__type']).toMatch(/#AccessDeniedException$/);
    expect(log()).toContain(`not authorized to perform: dynamodb:${operation}`);
  });

  test('an update is allowed for the leading keys in the condition of the policy', async () => {
    const change = { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1' } } };
    expect(
      (await sendAwsRequest('DynamoDB_20120810.UpdateItem', { Key: key('RATE#a'), ...change })).status,
    ).toBe(200);
  });

  test('only a permitted secret can be read', async () => {
    const own = await sendAwsRequest('secretsmanager.GetSecretValue', { variable: 'PEPPER_SECRET' });
    const value = JSON.parse(String(own.content['SecretString'])) as Record<string, string>;
    expect(value['current']).toMatch(/^[A-Za-z0-9]{64}$/);
    const foreign = await sendAwsRequest('secretsmanager.GetSecretValue', { variable: 'FOREIGN_SECRET' });
    expect(foreign.content['__type']).toMatch(/#AccessDeniedException$/);
  });

  test('an unknown access key is rejected', async () => {
    const response = await fetch(service.adminAwsEnvironment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', {
      method: 'POST',
      headers: { 'X-Amz-Target': 'DynamoDB_20120810.ListTables', Authorization: 'AWS4 Credential=AKIA/x' },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('UnrecognizedClientException');
  });
});

describe('the API for operators', () => {
  const { url = '', credentials } = service.operators ?? {};
  const config = (own = credentials) =>
    new DynamoDBClient({
      region: 'eu-west-1',
      endpoint: service.adminAwsEnvironment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
      ...(own && { credentials: own }),
    });
  const call = (path: string, own = credentials) =>
    signedFetch({ method: 'POST', url: new URL(path, url), body: '{}' }, config(own).config);

  test('invokes the function with the identity of the person who started the service', async () => {
    const response = await call('/operations/top%20up?dry=a%20run');
    expect(response.status).toBe(200);
    const { event } = (await response.json()) as { event: APIGatewayProxyEvent };
    expect(event).toMatchObject({
      resource: '/operations/{name}',
      pathParameters: { name: 'top up' },
      queryStringParameters: { dry: 'a run' },
    });
    expect(event.requestContext.identity).toMatchObject({
      userArn: `arn:aws:iam::000000000000:user/${userInfo().username}`,
      accessKey: credentials?.accessKeyId,
      accountId: '000000000000',
      caller: expect.stringMatching(/^AIDA[0-9A-F]{17}$/),
    });
  });

  test('rejects requests that are not signed, that a different key signed, or that no policy allows', async () => {
    const unsigned = await fetch(`${url}/operations/x`, { method: 'POST', body: '{}' });
    const other = { accessKeyId: 'AKIA', secretAccessKey: 'x', sessionToken: 'local' };
    const wrong = { ...other, accessKeyId: credentials?.accessKeyId ?? '' };
    const responses = [
      unsigned,
      await call('/operations/x', other),
      await call('/operations/x', wrong),
      await call('/reports'),
      await call('/nowhere'),
    ];
    const seen = responses.map(async (response) => [
      response.status,
      response.headers.get('x-amzn-errortype'),
      ((await response.json()) as { message: string }).message,
    ]);
    const user = `arn:aws:iam::000000000000:user/${userInfo().username}`;
    expect(await Promise.all(seen)).toEqual([
      [403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'],
      [403, 'AccessDeniedException', 'The security token included in the request is invalid.'],
      [403, 'InvalidSignatureException', expect.stringMatching(/^The request signature we calculated/)],
      [
        403,
        'AccessDeniedException',
        expect.stringMatching(
          `^User: ${user} is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:000000000000:\\S+/local/POST/reports$`,
        ),
      ],
      [403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'],
    ]);
  });

  test("the person's credentials are also valid for the AWS endpoint, under the same policies", async () => {
    const client = config();
    const TableName = service.adminAwsEnvironment['THINGS_TABLE'] ?? '';
    const Key = { pk: { S: 'none' }, sk: { S: '1' } };
    expect(await client.send(new GetItemCommand({ TableName, Key }))).not.toHaveProperty('Item');
    await expect(client.send(new PutItemCommand({ TableName, Item: Key }))).rejects.toThrow(
      'not authorized to perform: dynamodb:PutItem',
    );
    client.destroy();
  });
});

test('a function can invoke itself asynchronously', async () => {
  expect((await post('/v1/repeat', {})).status).toBe(202);
  for (let attempts = 0; attempts < 500 && !log().includes('repeater has 0 left'); attempts += 1)
    await sleep(20);
  expect(log()).toContain('repeater has 0 left');
});

test('a scheduled function can be run at once, and receives the event of its rule', async () => {
  await service.control.runSchedule('tick');
  expect(log()).toContain('tick by aws.events');
  await expect(service.control.runSchedule('missing')).rejects.toThrow('missing');
});

test('ports that are in use are reported at once and together, each with its option', async () => {
  const port = Number(new URL(service.baseUrl).port);
  const other = mkdtempSync(join(tmpdir(), 'identity-taken-'));
  const ports = { port, consolePort: port, operatorsPort: port };
  const start = startLocalService({ ...ports, workDirectory: other, projectDirectory: FIXTURE, seed: false });
  const options = ['--port', '--console-port', '--operators-port'];
  const messages = options.map(
    (option) =>
      `Port ${port} is in use by another program. Stop that program, or choose another port with ${option}.`,
  );
  await expect(start).rejects.toThrow(messages.join(' '));
  rmSync(other, { recursive: true });
});

test('the API listens on the loopback interface only', async () => {
  const port = Number(new URL(service.baseUrl).port);
  const outcome = new Promise((done) => {
    connect(port, '127.0.0.2')
      .once('error', done)
      .once('connect', () => done('connected'));
  });
  expect(await outcome).toMatchObject({ code: 'ECONNREFUSED' });
});

describe('queues in the template', () => {
  async function send(body: string): Promise<void> {
    const { AWS_ENDPOINT_URL_SQS: endpoint = '', JOBS_QUEUE_URL: QueueUrl } = service.adminAwsEnvironment;
    expect(QueueUrl).toBe(`${endpoint}/000000000000/fixture-jobs`);
    const client = new SQSClient({
      endpoint,
      region: service.adminAwsEnvironment['AWS_REGION'] ?? '',
      credentials: {
        accessKeyId: service.adminAwsEnvironment['AWS_ACCESS_KEY_ID'] ?? '',
        secretAccessKey: service.adminAwsEnvironment['AWS_SECRET_ACCESS_KEY'] ?? '',
      },
    });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    client.destroy();
  }

  async function untilEmpty() {
    for (let attempts = 0; attempts < 10_000; attempts += 1) {
      const queues = await service.control.queues();
      const { visible, inFlight } = queues.find(({ name }) => name === 'fixture-jobs') ?? {};
      if (visible === 0 && inFlight === 0) return queues.find(({ name }) => name === 'fixture-failed-jobs');
      await sleep(20);
    }
    throw new Error('The queue was never empty.');
  }

  test('invoke the mapped function, and move failed messages to the dead-letter queue', async () => {
    await send('well');
    expect(await untilEmpty()).toMatchObject({ visible: 0 });
    expect(log()).toContain('worker received well for the time 1');
    expect(log()).not.toContain('worker received well for the time 2');

    await send('fail');
    expect(await untilEmpty()).toMatchObject({ visible: 1 });
    await send('throw');
    expect(await untilEmpty()).toMatchObject({ visible: 2 });
    for (const body of ['fail', 'throw']) {
      expect(log()).toContain(`worker received ${body} for the time 2`);
      expect(log()).not.toContain(`worker received ${body} for the time 3`);
    }
  });
});

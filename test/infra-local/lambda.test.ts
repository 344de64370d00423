import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { startAwsEndpoint } from '../../infra/local/aws/aws-endpoint.ts';
import { authoriser } from '../../infra/local/aws/policy.ts';
import { Principals } from '../../infra/local/aws/principals.ts';
import { Secrets } from '../../infra/local/aws/secrets.ts';
import { invokeAsynchronously } from '../../infra/local/functions/asynchronous-invocation.ts';
import type { InvocationResult } from '../../infra/local/functions/function-instance.ts';
import { Deployment } from '../../infra/local/templates/template.ts';

const ARN = 'arn:aws:lambda:eu-west-1:000000000000:function:import';
const principals = new Principals();
const invoked: unknown[] = [];
beforeEach(() => {
  invoked.length = 0;
});
const endpoint = await startAwsEndpoint({
  principals,
  tables: new Map(),
  secrets: new Secrets(new Deployment([])),
  invokeFunction: (functionArn, event) => functionArn === ARN && invoked.push(event) > 0,
  dynamoDb: { endpoint: 'http://127.0.0.1:1', accessKeyId: 'none' },
  onDenied: () => {},
});
afterAll(() => endpoint.close());

function clientFor(Resource: string): LambdaClient {
  const Statement = [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource }];
  const registered = principals.register({ arn: 'role', authorise: authoriser([{ Statement }]) });
  return new LambdaClient({
    endpoint: endpoint.url,
    region: 'eu-west-1',
    credentials: {
      accessKeyId: registered.AWS_ACCESS_KEY_ID,
      secretAccessKey: registered.AWS_SECRET_ACCESS_KEY,
      sessionToken: registered.AWS_SESSION_TOKEN,
    },
  });
}

const invoke = (
  FunctionName: string,
  resource = ARN,
  InvocationType: 'Event' | 'RequestResponse' = 'Event',
) => clientFor(resource).send(new InvokeCommand({ FunctionName, InvocationType, Payload: '{"job":"1"}' }));

test.each(['import', ARN])('%s is invoked, and the caller does not wait for it', async (name) => {
  expect((await invoke(name)).StatusCode).toBe(202);
  expect(invoked).toEqual([{ job: '1' }]);
});

test('a caller without permission, an unknown function and a synchronous invocation are rejected', async () => {
  await expect(invoke('import', `${ARN}-2`)).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `User: role is not authorized to perform: lambda:InvokeFunction on resource: ${ARN}`,
  });
  await expect(invoke('export', '*')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await expect(invoke('import', ARN, 'RequestResponse')).rejects.toMatchObject({
    name: 'InvalidParameterValueException',
  });
  expect(invoked).toEqual([]);
});

/** Invokes a function whose attempts have these results. Returns the pauses before the attempts. */
async function attempt(...reasons: ('returned' | 'threw' | 'exited' | 'throttled')[]) {
  const pauses: number[] = [];
  const next = async (): Promise<InvocationResult> => {
    const reason = reasons.shift() ?? 'returned';
    if (reason === 'returned') return { kind: 'returned', payload: null, body: undefined };
    return { kind: 'failed', reason };
  };
  await invokeAsynchronously(next, async (ms) => pauses.push(ms));
  expect(reasons).toEqual([]);
  return pauses;
}

test('a function that fails is invoked up to three times', async () => {
  expect(await attempt('returned')).toEqual([]);
  expect(await attempt('threw', 'exited', 'returned')).toEqual([1_000, 2_000]);
  await expect(attempt('threw', 'threw', 'exited')).rejects.toThrow('The last attempt failed: exited.');
});

test('an attempt that its reserved concurrency prevents does not count', async () => {
  expect(await attempt('throttled', 'threw', 'throttled', 'threw', 'returned')).toHaveLength(4);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { INVOKED_BY_API } from '../../../infra/routes.ts';
import { newApiKeyText } from '../../../shared/accounts/api-key.ts';
import { awsApi } from '../../../shared/rollout/aws-api.ts';
import { checkNewVersion } from '../../../shared/rollout/check-new-version.ts';
import { codeDeploy } from '../../../shared/rollout/deployment.ts';
import { lambdaVersions } from '../../../shared/rollout/invoke-version.ts';
import { ROUTE_CHECKS } from '../../../shared/rollout/route-checks.ts';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, ninRoute } from '../../security/routes-in-memory.ts';
import {
  appSpecOf,
  type DeploymentDoubles,
  type Invocation,
  startDeploymentDoubles,
} from '../../support/deployment-doubles.ts';

/** The check of a new version, with test doubles for CodeDeploy and Lambda over HTTP. */

const HOOK = { DeploymentId: 'd-MADEUP123', LifecycleEventHookExecutionId: 'made-up-execution' };
const KEY = newApiKeyText('test', 'MadeUpOrg1');

let doubles: DeploymentDoubles;
let waits: number[];
let nowMs: number;
/** The events that reached the function, in order. */
let events: APIGatewayProxyEvent[];
beforeAll(async () => {
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'made-up-key-id',
    AWS_SECRET_ACCESS_KEY: 'made-up-secret',
  });
  doubles = await startDeploymentDoubles();
});
afterAll(() => doubles.close());
beforeEach(() => {
  waits = [];
  events = [];
  nowMs = Date.parse('2026-11-22T17:00:00Z');
  doubles.calls.length = 0;
  doubles.reports.length = 0;
  doubles.fail = () => undefined;
});

/** Returns a response of the function: the envelope with this code. */
const answer = (statusCode: number, code: string) => ({
  result: {
    statusCode,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ success: statusCode === 200, code }),
  },
});
const REJECTED = answer(401, 'INVALID_API_KEY');
const VERIFIED = answer(200, 'NIN_VERIFIED');
const hasKey = ({ multiValueHeaders }: APIGatewayProxyEvent) => 'Authorization' in multiValueHeaders;

/** Runs the check of a function that returns these responses to requests without and with a key. */
async function check(
  withoutKey: Invocation,
  withKey: Invocation | (() => Invocation) = VERIFIED,
  {
    key = KEY,
    appSpec = appSpecOf('identity-prod-api-nin-basic', '7'),
  }: { key?: string; appSpec?: string } = {},
): Promise<string> {
  doubles.appSpec = appSpec;
  doubles.invoke = async (_name, _version, event) => {
    events.push(event);
    if (!hasKey(event)) return withoutKey;
    return typeof withKey === 'function' ? withKey() : withKey;
  };
  return run(key);
}

/** Runs the check. Returns the reported status. */
async function run(key: string): Promise<string> {
  const wait = async (ms: number) => {
    waits.push(ms);
    nowMs += ms;
  };
  const call = awsApi(doubles.url, wait);
  await checkNewVersion(HOOK, {
    deployments: codeDeploy(call),
    invoke: lambdaVersions(call, () => nowMs),
    readTestKey: async (): Promise<Record<string, string>> => (key ? { current: key } : {}),
    routes: { 'nin-basic': 'POST /v1/ng/nin-basic', 'slip-check': 'GET /v1/slips/check/{token}' },
    functionPrefix: 'identity-prod-api-',
    nowMs: () => nowMs,
    wait,
  });
  expect(doubles.reports).toHaveLength(1);
  const { status, ...execution } = doubles.reports[0] as { status: string };
  expect(execution).toEqual({
    deploymentId: HOOK.DeploymentId,
    lifecycleEventHookExecutionId: HOOK.LifecycleEventHookExecutionId,
  });
  return status;
}

describe('a new version receives traffic', () => {
  test('if it rejects a request without a key and serves one with the test key', async () => {
    expect(await check(REJECTED)).toBe('Succeeded');
    expect(doubles.calls).toEqual([
      'GetDeployment',
      'GetApplicationRevision',
      '/2015-03-31/functions/identity-prod-api-nin-basic/invocations?Qualifier=7',
      '/2015-03-31/functions/identity-prod-api-nin-basic/invocations?Qualifier=7',
      'PutLifecycleEventHookExecutionStatus',
    ]);
    const [first, second] = events;
    expect(first?.multiValueHeaders).not.toHaveProperty('Authorization');
    expect(second?.multiValueHeaders).toMatchObject({
      Authorization: [`Bearer ${KEY}`],
      'Idempotency-Key': ['check-d-MADEUP123'],
    });
    expect(second?.isBase64Encoded).toBe(true);
    expect(JSON.parse(Buffer.from(second?.body ?? '', 'base64').toString())).toEqual({
      id_number: '70000000001',
    });
  });

  test('if it rejects a request without a key and the operator has stored no test key', async () => {
    expect(await check(REJECTED, VERIFIED, { key: '' })).toBe('Succeeded');
    expect(events).toHaveLength(1);
  });

  test.each([
    [
      'YAML',
      'Resources:\n  - x:\n      Properties:\n        Name: "identity-prod-api-nin-basic"\n        TargetVersion: "7"\n',
    ],
    [
      'ARNs',
      appSpecOf(
        'arn:aws:lambda:eu-west-1:111122223333:function:identity-prod-api-nin-basic',
        'arn:aws:lambda:eu-west-1:111122223333:function:identity-prod-api-nin-basic:7',
      ),
    ],
  ])('if its AppSpec is written with %s', async (_, appSpec) => {
    expect(await check(REJECTED, VERIFIED, { appSpec })).toBe('Succeeded');
    expect(doubles.calls[2]).toContain('identity-prod-api-nin-basic/invocations?Qualifier=7');
  });

  test('if a temporary failure of AWS ends', async () => {
    const failures = [
      { status: 400, type: 'ThrottlingException' },
      { status: 500, type: 'ServiceException' },
    ];
    doubles.fail = (action) => (action === 'GetDeployment' ? failures.pop() : undefined);

    expect(await check(REJECTED)).toBe('Succeeded');
    expect(waits).toHaveLength(2);
  });

  test('if the sandbox is busy at first', async () => {
    const responses = [VERIFIED, answer(503, 'SERVICE_UNAVAILABLE'), answer(429, 'RATE_LIMITED')];

    expect(await check(REJECTED, () => responses.pop() ?? VERIFIED)).toBe('Succeeded');
    expect(waits).toEqual([3_000, 3_000]);
  });
});

describe('a new version receives no traffic', () => {
  test.each([
    ['crashes', { crash: { errorType: 'Runtime.ImportModuleError', errorMessage: 'secret text' } }, VERIFIED],
    ['accepts a request without a key', VERIFIED, VERIFIED],
    ['fails', answer(500, 'SERVER_ERROR'), VERIFIED],
    ['responds to the test key with 401', REJECTED, REJECTED],
    ['responds to the test key with another code', REJECTED, answer(200, 'BVN_VERIFIED')],
    ['responds without an envelope', REJECTED, { result: { statusCode: 200, body: 'OK' } }],
    ['responds to the test key with 402', REJECTED, answer(402, 'INSUFFICIENT_FUNDS')],
    ['does not return a REST API response', { result: 'OK' }, VERIFIED],
  ])('if it %s', async (_, withoutKey, withKey) => {
    expect(await check(withoutKey, withKey)).toBe('Failed');
  });

  test('if the sandbox does not recover within 45 s', async () => {
    expect(await check(REJECTED, answer(503, 'SERVICE_UNAVAILABLE'))).toBe('Failed');
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(45_000);
  });

  test('if the operator stored a live key, which is not sent', async () => {
    expect(await check(REJECTED, VERIFIED, { key: newApiKeyText('live', 'MadeUpOrg1') })).toBe('Failed');
    expect(events).toHaveLength(1);
  });

  test('if the function has no check', async () => {
    expect(await check(REJECTED, VERIFIED, { appSpec: appSpecOf('identity-prod-new', '7') })).toBe('Failed');
    expect(events).toEqual([]);
  });

  test.each(['GetDeployment', 'GetApplicationRevision', 'Invoke'])('if %s is denied', async (denied) => {
    doubles.fail = (action) =>
      action === denied ? { status: 403, type: 'AccessDeniedException' } : undefined;
    expect(await check(REJECTED)).toBe('Failed');
  });
});

test("real handlers read the check's events like those from API Gateway", async () => {
  const service = memoryService();
  service.registry.lookUp = findsAll;
  const who = await service.newCaller(1, 'test');
  nowMs = service.clock.nowMs;
  const handler = ninRoute(service.deps);
  const context = { getRemainingTimeInMillis: () => 28_000 } as Context;
  doubles.appSpec = appSpecOf('identity-prod-api-nin-basic', '7');
  doubles.invoke = async (_name, _version, event) => ({ result: await handler(event, { ...context }) });

  expect(await run(who.text)).toBe('Succeeded');
  expect(await service.balance(who)).toMatchObject({ available: 0 });
  // Repeating the same check is a replay.
  doubles.reports.length = 0;
  expect(await run(who.text)).toBe('Succeeded');
});

test('every route has a check, and every check has a route', () => {
  const names = INVOKED_BY_API.map(({ name }) => name);
  expect(Object.keys(ROUTE_CHECKS).sort()).toEqual(names.sort());
});

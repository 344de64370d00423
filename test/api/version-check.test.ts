import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PREFIXES, ROUTES, UNKNOWN_ROUTE } from '../../infra/routes.ts';
import { newApiKeyText } from '../../shared/accounts/api-key.ts';
import { awsApi } from '../../shared/rollout/aws-api.ts';
import { checkNewVersion } from '../../shared/rollout/check-new-version.ts';
import { codeDeploy } from '../../shared/rollout/deployment.ts';
import { lambdaVersions } from '../../shared/rollout/invoke-version.ts';
import { appSpecOf, type DeploymentDoubles, startDeploymentDoubles } from '../support/deployment-doubles.ts';
import { baseUrl, organisation } from '../support/service.ts';

/**
 * The check of new versions, run against the real functions. A test double for Lambda sends each event to the local
 * service.
 */

const customer = await organisation({ credits: 20 });
let doubles: DeploymentDoubles;
beforeAll(async () => {
  doubles = await startDeploymentDoubles();
  doubles.invoke = async (_name, _version, event) => ({ result: await send(event) });
});
afterAll(() => doubles.close());

async function send({ path, httpMethod, headers, body }: APIGatewayProxyEvent) {
  const { 'X-Forwarded-Proto': _proto, 'X-Forwarded-Port': _port, ...sent } = headers;
  const response = await fetch(baseUrl + path, {
    method: httpMethod,
    headers: sent as Record<string, string>,
    ...(body !== null && { body: Buffer.from(body, 'base64') }),
  });
  return {
    statusCode: response.status,
    headers: { 'Content-Type': response.headers.get('content-type') },
    body: await response.text(),
  };
}

const paths = ROUTES.map(({ name, method, path }) => [name, `${method} ${PREFIXES[0]}${path}`]);
const routes = Object.fromEntries([...paths, [UNKNOWN_ROUTE.name, 'GET /']]) as Record<string, string>;

async function check(name: string, key: string): Promise<unknown> {
  doubles.appSpec = appSpecOf(`identity-prod-api-${name}`, '7');
  doubles.reports.length = 0;
  const call = awsApi(doubles.url);
  const hook = { DeploymentId: `d-${name}`, LifecycleEventHookExecutionId: 'made-up-execution' };
  await checkNewVersion(hook, {
    deployments: codeDeploy(call),
    invoke: lambdaVersions(call, Date.now),
    readTestKey: async () => ({ current: key }),
    routes,
    functionPrefix: 'identity-prod-api-',
    nowMs: Date.now,
    wait: async () => undefined,
  });
  return (doubles.reports[0] as { status: string }).status;
}

test.each(Object.keys(routes))('the function of %s passes with a test key', async (name) => {
  expect(await check(name, customer.test)).toBe('Succeeded');
});

test('the checks charge test credits only', async () => {
  expect((await customer.balance('live')).available).toBe(20);
  expect((await customer.balance('test')).available).toBeLessThan(20);
});

test('a function that rejects the test key fails the check', async () => {
  expect(await check('banks', newApiKeyText('test', customer.id))).toBe('Failed');
});

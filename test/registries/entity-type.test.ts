import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { testTrafficOf } from '../../infra/stages/capacity.ts';
import { local } from '../../infra/stages/local.ts';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import { providerHistoryTable } from '../../shared/registries/health/provider-history-table.ts';
import { providerRecorder } from '../../shared/registries/health/recorder.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';
import { liveProvider } from '../../shared/registries/providers/make-provider.ts';
import { registryRouter } from '../../shared/registries/router.ts';
import { verificationRoute } from '../../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody } from '../../shared/verifications/requests.ts';
import { startTestDeployment, type TestDeployment } from '../operator/test-deployment.ts';
import { DOJAH_KEYS, startDojah } from '../support/registries/dojah-double.ts';
import type { TestDouble } from '../support/registries/double.ts';
import { PREMBLY_KEY, startPrembly } from '../support/registries/prembly-double.ts';

/**
 * CAC verifications by the service's handlers in this process. Dojah serves the basic level, and Prembly serves the
 * premium level.
 */
let deployment: TestDeployment;
let doubles: { readonly dojah: TestDouble; readonly prembly: TestDouble };
let key = '';
let organisationId = '';

beforeAll(async () => {
  deployment = await startTestDeployment();
  doubles = { dojah: await startDojah(), prembly: await startPrembly() };
  Object.assign(process.env, deployment.environment, {
    TEST_TRAFFIC: JSON.stringify(testTrafficOf(local)),
    STAGE: 'local',
  });
  const { id } = await deployment.operator.createOrganisation('Harmattan');
  organisationId = id;
  await deployment.operator.approve(id);
  await deployment.operator.enableServices(id, ['CAC']);
  const wallet = { env: 'live', organisationId } as const;
  await deployment.operator.topUp(wallet, { amount: 20, reference: 'r', actor: 'ada', reason: 'test' });
  key = (await deployment.operator.createKey({ organisationId, env: 'live', label: 'test' })).text;
});
afterAll(async () => {
  await doubles.dojah.stop();
  await doubles.prembly.stop();
  await deployment.close();
});

function routeTo(provider: 'dojah' | 'prembly', service: 'cac-basic' | 'cac-premium'): LambdaHandler {
  const { baseUrl } = doubles[provider];
  const secret = provider === 'dojah' ? { ...DOJAH_KEYS, baseUrl } : { apiKey: PREMBLY_KEY, baseUrl };
  const table = registryStateTable(deployment.client, deployment.tables.apiKeys);
  const registries = registryRouter({
    routing: { CAC: [provider] },
    makeProvider: () => liveProvider(provider, { credentials: async () => secret, allowLocal: true }),
    recorder: providerRecorder(table, providerHistoryTable(deployment.client, deployment.tables.apiKeys)),
    nowMs: Date.now,
  });
  const route = { name: service, idType: 'CAC', body: dedicatedBody(service) } as const;
  const pepper = async () => ({ current: 'a pepper for this test only' });
  return verificationRoute(route, {
    ...verificationDependencies({}),
    registries,
    pepper,
    registryTimeoutMs: 5_000,
  });
}

async function verify(handler: LambdaHandler, number: string) {
  const event = {
    httpMethod: 'POST',
    path: '/v1',
    multiValueHeaders: { 'Content-Type': ['application/json'], Authorization: [`Bearer ${key}`] },
    multiValueQueryStringParameters: null,
    body: Buffer.from(JSON.stringify({ id_number: number })).toString('base64'),
    isBase64Encoded: true,
    requestContext: { identity: { sourceIp: '203.0.113.7' }, requestTimeEpoch: Date.now() },
  } as unknown as APIGatewayProxyEvent;
  const response = await handler(event, { getRemainingTimeInMillis: () => 28_000 } as Context);
  const { code, data } = JSON.parse(response.body);
  const charged = response.headers?.['X-Credits-Charged'];
  return { code, charged, number: data?.rcNumber, name: data?.companyName };
}

const available = async () => (await deployment.operator.balance({ env: 'live', organisationId })).available;

test('a verification fails without a charge if the provider returns an entity of a different type', async () => {
  const dojah = routeTo('dojah', 'cac-basic');
  const before = await available();
  expect(await verify(dojah, 'RC7000')).toEqual({ code: 'CAC_VERIFICATION_FAILED', charged: '0' });
  expect(await available()).toBe(before);
  expect(await verify(dojah, 'bn7000')).toMatchObject({
    code: 'CAC_VERIFIED',
    charged: '1',
    number: 'BN7000',
  });
});

test('the entity with the right number and type is found after others in a list', async () => {
  const prembly = routeTo('prembly', 'cac-premium');
  expect(await verify(prembly, 'RC7000')).toEqual({
    code: 'CAC_VERIFIED',
    charged: '1',
    number: 'RC7000',
    name: 'EXAMPLE CLUB',
  });
});

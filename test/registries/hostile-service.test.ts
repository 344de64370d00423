import type { Socket } from 'node:net';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { documentedCodes, type RouteName } from '../../infra/openapi/route-codes.ts';
import { testTrafficOf } from '../../infra/stages/capacity.ts';
import { local } from '../../infra/stages/local.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { registryStateKey } from '../../shared/core/keys.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import { providerHistoryTable } from '../../shared/registries/health/provider-history-table.ts';
import { providerRecorder } from '../../shared/registries/health/recorder.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';
import { LIVE_PROVIDER_NAMES, liveProviderName } from '../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../shared/registries/providers/make-provider.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { registryRouter } from '../../shared/registries/router.ts';
import { verificationRoute } from '../../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody, gatewayBody } from '../../shared/verifications/requests.ts';
import { SERVICE_NAMES, SERVICES } from '../../shared/verifications/services.ts';
import { startTestDeployment, type TestDeployment } from '../operator/test-deployment.ts';
import { bodyAround, recordAbout } from '../support/registries/any-envelope.ts';
import { BEHAVIOURS, type HostileServer, startHostileServer } from '../support/registries/hostile-server.ts';
import {
  bodyWith,
  ESCAPED_DIRECTORS,
  HOSTILE_LISTS,
  HOSTILE_TEXTS,
} from '../support/registries/hostile-sizes.ts';
import { isComplete } from '../support/sample.ts';
import { unsigned } from '../support/sandbox-server.ts';

/**
 * The service's handlers in this process, with every provider in the routing and all of them hostile: each connection
 * gets a random behaviour. Callers must get a documented failure in time, and must not be charged.
 */
jest.setTimeout(400_000);

const CALLS = isComplete ? 500 : 100;
const AT_ONCE = 10;
const REGISTRY_TIMEOUT_MS = 2_400;
/** The time for everything but the registry, on a machine that may run other tests at the same time. */
const MARGIN_MS = 8_000;
const seed = Date.now();

/** Returns a behaviour that sends a complete response with a wrong record. */
function wrongRecord(record: unknown): (socket: Socket) => void {
  return sends(JSON.stringify(bodyAround(record)));
}

function sends(body: string): (socket: Socket) => void {
  const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return (socket) => socket.once('data', () => socket.end(head + body));
}
const WRONG = recordAbout('99999999999');
const WRONG_RECORDS = [
  wrongRecord(WRONG),
  wrongRecord(Object.fromEntries(Object.keys(WRONG).map((name) => [name, { $ne: null }]))),
  wrongRecord(Object.fromEntries(Object.keys(WRONG).map((name) => [name, [7]]))),
  wrongRecord(null),
];
const behaviours: readonly ((socket: Socket) => void)[] = [...Object.values(BEHAVIOURS), ...WRONG_RECORDS];

let deployment: TestDeployment;
let hostile: HostileServer;
let key = '';
let organisationId = '';
const handlers = new Map<string, LambdaHandler>();
const providers = [...LIVE_PROVIDER_NAMES, 'sandbox'];
const providerKeys = ID_TYPES.flatMap((idType) =>
  providers.map((provider) => ({ provider, env: 'live', idType }) as const),
);

beforeAll(async () => {
  deployment = await startTestDeployment();
  hostile = await startHostileServer();
  const random = fc.sample(fc.nat(behaviours.length - 1), { numRuns: 5_000, seed });
  hostile.behaviour = (socket) => behaviours[random[hostile.connections() % random.length] ?? 0]?.(socket);
  Object.assign(process.env, deployment.environment, {
    TEST_TRAFFIC: JSON.stringify(testTrafficOf(local)),
    STAGE: 'local',
  });
  const { id } = await deployment.operator.createOrganisation('Harmattan');
  organisationId = id;
  await deployment.operator.approve(id);
  await deployment.operator.enableServices(id, [...ID_TYPES], 'CBN licence 1');
  await deployment.operator.setRate(id, { perSecond: 10_000, burst: 10_000 });
  const wallet = { env: 'live', organisationId: id } as const;
  await deployment.operator.topUp(wallet, { amount: 20, reference: 'r', actor: 'ada', reason: 'test' });
  key = (await deployment.operator.createKey({ organisationId: id, env: 'live', label: 'test' })).text;
  const deps = { ...verificationDependencies({}), ...hostileDependencies() };
  for (const service of SERVICE_NAMES.filter((name) => name !== 'nin-slip')) {
    const route = { name: service, idType: SERVICES[service].idType, body: dedicatedBody(service) };
    handlers.set(service, verificationRoute(route, deps));
  }
  const gateway = { name: 'verify-identity', body: gatewayBody, errorStyle: 'gateway' } as const;
  handlers.set('verify-identity', verificationRoute(gateway, deps));
});
afterAll(async () => {
  await hostile.stop();
  await deployment.close();
});

function hostileDependencies() {
  const { baseUrl } = hostile;
  const secret = { apiKey: 'k', appId: 'a', clientId: 'c', secret: 's', baseUrl };
  const { client, tables } = deployment;
  const recorder = providerRecorder(
    registryStateTable(client, tables.apiKeys),
    providerHistoryTable(client, tables.apiKeys),
  );
  const registries = registryRouter({
    routing: Object.fromEntries(ID_TYPES.map((idType) => [idType, providers])),
    makeProvider: (name) =>
      name === 'sandbox'
        ? sandboxProvider({ url: baseUrl, secret: async () => 's', sign: unsigned })
        : liveProvider(liveProviderName(name), { credentials: async () => secret, allowLocal: true }),
    recorder,
    nowMs: Date.now,
  });
  const pepper = async () => ({ current: 'a pepper for this test only' });
  return { registries, pepper, registryTimeoutMs: REGISTRY_TIMEOUT_MS };
}

/** Deletes the states of the breakers. Otherwise they would soon be open, and no provider would be asked. */
async function deleteStates(): Promise<void> {
  const { client, tables } = deployment;
  for (const key of providerKeys)
    await client.send(new DeleteCommand({ TableName: tables.apiKeys, Key: registryStateKey(key) }));
}

function call(route: string, idType: IdType): Promise<APIGatewayProxyResult> {
  const { example } = numberFormat(idType);
  const params = { params: { id_number: example }, country: 'NG', id_type: idType };
  const body = {
    ...(route === 'verify-identity' ? params : { id_number: example }),
    ...(idType === 'NUBAN' && { bank_code: '058' }),
    consent: 'reference',
  };
  const event = {
    httpMethod: 'POST',
    path: '/v1',
    multiValueHeaders: { 'Content-Type': ['application/json'], Authorization: [`Bearer ${key}`] },
    multiValueQueryStringParameters: null,
    body: Buffer.from(JSON.stringify(body)).toString('base64'),
    isBase64Encoded: true,
    requestContext: { identity: { sourceIp: '203.0.113.7' }, requestTimeEpoch: Date.now() },
  } as unknown as APIGatewayProxyEvent;
  const handler = handlers.get(route);
  if (!handler) throw new Error(`There is no route ${route}.`);
  return handler(event, { getRemainingTimeInMillis: () => 28_000 } as Context);
}

test('S30: a registry that responds badly (…)', async () => {
  const routes = [...handlers.keys()];
  const randomCalls = fc.sample(fc.tuple(fc.nat(routes.length - 1), fc.constantFrom('NIN', 'BVN', 'CAC')), {
    numRuns: CALLS,
    seed,
  });
  const seen = new Map<string, number>();
  // Keeps the metric lines of the calls out of the output.
  const quiet = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  let longestMs = 0;
  for (let begun = 0; begun < CALLS; begun += AT_ONCE) {
    if (begun % 50 === 0) await deleteStates();
    const batch = randomCalls.slice(begun, begun + AT_ONCE).map(async ([routeIndex, gatewayType]) => {
      const route = routes[routeIndex] ?? '';
      const service = SERVICES[route as keyof typeof SERVICES];
      const idType = service?.idType ?? gatewayType;
      const startedMs = Date.now();
      const { statusCode, headers = {}, body } = await call(route, idType);
      longestMs = Math.max(longestMs, Date.now() - startedMs);
      const { success, code, data } = JSON.parse(body);
      const context = `${route} ${idType}, seed ${seed}: ${statusCode} ${code}`;
      seen.set(code, (seen.get(code) ?? 0) + 1);
      expect([context, success, data]).toEqual([context, false, null]);
      expect([context, documentedCodes(route as RouteName).includes(code)]).toEqual([context, true]);
      expect([context, code === 'SERVER_ERROR']).toEqual([context, false]);
      expect([context, headers['X-Credits-Charged']]).toEqual([context, '0']);
      expect([context, body.includes(numberFormat(idType).example)]).toEqual([context, false]);
    });
    await Promise.all(batch);
  }
  quiet.mockRestore();
  process.stdout.write(
    `${CALLS} calls, ${hostile.connections()} connections, longest ${longestMs} ms: ${JSON.stringify(Object.fromEntries(seen))}\n`,
  );
  expect(hostile.connections()).toBeGreaterThan(CALLS / 2);
  expect(longestMs).toBeLessThan(REGISTRY_TIMEOUT_MS + MARGIN_MS);
  const balance = await deployment.operator.balance({ env: 'live', organisationId });
  expect(balance).toMatchObject({ available: 20, held: 0 });
});

describe('a provider that sends more than the service accepts', () => {
  const respondWith = (idType: IdType, field: string, json: string) => {
    const record = recordAbout(numberFormat(idType).example.replace(/^RC/, ''));
    hostile.behaviour = sends(bodyWith('prembly', idType, record, field, json));
  };
  const available = async () =>
    (await deployment.operator.balance({ env: 'live', organisationId })).available;
  beforeEach(deleteStates);

  test.each([
    ...Object.entries(HOSTILE_TEXTS).map(([name, json]) => [name, 'nin-premium', 'firstname', json] as const),
    ...Object.entries(HOSTILE_LISTS).map(([name, json]) => [name, 'cac-premium', 'directors', json] as const),
    ['a company whose response is 7 MB long', 'cac-premium', 'directors', ESCAPED_DIRECTORS] as const,
  ])('%s is a failed verification without a charge', async (_, route, field, json) => {
    const { idType } = SERVICES[route];
    const [before, connections] = [await available(), hostile.connections()];
    respondWith(idType, field, json);
    const { statusCode, headers = {}, body } = await call(route, idType);
    expect([statusCode, JSON.parse(body).code]).toEqual([400, `${idType}_VERIFICATION_FAILED`]);
    expect(headers['X-Credits-Charged']).toBe('0');
    expect(await available()).toBe(before);
    // The look-up was made, and no second provider was asked.
    expect(hostile.connections()).toBe(connections + 1);
  });

  test('the record of a company with 500 directors is charged, so the failures above were not free for lack of credits', async () => {
    const before = await available();
    respondWith('CAC', 'directors', JSON.stringify(Array(500).fill({ surname: 'OBI', firstname: 'ADA' })));
    const { statusCode, body } = await call('cac-premium', 'CAC');
    const { code, data } = JSON.parse(body);
    expect([statusCode, code, data?.directors.length]).toEqual([200, 'CAC_VERIFIED', 500]);
    expect(await available()).toBe(before - 1);
  });
});

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Caller } from '../../accounts/middleware/caller.ts';
import { caller as callerOf } from '../../accounts/middleware/caller.ts';
import { organisation as admittedOrganisation } from '../../accounts/middleware/organisation.ts';
import type { Organisation } from '../../accounts/organisation.ts';
import { rateLimitTable } from '../../accounts/rate-limit-table.ts';
import { testTrafficTable } from '../../accounts/test-traffic-table.ts';
import { recordAlone, type TransactItem } from '../../audit/audit-table.ts';
import { REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { batchGet, database, type Row } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { TEST_TRAFFIC_KEY } from '../../core/keys.ts';
import { refreshSecret, secret } from '../../core/secrets.ts';
import type { Middleware, RequestContext } from '../../http/context.ts';
import type { HttpResponse } from '../../http/result.ts';
import { instanceMemory } from '../../ledger/dependencies.ts';
import { readBalance } from '../../ledger/read-balance.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { ALWAYS_CLOSED } from '../../registries/breaker.ts';
import { NO_STATES } from '../../registries/health/state-copies.ts';
import { builtInSandbox } from '../../registries/providers/sandbox/built-in.ts';
import { registryRouter } from '../../registries/router.ts';
import type { SlipPress } from '../../slips/make-slip.ts';
import { slipLookUp, slipPress } from '../../slips/routes/nin-slip.ts';
import { matchRecord } from '../match-record.ts';
import { type ChargedLookUp, chargedChain, recordLookUp } from '../middleware/charged-route.ts';
import { creditOf } from '../middleware/credit.ts';
import { type LookUpDependencies, ledgerDependencies } from '../middleware/dependencies.ts';
import { rowsOfLookUp } from '../middleware/values.ts';
import { dedicatedBody, gatewayBody } from '../requests.ts';
import { accountLookUp, NUBAN_ROUTE } from '../routes/nuban-basic.ts';
import { type LookUpRoute, SERVICES } from '../services.ts';
import type { testRequestBody } from './bodies.ts';
import { testSamples } from './call-samples.ts';
import { explainedFields, meaningOf } from './explained-response.ts';
import { testDocumentation } from './test-routes.ts';
import type { TestRequestView } from './views.ts';

/** POST /playground: sends a request through the chain of its route. */

export interface PlaygroundDependencies {
  readonly lookUps: LookUpDependencies;
  readonly press: SlipPress;
  /** Writes the audit trail entry of a request before it is sent. */
  readonly record: (items: readonly TransactItem[]) => Promise<void>;
  readonly apiUrl: string;
  readonly documentationUrl: string;
}

/** Creates the dependencies of the route, whose only registry is the built-in sandbox. */
export function playgroundDependencies(): PlaygroundDependencies {
  const client = database();
  const pepper = () => secret('PEPPER');
  pepper().catch(() => undefined);
  const registries = registryRouter({
    routing: {},
    makeProvider: () => builtInSandbox(),
    // The sandbox's health is not shared with other functions.
    recorder: { record: async () => undefined, beginRead: () => NO_STATES, takeProbe: async () => true },
    nowMs: REAL_CLOCK.nowMs,
  });
  return {
    lookUps: {
      ...ledgerDependencies(),
      clock: REAL_CLOCK,
      memory: instanceMemory(),
      registries,
      limiter: rateLimitTable(client, setting('API_KEYS_TABLE')),
      testTraffic: testTrafficTable(client, setting('API_KEYS_TABLE'), setting('TEST_TRAFFIC')),
      pepper,
      refreshPepper: () => refreshSecret('PEPPER'),
      registryTimeoutMs: setting('REGISTRY_TIMEOUT_MS'),
      // Test wallets have no balance events.
      publishSoon: async () => undefined,
      lowBalanceCredits: 0,
    },
    press: slipPress(),
    record: (items) => recordAlone(client, items),
    apiUrl: setting('API_URL'),
    documentationUrl: setting('DOCUMENTATION_URL'),
  };
}

/** Reads the budget for test traffic. */
export function readTestTraffic(): Prefetch<Row> {
  const [client, table] = [database(), setting('API_KEYS_TABLE')];
  return async () => (await batchGet(client, table, [TEST_TRAFFIC_KEY]))[0] ?? {};
}

export const PLAYGROUND_LABEL = 'Playground';

/** Sends a request in the test environment. */
export function sendTestRequest(
  deps: PlaygroundDependencies,
): ConsoleRun<ConsoleRequest, typeof testRequestBody, Row> {
  return async ({ organisation, recorder, event }, { service, body }, testTraffic) => {
    const { clock, ledger } = deps.lookUps;
    const change = { organisationId: organisation.id, target: `test request ${service}` };
    const lookUp = recorded(lookUpOf(service, deps), () => deps.record(recorder.record(change)));
    const startedMs = clock.nowMs();
    let isListed = false;
    const onEnd = (requestContext: RequestContext) => {
      isListed = creditOf(requestContext).hasLogRow;
    };
    const identity = identify(organisation, testTraffic, onEnd);
    const chain = chargedChain(lookUp, identity, deps.lookUps);
    const response = await chain(apiEvent(event, body), {} as Context);
    const tookMs = Math.round(clock.nowMs() - startedMs);
    const wallet = { env: 'test', organisationId: organisation.id } as const;
    const balance = await readBalance(wallet, organisation.walletShards, ledger.shards, clock);
    if (!balance) throw new ServiceError('SERVICE_UNAVAILABLE');
    const content = contentOf(response);
    const view: TestRequestView = {
      ...content,
      status: response.statusCode,
      took_ms: tookMs,
      available: balance.available,
      is_listed: isListed,
      meaning: meaningOf(content.envelope ?? undefined, Number(content.headers['X-Credits-Charged'])),
      fields: explainedFields(content.envelope ?? {}),
      samples: testSamples(service, body, deps.apiUrl),
      documentation_url: testDocumentation(service, deps.documentationUrl),
    };
    return { data: view };
  };
}

/** After the checks of the body and the service: a rejected request leaves nothing in the audit trail. */
function recorded(lookUp: ChargedLookUp, record: () => Promise<void>): ChargedLookUp {
  const { ofOperation = [], ...extra } = lookUp.extra ?? {};
  const recording: Middleware = { name: 'record', before: record };
  return { ...lookUp, extra: { ...extra, ofOperation: [...ofOperation, recording] } };
}

/** Returns the checks that replace those of an API key. They come first, so they end last. */
function identify(
  organisation: Organisation,
  testTraffic: Row,
  onEnd: (requestContext: RequestContext) => void,
): readonly Middleware[] {
  const caller: Caller = {
    env: 'test',
    key: {
      organisationId: organisation.id,
      hash: '',
      env: 'test',
      status: 'ACTIVE',
      label: PLAYGROUND_LABEL,
      lastFour: '',
      createdAt: organisation.createdAt,
    },
    organisation,
    limits: { key: {}, organisation: {} },
  };
  const member: Middleware = {
    name: 'member',
    async before({ context: { requestContext } }) {
      callerOf.set(requestContext, caller);
      rowsOfLookUp.set(requestContext, { testTraffic, registryStates: () => ALWAYS_CLOSED });
      Object.assign(requestContext.line, {
        organisation: organisation.id,
        env: 'test',
        keyLabel: PLAYGROUND_LABEL,
      });
    },
    async after({ context }) {
      onEnd(context.requestContext);
    },
    async onError({ context }) {
      onEnd(context.requestContext);
    },
  };
  return [member, admittedOrganisation()];
}

function lookUpOf(route: LookUpRoute, { lookUps, press }: PlaygroundDependencies): ChargedLookUp {
  if (route === 'nin-slip') return slipLookUp(lookUps, press);
  if (route === 'nuban-basic') return accountLookUp(NUBAN_ROUTE, lookUps, false);
  if (route === 'verify-identity') {
    const gateway = { name: route, errorStyle: 'gateway', body: gatewayBody, matchRecord } as const;
    return accountLookUp(gateway, lookUps, false);
  }
  const { idType } = SERVICES[route];
  return recordLookUp({ name: route, idType, body: dedicatedBody(route), matchRecord }, lookUps);
}

/** Returns the request as the API would receive it, with the time and the IP address of the member's own request. */
function apiEvent(
  { requestContext, headers }: APIGatewayProxyEvent,
  body: Readonly<Record<string, unknown>>,
): APIGatewayProxyEvent {
  return {
    requestContext,
    headers,
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    body: JSON.stringify(body),
    isBase64Encoded: false,
    httpMethod: 'POST',
    path: '',
    resource: '',
    pathParameters: null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
  };
}

/** Headers that the playground does not show, because they concern the transport, not the result. */
const NOT_SHOWN = ['Vary', 'X-Content-Type-Options'];

function contentOf({ headers = {}, body, isBase64Encoded }: HttpResponse) {
  const shown = Object.entries(headers).filter(([name]) => !NOT_SHOWN.includes(name));
  return {
    headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
    envelope: isBase64Encoded ? null : (JSON.parse(body) as Readonly<Record<string, unknown>>),
    pdf: isBase64Encoded ? body : null,
  };
}

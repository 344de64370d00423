import { setTimeout } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { setting } from '../../shared/core/config.ts';
import { connect } from '../../shared/core/database.ts';
import { organisationKey, personLimiterKey, type WalletId } from '../../shared/core/keys.ts';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import {
  CONSOLE_API,
  CONSOLE_ROUTES,
  type ConsoleRouteName,
  consoleRouteOf,
} from '../../shared/http/console/routes.ts';
import type { LogEntry } from '../../shared/ledger/rows/log-entry.ts';
import type { RequestsView } from '../../shared/verifications/console/views.ts';
import { type ConsoleClient, SESSION_COOKIE, service, signIn } from '../support/console.ts';
import {
  completeProfile,
  consoleOrganisation,
  join,
  putColleague,
  putInvitation,
  putKey,
  putProfile,
  putRow,
  setAttributes,
} from '../support/console-organisation.ts';
import { putInvoice, putOrder } from '../support/console-payments.ts';
import { putChargedRequest, putRequests } from '../support/console-requests.ts';
import { putEndpoint, putFailedDelivery } from '../support/console-webhooks.ts';
import { logEntry } from '../support/log-rows.ts';
import { type RoundTrip, startRoundTripCounter } from '../support/round-trips.ts';

/**
 * The data of a page takes at most two sequential round trips to the database: the session together with what the page
 * reads about the organisation, and then everything that depends on them (docs/operate/console.md). Round trips are counted
 * where the requests of a function leave the process.
 */

const MAX_ROUND_TRIPS = 2;
const LOG_ROWS = 5_000;
/** The age of the organisation. Months in which nothing happened must not cost round trips. */
const AGE_DAYS = 365;
const READS = (Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[]).filter((name) => {
  const { method, roles } = consoleRouteOf(name);
  return method === 'GET' && roles !== 'public';
});

type Query = Readonly<Record<string, string>>;

const roundTrips: RoundTrip[] = [];
const cleanup = new AsyncDisposableStack();
let client: ConsoleClient;
let personId: string;
let organisationId: string;
/** The parameters of routes that have one in their path. */
const parameters: Partial<Record<ConsoleRouteName, Readonly<Record<string, string>>>> = {};
const queries: Partial<Record<ConsoleRouteName, Query>> = {};
beforeAll(async () => {
  const organisation = await consoleOrganisation('Round Trips');
  organisationId = organisation.id;
  const wallet = { env: 'live', organisationId: organisation.id } as const;
  await putRequests(busyMonth(wallet));
  client = await signIn('round.trips@example.com');
  ({ id: personId } = await join(client, organisation, 'owner'));
  const createdAt = new Date(Date.now() - AGE_DAYS * DAY_MS).toISOString();
  await setAttributes('API_KEYS_TABLE', organisationKey(organisationId), { createdAt });
  await putProfile(organisation.id, completeProfile());
  for (let count = 0; count < 3; count += 1) {
    await putColleague(organisation, 'viewer');
    await putInvitation(organisation, `invited-${count}@example.com`);
    for (const env of ['live', 'test'] as const) await putKey(organisation.id, env);
    parameters['show-request'] = { request_id: (await putChargedRequest(wallet)).requestId };
    parameters['show-invoice'] = { number: await putInvoice(organisation) };
    const endpoint = await putEndpoint(organisation, 'live');
    parameters['list-deliveries'] = { id: endpoint.id };
    parameters['list-attempts'] = { id: (await putFailedDelivery(endpoint)).id };
    queries['list-attempts'] = { endpoint_id: endpoint.id };
    parameters['show-top-up'] = { reference: await putOrder(organisation) };
  }
  const target = service.adminAwsEnvironment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const counter = await startRoundTripCounter(target, roundTrips);
  cleanup.defer(counter.close);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = counter.url;
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => putRow('CONSOLE_TABLE', personLimiterKey(personId), {}));

/**
 * Returns the log rows of a month in which every hundredth request failed. Half of the rows are from the last two days.
 */
function busyMonth(wallet: WalletId): LogEntry[] {
  const nowMs = Date.now();
  return Array.from({ length: LOG_ROWS }, (_, index) => {
    const agoMs = (index % 2 === 0 ? 2 : 30) * DAY_MS * (index / LOG_ROWS);
    return logEntry(wallet, {
      requestedAt: new Date(nowMs - agoMs).toISOString(),
      outcome: index % 100 === 7 ? 'FAILED' : 'FOUND',
      service: index % 3 === 0 ? 'bvn-basic' : 'nin-basic',
      keyLabel: index === LOG_ROWS - 1 ? 'rare' : 'backend',
      ...(index % 10 === 0 && { reference: `customer-${index % 50}` }),
    });
  });
}

/** Returns a request of a page, as API Gateway passes it to a function. */
function eventOf(route: ConsoleRouteName, query: Query): APIGatewayProxyEvent {
  const path = `${CONSOLE_API}${consoleRouteOf(route).path}`;
  const event = {
    resource: path,
    path,
    httpMethod: 'GET',
    headers: null,
    multiValueHeaders: {
      Cookie: [`${SESSION_COOKIE}=${client.cookies.get(SESSION_COOKIE)}`],
      'Sec-Fetch-Site': ['same-origin'],
      'X-Forwarded-Proto': ['https'],
    },
    queryStringParameters: null,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    pathParameters: parameters[route] ?? null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      identity: { sourceIp: '203.0.113.7' },
      requestTimeEpoch: Date.now(),
      domainName: 'console.example.com',
      path,
    },
  };
  return event as unknown as APIGatewayProxyEvent;
}

async function read(route: ConsoleRouteName, query: Query = queries[route] ?? {}) {
  const { handler } = (await import(`../../functions/console/${route}.ts`)) as { handler: LambdaHandler };
  roundTrips.length = 0;
  const { statusCode, body } = await handler(eventOf(route, query), {
    getRemainingTimeInMillis: () => 28_000,
  } as Context);
  return { statusCode, body, roundTrips: [...roundTrips] };
}

describe.each(READS)('%s', (route) => {
  test(`takes at most ${MAX_ROUND_TRIPS} sequential round trips, and scans nothing`, async () => {
    const { statusCode, roundTrips: counted } = await read(route);

    expect(statusCode).toBe(200);
    expect(counted.length).toBeGreaterThan(0);
    expect({ counted, count: counted.length <= MAX_ROUND_TRIPS }).toEqual({ counted, count: true });
    expect(counted.flat()).not.toContain('Scan');
    // The session is always read first, in one BatchGetItem.
    expect(counted[0]).toContain('BatchGetItem');
  });
});

test.each(['show-status', 'show-status-feed'] as const)(
  '%s reads all rows in one round trip of queries, and reads no session',
  async (route) => {
    const { statusCode, roundTrips: counted } = await read(route);
    expect([statusCode, counted.length]).toEqual([200, 1]);
    expect(new Set(counted.flat())).toEqual(new Set(['Query']));
  },
);

describe(`with ${LOG_ROWS.toLocaleString('en')} log rows`, () => {
  const day = lagosDay(Date.now() - 20 * DAY_MS);
  test.each<[string, Query, number]>([
    ['the first page', {}, 50],
    ['the longest page', { limit: '100' }, 100],
    ['a service', { service: 'bvn-basic' }, 50],
    ['an outcome that few requests have', { outcome: 'FAILED', service: 'nin-basic' }, 1],
    ['an outcome that no request has', { outcome: 'ABANDONED' }, 0],
    ['a key that was used once, a month ago', { key: 'rare' }, 0],
    ['rejected requests', { outcome: 'REJECTED' }, 0],
    ['a month', { from: lagosDay(Date.now() - 29 * DAY_MS) }, 50],
    ['a day three weeks ago', { from: day, to: day }, 50],
    ['a reference', { reference: 'customer-20' }, 50],
    ['a reference that no request has', { reference: 'customer-9' }, 0],
  ])(
    '%s is listed, and continued, in at most two round trips each, without a scan',
    async (_, query, least) => {
      const first = await read('list-requests', query);
      const { data } = JSON.parse(first.body) as { data: RequestsView };
      const cursor = data.next_cursor;
      const second = cursor === null ? first : await read('list-requests', { ...query, cursor });

      expect(data.requests.length).toBeGreaterThanOrEqual(least);
      for (const { statusCode, roundTrips: counted } of [first, second]) {
        expect([statusCode, counted.length <= MAX_ROUND_TRIPS]).toEqual([200, true]);
        expect(new Set(counted.flat())).toEqual(new Set(['BatchGetItem', 'Query', 'UpdateItem']));
      }
    },
  );
});

test('sequential reads are counted one by one, and parallel reads together', async () => {
  const database = connect();
  const get = () =>
    database.send(new GetCommand({ TableName: setting('CONSOLE_TABLE'), Key: personLimiterKey(personId) }));
  roundTrips.length = 0;
  await Promise.all([get(), get()]);
  await get();
  await setTimeout(1);
  await get();

  expect(roundTrips).toEqual([['GetItem', 'GetItem'], ['GetItem'], ['GetItem']]);
});

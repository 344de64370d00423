import { setTimeout } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import {
  CONSOLE_API,
  CONSOLE_ROUTES,
  type ConsoleRouteName,
  consoleRouteOf,
} from '../../shared/console/routes.ts';
import { setting } from '../../shared/core/config.ts';
import { connect } from '../../shared/core/database.ts';
import { personLimiterKey } from '../../shared/core/keys.ts';
import type { LambdaHandler } from '../../shared/http/chains.ts';
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
} from '../support/console-organisation.ts';
import { putInvoice, putOrder } from '../support/console-payments.ts';
import { type RoundTrip, startRoundTripCounter } from '../support/round-trips.ts';

/**
 * The data of a page takes at most two sequential round trips to the database: the session with what the page reads of the
 * organisation, and then everything that depends on them (docs/console.md). They are counted where the requests of a
 * function leave the process.
 */

const MAX_ROUND_TRIPS = 2;
const MAX_MS = 120_000;
const READS = (Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[]).filter((name) => {
  const { method, roles } = consoleRouteOf(name);
  return method === 'GET' && roles !== 'public';
});

const roundTrips: RoundTrip[] = [];
const cleanup = new AsyncDisposableStack();
let client: ConsoleClient;
let personId: string;
/** Of routes with a parameter in their path. */
const parameters: Partial<Record<ConsoleRouteName, Readonly<Record<string, string>>>> = {};
beforeAll(async () => {
  const organisation = await consoleOrganisation('Round Trips');
  client = await signIn('round.trips@example.com');
  ({ id: personId } = await join(client, organisation, 'owner'));
  await putProfile(organisation.id, completeProfile());
  for (let count = 0; count < 3; count += 1) {
    await putColleague(organisation, 'viewer');
    await putInvitation(organisation, `invited-${count}@example.com`);
    for (const env of ['live', 'test'] as const) await putKey(organisation.id, env);
    parameters['show-invoice'] = { number: await putInvoice(organisation) };
    parameters['show-top-up'] = { reference: await putOrder(organisation) };
  }
  const target = service.adminAwsEnvironment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const counter = await startRoundTripCounter(target, roundTrips);
  cleanup.defer(counter.close);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = counter.url;
}, MAX_MS);
afterAll(() => cleanup.disposeAsync());
beforeEach(() => putRow('CONSOLE_TABLE', personLimiterKey(personId), {}));

/** A request of a page, as API Gateway passes it to a function. */
function eventOf(route: ConsoleRouteName): APIGatewayProxyEvent {
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
    multiValueQueryStringParameters: null,
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

async function read(route: ConsoleRouteName) {
  const { handler } = (await import(`../../functions/console/${route}.ts`)) as { handler: LambdaHandler };
  roundTrips.length = 0;
  const { statusCode } = await handler(eventOf(route), {
    getRemainingTimeInMillis: () => 28_000,
  } as Context);
  return { statusCode, roundTrips: [...roundTrips] };
}

describe.each(READS)('%s', (route) => {
  test(
    `takes at most ${MAX_ROUND_TRIPS} sequential round trips, and scans nothing`,
    async () => {
      const { statusCode, roundTrips: counted } = await read(route);

      expect(statusCode).toBe(200);
      expect(counted.length).toBeGreaterThan(0);
      expect({ counted, count: counted.length <= MAX_ROUND_TRIPS }).toEqual({ counted, count: true });
      expect(counted.flat()).not.toContain('Scan');
      // The session is always read first, and consistently in one call.
      expect(counted[0]).toContain('BatchGetItem');
    },
    MAX_MS,
  );
});

test.each(['show-status', 'show-status-feed'] as const)(
  '%s reads all rows in one round trip of queries, and no session',
  async (route) => {
    const { statusCode, roundTrips: counted } = await read(route);
    expect([statusCode, counted.length]).toEqual([200, 1]);
    expect(new Set(counted.flat())).toEqual(new Set(['Query']));
  },
  MAX_MS,
);

test('reads that wait for each other are counted one by one, and others together', async () => {
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

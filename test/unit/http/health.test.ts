import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import type { ApiContext } from '../../../shared/http/context.ts';
import { ALWAYS_CLOSED, type RegistryState } from '../../../shared/registries/breaker.ts';
import { configuredProviderKeys } from '../../../shared/registries/health/read-health.ts';
import { type HealthDependencies, showHealth } from '../../../shared/registries/routes/health.ts';

const T = 1_700_000_000_000;
const OPEN: RegistryState = { ...ALWAYS_CLOSED, breaker: 'open', sinceMs: T - 60_000 };
const providers = configuredProviderKeys({ NIN: ['prembly', 'dojah'], BVN: ['prembly'] });

type States = readonly [prembly: RegistryState, dojah: RegistryState, sandbox: RegistryState];

/** Returns the route with the same state for all ID types of a provider, except `ofBvn`. Each read takes `readMs`. */
function healthRoute(states: States | Error, readMs = 0, ofBvn?: RegistryState) {
  const counters = { nowMs: T, reads: 0 };
  const deps = {
    providers,
    nowMs: () => counters.nowMs,
    states: {
      async getStates() {
        counters.reads += 1;
        counters.nowMs += readMs;
        if (states instanceof Error) throw states;
        const [prembly, dojah, sandbox] = states;
        return [prembly, dojah, ofBvn ?? prembly, ...ID_TYPES.map(() => sandbox)];
      },
    },
  } as unknown as HealthDependencies;
  const run = showHealth(deps);
  const read = () => run({} as ApiContext, {} as APIGatewayProxyEvent);
  return { counters, read };
}
const closed = ALWAYS_CLOSED;

test('each provider has a state for each of its ID types, and so has the sandbox for test keys', () => {
  expect(providers).toEqual([
    { provider: 'prembly', env: 'live', idType: 'NIN' },
    { provider: 'dojah', env: 'live', idType: 'NIN' },
    { provider: 'prembly', env: 'live', idType: 'BVN' },
    ...ID_TYPES.map((idType) => ({ provider: 'sandbox', env: 'test', idType })),
  ]);
});

test('a provider that is down for one of its ID types is degraded since then', async () => {
  expect(await healthRoute([closed, closed, closed], 0, OPEN).read()).toMatchObject({
    data: {
      status: 'degraded',
      registries: [
        { provider: 'Prembly', status: 'degraded', since: '2023-11-14T22:12:20.000Z' },
        { provider: 'Dojah', status: 'up' },
        { provider: 'Sandbox', status: 'up' },
      ],
    },
  });
});

test.each([
  ['all providers up', [closed, closed, closed], 'up'],
  ['one of two live providers down', [OPEN, closed, closed], 'degraded'],
  ['all live providers down', [OPEN, OPEN, closed], 'down'],
  ['only the sandbox down', [closed, closed, OPEN], 'degraded'],
] as const)('the status is right with %s', async (_, states, status) => {
  expect(await healthRoute(states).read()).toMatchObject({
    kind: 'information',
    code: 'HEALTH',
    data: { status },
  });
});

test('shows the display name of a provider and when it went down', async () => {
  expect(await healthRoute([OPEN, closed, closed]).read()).toMatchObject({
    data: {
      parts: { database: 'up' },
      registries: [
        { provider: 'Prembly', environment: 'live', status: 'down', since: '2023-11-14T22:12:20.000Z' },
        { provider: 'Dojah', environment: 'live', status: 'up', since: null },
        { provider: 'Sandbox', environment: 'test', status: 'up', since: null },
      ],
    },
  });
});

test('a slow database is reported as degraded', async () => {
  expect(await healthRoute([closed, closed, closed], 501).read()).toMatchObject({
    data: { status: 'degraded', parts: { database: 'degraded' } },
  });
});

test('a database that does not respond leads to a 503 with its own message', async () => {
  await expect(healthRoute(new Error('ECONNREFUSED')).read()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: "The service's database does not respond.",
  });
});

test('the table is read at most once every 5 s', async () => {
  const { counters, read } = healthRoute([closed, closed, closed]);
  for (let calls = 0; calls < 5; calls += 1) await read();
  expect(counters.reads).toBe(1);
  counters.nowMs += 5_000;
  await read();
  expect(counters.reads).toBe(2);
});

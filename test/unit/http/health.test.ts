import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestContext } from '../../../shared/http/context.ts';
import { type HealthDependencies, showHealth } from '../../../shared/http/routes/health.ts';
import { ALWAYS_CLOSED, type RegistryState } from '../../../shared/registries/breaker.ts';
import { configuredProviderKeys } from '../../../shared/registries/health/read-health.ts';

const T = 1_700_000_000_000;
const OPEN: RegistryState = { ...ALWAYS_CLOSED, breaker: 'open', sinceMs: T - 60_000 };
const providers = configuredProviderKeys({ NIN: ['prembly', 'dojah'], BVN: ['prembly'] });

/** The route over these states, in the order of the places; the clock stands unless a read moves it. */
function page(states: readonly RegistryState[] | Error, readMs = 0) {
  const story = { nowMs: T, reads: 0 };
  const parts = {
    providers,
    nowMs: () => story.nowMs,
    states: {
      async getStates() {
        story.reads += 1;
        story.nowMs += readMs;
        if (states instanceof Error) throw states;
        return [...states];
      },
    },
  } as unknown as HealthDependencies;
  const run = showHealth(parts);
  const read = () => run({} as RequestContext, {} as APIGatewayProxyEvent);
  return { story, read };
}
const closed = ALWAYS_CLOSED;

test('each provider of the routing stands there once, and the sandbox for test keys', () => {
  expect(providers).toEqual([
    { provider: 'prembly', env: 'live' },
    { provider: 'dojah', env: 'live' },
    { provider: 'sandbox', env: 'test' },
  ]);
});

test.each([
  ['all well', [closed, closed, closed], 'up'],
  ['one of two is down: the other one serves', [OPEN, closed, closed], 'degraded'],
  ['no live one is left', [OPEN, OPEN, closed], 'down'],
  ['the sandbox alone', [closed, closed, OPEN], 'degraded'],
] as const)('%s', async (_, states, status) => {
  expect(await page(states).read()).toMatchObject({ kind: 'information', code: 'HEALTH', data: { status } });
});

test('a registry is told by its display name, with the time of its trouble', async () => {
  expect(await page([OPEN, closed, closed]).read()).toMatchObject({
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

test('a slow database is degraded', async () => {
  expect(await page([closed, closed, closed], 501).read()).toMatchObject({
    data: { status: 'degraded', parts: { database: 'degraded' } },
  });
});

test('a database that does not answer is 503, in words of its own', async () => {
  await expect(page(new Error('ECONNREFUSED')).read()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: "The service's database does not answer.",
  });
});

test('however many ask, the table is read once in 5 s', async () => {
  const { story, read } = page([closed, closed, closed]);
  for (let calls = 0; calls < 5; calls += 1) await read();
  expect(story.reads).toBe(1);
  story.nowMs += 5_000;
  await read();
  expect(story.reads).toBe(2);
});

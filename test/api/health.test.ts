import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from '@jest/globals';
import { connect } from '../../shared/core/database.ts';
import { registryStateKey } from '../../shared/core/keys.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';

/** GET /v1/health, and what callers get while a breaker is open. The sandbox is the live registry here too. */

// A service of its own: what is down here must not be down for the tests that run beside.
delete process.env['LOCAL_SERVICE_FILE'];
const { get, number, organisation, post, registryCalls } = await import('../support/service.ts');

const tableName = process.env['API_KEYS_TABLE'] ?? '';
const client = connect();
const table = registryStateTable(client, tableName);
const live = { provider: 'sandbox', env: 'live' } as const;
const ofTestKeys = { provider: 'sandbox', env: 'test' } as const;

afterEach(async () => {
  const requests = [live, ofTestKeys].map((place) => ({ DeleteRequest: { Key: registryStateKey(place) } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
});

async function failures(count: number): Promise<void> {
  const nowMs = Date.now();
  for (let failed = 0; failed < count; failed += 1)
    await table.recordFailure(live, { startedMs: nowMs, endedMs: nowMs + 1, successes: 0 });
}

interface Health {
  readonly code: string;
  readonly data: {
    readonly status: string;
    readonly parts: object;
    readonly registries: readonly { readonly environment: string; readonly status: string }[];
  };
}

/** The page as soon as it tells this state; instances keep it for 5 s. */
async function pageTelling(status: string): Promise<Health> {
  for (const startedMs = Date.now(); Date.now() - startedMs < 15_000; ) {
    const answer = await get('/api/v1/health/');
    expect(answer.status).toBe(200);
    const health = answer.json as unknown as Health;
    if (health.data.status === status) return health;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`The page never told ${status}.`);
}

test('without a key: up, each registry by its name, and nothing else', async () => {
  const { code, data } = await pageTelling('up');

  expect(code).toBe('HEALTH');
  expect(data).toEqual({
    status: 'up',
    parts: { database: expect.stringMatching(/^(up|degraded)$/) },
    registries: [
      { provider: 'Sandbox', environment: 'live', status: 'up', since: null },
      { provider: 'Sandbox', environment: 'test', status: 'up', since: null },
    ],
  });
});

test('a registry that has failed is degraded; its time is told', async () => {
  await failures(1);
  const { data } = await pageTelling('degraded');

  expect(data.registries[0]).toEqual({
    provider: 'Sandbox',
    environment: 'live',
    status: 'degraded',
    since: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
  });
  expect(data.registries[1]).toMatchObject({ environment: 'test', status: 'up' });
});

test('while the breaker is open: 503 at once with Retry-After, no hold and no look-up; test keys go on', async () => {
  const who = await organisation({ credits: 1 });
  await failures(20);
  const startedMs = Date.now();
  const refused = await post('/v1/ng/nin-basic', { id_number: number('0504') }, { key: who.live });

  expect([refused.status, refused.json?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  expect(Date.now() - startedMs).toBeLessThan(8_000);
  expect(registryCalls(refused.json?.meta.request_id ?? '')).toBe(0);
  expect(await who.balance()).toMatchObject({ available: 1, held: 0 });
  expect((await get(`/v1/verifications/${refused.json?.meta.request_id}`, { key: who.live })).status).toBe(
    404,
  );
  expect((await post('/v1/ng/nin-basic', { id_number: number() }, { key: who.test })).status).toBe(200);
  expect((await pageTelling('down')).data.registries[0]).toMatchObject({ status: 'down' });
});

test('an answer after the rest closes it again, and the page tells up', async () => {
  const who = await organisation({ credits: 1 });
  const nowMs = Date.now() - 11_000;
  for (let failed = 0; failed < 20; failed += 1)
    await table.recordFailure(live, { startedMs: nowMs, endedMs: nowMs + 1, successes: 0 });

  expect((await post('/v1/ng/nin-basic', { id_number: number() }, { key: who.live })).status).toBe(200);
  const { data } = await pageTelling('up');
  expect(data.registries[0]).toMatchObject({ status: 'up' });
  const [state] = await table.getStates([live]);
  expect(state).toMatchObject({ breaker: 'closed', streak: 0 });
});

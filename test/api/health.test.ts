import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from '@jest/globals';
import { connect } from '../../shared/core/database.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { registryStateKey } from '../../shared/core/keys.ts';
import { providerSwitchTable } from '../../shared/registries/health/provider-switch-table.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';

/** GET /v1/health, and responses while a breaker is open. In this test, the sandbox is also the live registry. */

// Starts its own service, because a registry that is down here must not be down for other tests.
process.env['OWN_SERVICE'] = '1';
const { get, number, organisation, post, registryCalls } = await import('../support/service.ts');

const tableName = process.env['API_KEYS_TABLE'] ?? '';
const client = connect();
const table = registryStateTable(client, tableName);
const live = { provider: 'sandbox', env: 'live', idType: 'NIN' } as const;
const ofTestKeys = { provider: 'sandbox', env: 'test', idType: 'NIN' } as const;
const everyType = ID_TYPES.map((idType) => ({ ...live, idType }));

/** Waits for as long as an instance caches the state that it has read. */
const untilInstancesReadAgain = () => new Promise((resolve) => setTimeout(resolve, 1_000));

afterEach(async () => {
  const requests = [...everyType, ofTestKeys].map((providerKey) => ({
    DeleteRequest: { Key: registryStateKey(providerKey) },
  }));
  await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  await untilInstancesReadAgain();
});

/** Records failed look-ups of each ID type with live keys that ended `agoMs` ago. */
async function recordFailures(count: number, agoMs = 0): Promise<void> {
  const nowMs = Date.now() - agoMs;
  for (const key of everyType)
    for (let failed = 0; failed < count; failed += 1)
      await table.recordFailure(key, { startedMs: nowMs, endedMs: nowMs + 1, successes: 0 });
  await untilInstancesReadAgain();
}

interface Health {
  readonly code: string;
  readonly data: {
    readonly status: string;
    readonly parts: object;
    readonly registries: readonly { readonly environment: string; readonly status: string }[];
  };
}

const PATIENCE_MS = 60_000;

/** Waits until the health page shows this status, and returns the page. Instances cache it for 5 s. */
async function pageWithStatus(status: string): Promise<Health> {
  for (const startedMs = Date.now(); Date.now() - startedMs < PATIENCE_MS; ) {
    const response = await get('/api/v1/health/');
    expect(response.status).toBe(200);
    const health = response.json as unknown as Health;
    if (health.data.status === status) return health;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`The health page did not become ${status}.`);
}

test('the page requires no key, and shows only the status of the service, the database and the registries', async () => {
  const { code, data } = await pageWithStatus('up');

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

test('after a failed look-up, the registry is degraded, and the response shows when that began', async () => {
  await recordFailures(1);
  const { data } = await pageWithStatus('degraded');

  expect(data.registries[0]).toEqual({
    provider: 'Sandbox',
    environment: 'live',
    status: 'degraded',
    since: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
  });
  expect(data.registries[1]).toMatchObject({ environment: 'test', status: 'up' });
});

test('while the breaker is open, live keys get 503 with Retry-After at once, without a hold or a look-up', async () => {
  const customer = await organisation({ credits: 1 });
  await recordFailures(20);
  const rejected = await post('/v1/ng/nin-basic', { id_number: number('0504') }, { key: customer.live });

  expect([rejected.status, rejected.json?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  expect(registryCalls(rejected.json?.meta.request_id ?? '')).toBe(0);
  expect(await customer.balance()).toMatchObject({ available: 1, held: 0 });
  expect(
    (await get(`/v1/verifications/${rejected.json?.meta.request_id}`, { key: customer.live })).status,
  ).toBe(404);
  expect((await post('/v1/ng/nin-basic', { id_number: number() }, { key: customer.test })).status).toBe(200);
  expect((await pageWithStatus('down')).data.registries[0]).toMatchObject({ status: 'down' });
});

test('a successful look-up after the pause closes the breaker of its ID type', async () => {
  const customer = await organisation({ credits: 1 });
  // The breaker stays open for 10 s.
  await recordFailures(20, 11_000);

  expect((await post('/v1/ng/nin-basic', { id_number: number() }, { key: customer.live })).status).toBe(200);
  const { data } = await pageWithStatus('degraded');
  expect(data.registries[0]).toMatchObject({ status: 'degraded' });
  const [state] = await table.getStates([live]);
  expect(state).toMatchObject({ breaker: 'closed', streak: 0 });
});

test('while all providers of an ID type are disabled, live keys get 503 without a hold or a probe', async () => {
  const customer = await organisation({ credits: 1 });
  const switches = providerSwitchTable(client, tableName);
  await switches.disable(live, { actor: 'ada', reason: 'wrong records', atMs: Date.now() - 60_000 });
  await untilInstancesReadAgain();
  const rejected = await post('/v1/ng/nin-basic', { id_number: number() }, { key: customer.live });

  expect([rejected.status, rejected.json?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(rejected.headers.get('x-credits-charged')).toBe('0');
  expect(registryCalls(rejected.json?.meta.request_id ?? '')).toBe(0);
  expect(await customer.balance()).toMatchObject({ available: 1, held: 0 });
  expect((await post('/v1/ng/nin-basic', { id_number: number() }, { key: customer.test })).status).toBe(200);
  const { data } = await pageWithStatus('down');
  expect(data.registries[0]).toMatchObject({ environment: 'live', status: 'down' });
  expect(JSON.stringify(data)).not.toMatch(/ada|wrong records/);

  await switches.enable(live, Date.now());
  await untilInstancesReadAgain();
  expect((await post('/v1/ng/nin-basic', { id_number: number() }, { key: customer.live })).status).toBe(200);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';

// Starts its own service, because a kill must not hit a function that serves another test.
delete process.env['LOCAL_SERVICE_FILE'];
const { control, get, number, organisation, post, shards } = await import('../support/service.ts');

/**
 * A function that is killed during a look-up (ledger design, guarantee 3). The scheduled sweeper releases the credit and
 * writes the log row.
 */
test('the credit of a killed request is released within 3 minutes', async () => {
  const customer = await organisation({ credits: 3 });
  const startedAtMs = Date.now();
  // The sandbox registry times out for this number, so the kill happens during the look-up.
  const responded = post('/v1/ng/nin-basic', { nin: number('0504') }, { key: customer.live });
  const requestId = await heldRequest(customer.id);
  const held = await customer.balance();
  const busy = (await control.instances()).find(
    (instance) => instance.function === 'nin-basic' && instance.busy,
  );
  expect(await control.kill(busy?.pid ?? 0)).toBe(true);
  const response = await responded;

  expect(held).toMatchObject({ available: 2, held: 1 });
  expect([response.status, response.json?.code]).toEqual([500, 'SERVER_ERROR']);
  expect(await customer.balance()).toMatchObject({ available: 2, held: 1 });

  while ((await customer.balance()).held > 0 && Date.now() - startedAtMs < 180_000) await sleep(2000);

  expect(Date.now() - startedAtMs).toBeLessThan(180_000);
  expect(await customer.balance()).toEqual({ available: 3, held: 0, credited: 3 });
  const entry = await get(`/v1/verifications/${requestId}`, { key: customer.live });
  expect(entry.json?.data).toMatchObject({
    service: 'nin-basic',
    outcome: 'ABANDONED',
    http_status: 500,
    credits_charged: 0,
  });
}, 240_000);

/** Waits for the organisation's first hold and returns its request ID. */
async function heldRequest(organisationId: string): Promise<string> {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    await sleep(100);
    const shardRefs = [{ wallet: { env: 'live' as const, organisationId }, shard: 0 }];
    const [hold] = (await shards.getShards(shardRefs)).flatMap(({ row }) => Object.values(row.holds));
    if (hold) return hold.requestId;
  }
  throw new Error('No credit was held.');
}

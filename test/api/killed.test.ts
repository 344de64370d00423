import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';

// A service of its own: a kill must not hit a function that serves another test.
delete process.env['LOCAL_SERVICE_FILE'];
const { control, get, number, organisation, post, shards } = await import('../support/service.ts');

/**
 * A function killed while the registry is being asked (ledger design, guarantee 3): the credit comes back within three
 * minutes with nobody's help, by the sweeper's own schedule, and the log tells what happened.
 */
test('a killed request is settled within 3 minutes by itself', async () => {
  const who = await organisation({ credits: 3 });
  const startedAtMs = Date.now();
  // The sandbox does not answer this number in time, so the kill falls into the registry call.
  const asked = post('/v1/ng/nin-basic', { nin: number('0504') }, { key: who.live });
  const requestId = await heldRequest(who.id);
  const held = await who.balance();
  const busy = (await control.instances()).find(
    (instance) => instance.function === 'nin-basic' && instance.busy,
  );
  expect(await control.kill(busy?.pid ?? 0)).toBe(true);
  const answer = await asked;

  expect(held).toMatchObject({ available: 2, held: 1 });
  expect([answer.status, answer.json?.code]).toEqual([500, 'SERVER_ERROR']);
  expect(await who.balance()).toMatchObject({ available: 2, held: 1 });

  while ((await who.balance()).held > 0 && Date.now() - startedAtMs < 180_000) await sleep(2000);

  expect(Date.now() - startedAtMs).toBeLessThan(180_000);
  expect(await who.balance()).toEqual({ available: 3, held: 0, credited: 3 });
  const entry = await get(`/v1/verifications/${requestId}`, { key: who.live });
  expect(entry.json?.data).toMatchObject({
    service: 'nin-basic',
    outcome: 'ABANDONED',
    http_status: 500,
    credits_charged: 0,
  });
}, 240_000);

/** The request id on the organisation's first hold, once there is one. */
async function heldRequest(organisationId: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    await sleep(100);
    const places = [{ wallet: { env: 'live' as const, organisationId }, shard: 0 }];
    const [hold] = (await shards.getShards(places)).flatMap(({ row }) => Object.values(row.holds));
    if (hold) return hold.requestId;
  }
  throw new Error('No credit was held.');
}

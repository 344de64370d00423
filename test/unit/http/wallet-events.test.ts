import { describe, expect, test } from '@jest/globals';
import { publishSoon, type WalletChange } from '../../../shared/events/publish-soon.ts';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, verifyNin } from '../../security/routes-in-memory.ts';

/** Tests which look-ups start the publisher of events, and that no other makes a call. */

async function walletWith(credits: number, env: 'live' | 'test' = 'live', organisation = {}) {
  const changes: WalletChange[] = [];
  const service = memoryService();
  service.registry.lookUp = findsAll;
  Object.assign(service.deps, {
    publishSoon: async (change: WalletChange) => void changes.push(change),
    lowBalanceCredits: 3,
  });
  const who = await service.newCaller(credits, env, { organisation });
  /** Returns the status, and how many changes were reported. */
  const verify = async () => {
    const before = changes.length;
    const { status } = await verifyNin(service, who);
    return [status, changes.length - before];
  };
  return { changes, service, verify };
}

describe('a look-up', () => {
  test('starts the publisher if its charge crosses the threshold or empties the wallet, and if it cannot be paid', async () => {
    const { changes, verify } = await walletWith(5);
    expect(await verify()).toEqual([200, 0]);
    expect(await verify()).toEqual([200, 0]);
    // 2 of 3 credits are left.
    expect(await verify()).toEqual([200, 1]);
    expect(await verify()).toEqual([200, 0]);
    expect(await verify()).toEqual([200, 1]);
    expect(changes.map(({ atMost }) => atMost)).toEqual([undefined, undefined]);
    expect(await verify()).toEqual([402, 1]);
    expect(changes.at(-1)).toMatchObject({ wallet: { env: 'live' }, atMost: 0 });
  });

  test("uses the organisation's own threshold, and each shard's share of it", async () => {
    const own = await walletWith(5, 'live', { lowBalanceCredits: 5 });
    expect(await own.verify()).toEqual([200, 1]);
    expect(await own.verify()).toEqual([200, 0]);
  });

  test('that finds nothing, or uses a test key, does not start it', async () => {
    const { service, verify } = await walletWith(3);
    service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
    expect(await verify()).toEqual([400, 0]);
    const inTest = await walletWith(1, 'test');
    expect(await inTest.verify()).toEqual([200, 0]);
    expect(await inTest.verify()).toEqual([402, 0]);
  });
});

describe('the publisher', () => {
  const wallet = { env: 'live', organisationId: 'made-up-bank' } as const;

  test('is started by at most one rejected request in 10 seconds, and by every other change', async () => {
    process.env['EVENT_PUBLISHER'] = 'publish-events';
    const started: object[] = [];
    const soon = publishSoon(async (name, event) => void started.push({ name, event }));
    for (const atMs of [100_000, 109_999, 110_000]) await soon({ wallet, atMs, atMost: 0 });
    expect(started).toHaveLength(2);
    await soon({ wallet, atMs: 110_000, reference: 'TOPUP-1' });
    expect(started.at(-1)).toMatchObject({ name: 'publish-events', event: { reference: 'TOPUP-1' } });
  });

  test('that cannot be started does not fail the request', async () => {
    const soon = publishSoon(() => Promise.reject(new Error('no connection')));
    expect(await soon({ wallet, atMs: 0 })).toBeUndefined();
  });
});

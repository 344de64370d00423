import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change } from '../../shared/audit/audit-entry.ts';
import { randomBase62 } from '../../shared/core/base62.ts';
import type { Clock } from '../../shared/core/clock.ts';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { balanceOf } from '../../shared/ledger/rows/wallet.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { takeTestCredits } from '../../shared/payments/console/take-test-credits.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** Test credits in DynamoDB Local: added immediately, at most once a day. */

let tables: StateTable;
let organisation: { readonly id: string; readonly walletShards: number };
let changes: Change[];
let time: { nowMs: number };
beforeAll(async () => {
  tables = await openStateTable();
});
beforeEach(() => {
  organisation = { id: randomBase62(10), walletShards: 1 };
  changes = [];
  time = { nowMs: Date.parse('2026-11-23T23:30:00.000Z') };
});
afterAll(() => tables.close());

const clock: Clock = {
  nowMs: () => time.nowMs,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};
/** One table replaces Wallets and Payments, which share no keys. */
function booking() {
  const { client, tableName } = tables;
  const record = (...found: readonly Change[]) => {
    changes.push(...found);
    return [];
  };
  return {
    credits: creditTable(client, { wallets: tableName, payments: tableName }, { record }),
    shards: shardTable(client, tableName),
    lots: lotTable(client, tableName),
  };
}
const take = (credits = 1_000, of = organisation) =>
  takeTestCredits(of, { credits, actor: 'member:person-1' }, booking(), clock);
async function available(of = organisation): Promise<number[]> {
  const { shards } = booking();
  const wallets = ENVIRONMENTS.map((env) => ({ env, organisationId: of.id }));
  const all = await Promise.all(wallets.map((wallet) => shards.snapshot(wallet, of.walletShards)));
  return all.map((rows) => balanceOf(rows ?? []).available);
}
const inOrder = ENVIRONMENTS.map((env) => (env === 'test' ? 1_000 : 0));

describe('test credits', () => {
  test('are added at once to the test wallet, even if it did not exist, and never to the live wallet', async () => {
    expect(await take()).toEqual({ added: 1_000, available: 1_000 });
    expect(await available()).toEqual(inOrder);
    const wallet = { env: 'test', organisationId: organisation.id } as const;
    expect(await booking().lots.listLots(wallet)).toMatchObject([{ kind: 'promotional', credits: 1_000 }]);
    expect(changes.at(-1)).toMatchObject({
      organisationId: organisation.id,
      target: `credit test-${organisation.id}-2026-11-23 of the test wallet`,
      after: { kind: 'TOP_UP', amount: 1_000 },
    });
  });

  test('are added once a day (UTC), even if the configured number changes', async () => {
    await take();
    await expect(take()).rejects.toMatchObject({ code: 'TEST_CREDITS_TAKEN' });
    await expect(take(5_000)).rejects.toMatchObject({ code: 'TEST_CREDITS_TAKEN' });
    expect(await available()).toEqual(inOrder);

    time.nowMs += 45 * 60_000;
    expect(await take()).toEqual({ added: 1_000, available: 2_000 });
  });

  test('are added once if five requests arrive at the same time', async () => {
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => take()));
    const codes = results.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code)).sort();

    expect(codes).toEqual([...Array(4).fill('TEST_CREDITS_TAKEN'), 'done']);
    expect(await available()).toEqual(inOrder);
  });

  test('are added to each organisation separately', async () => {
    const other = { id: randomBase62(10), walletShards: 1 };
    await Promise.all([take(), take(1_000, other)]);

    expect([await available(), await available(other)]).toEqual([inOrder, inOrder]);
  });

  test('are added to a wallet with several shards', async () => {
    const wide = { id: randomBase62(10), walletShards: 3 };
    for (let shard = 0; shard < 3; shard += 1)
      await booking().shards.createShard({ env: 'test', organisationId: wide.id }, shard);

    expect(await take(1_000, wide)).toEqual({ added: 1_000, available: 1_000 });
  });
});

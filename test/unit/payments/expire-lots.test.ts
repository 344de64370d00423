import { describe, expect, test } from '@jest/globals';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import type { StatementTable } from '../../../shared/ledger/statement/statement-table.ts';
import { creditWithLot } from '../../../shared/payments/lots/credit-with-lot.ts';
import { expireLots } from '../../../shared/payments/lots/expire-lots.ts';
import type { DueLot } from '../../../shared/payments/lots/lot-table.ts';
import { type PaidWallet, paidWallet } from './paid-wallet.ts';

const EXPIRY = '2026-11-25T00:00:00.000Z';

async function expire({ deps }: PaidWallet) {
  const failures: { error: unknown; lot: DueLot }[] = [];
  const report = await expireLots(deps, (error, lot) => failures.push({ error, lot }));
  return { ...report, failures };
}

/** Returns a wallet with free credits that are due to expire. `charged` of them were used. */
async function expiredWallet({ shards = 1, credits = 100, charged = 0 } = {}) {
  const paid = await paidWallet({ shards });
  const { row } = await paid.give(credits, 'GIFT', EXPIRY);
  if (charged > 0) await paid.charge(charged);
  paid.time.nowMs = Date.parse(EXPIRY);
  return { paid, id: row.lot ?? '' };
}

describe('the expiry of a lot', () => {
  test('happens on time and takes back the unspent credits', async () => {
    const { paid, id } = await expiredWallet({ charged: 30 });
    paid.time.nowMs = Date.parse(EXPIRY) - 10;
    expect(await expire(paid)).toMatchObject({ expiredLots: 0, expiredCredits: 0 });
    expect(await paid.available()).toBe(70);

    paid.time.nowMs = Date.parse(EXPIRY);
    expect(await expire(paid)).toEqual({
      expiredLots: 1,
      expiredCredits: 70,
      waitingLots: 0,
      failedLots: 0,
      failures: [],
    });
    expect(await paid.available()).toBe(0);
    expect(await paid.deps.credits.getCredit(paid.wallet, `expiry:${id}`)).toMatchObject({
      kind: 'CORRECTION',
      amount: -70,
      cause: 'expiry',
      lot: id,
      reason: 'Credits expired on 2026-11-25',
    });
    expect(await paid.deps.lots.listLots(paid.wallet)).toMatchObject([
      { remaining: 30, withdrawals: [{ kind: 'expired', credits: 70, month: '2026-11' }] },
    ]);
  });

  test('happens once', async () => {
    const { paid } = await expiredWallet();
    await expire(paid);
    const before = paid.memory.writes.length;
    expect(await expire(paid)).toMatchObject({ expiredLots: 0, expiredCredits: 0 });
    expect(paid.memory.writes).toHaveLength(before);
  });

  test('leaves the credits of other lots unchanged', async () => {
    const { paid } = await expiredWallet();
    await paid.buy(1_000);
    await paid.give(5, 'LATER', '2026-12-25T00:00:00.000Z');
    await paid.charge(40);
    // The free credits expire before the paid ones, so the charge used them first.
    expect(await expire(paid)).toMatchObject({ expiredCredits: 60 });
    expect(await paid.available()).toBe(1_005);
  });

  test('takes nothing if the lot is used up', async () => {
    const { paid } = await expiredWallet({ charged: 100 });
    await paid.buy(50);
    expect(await expire(paid)).toMatchObject({ expiredLots: 1, expiredCredits: 0 });
    expect(await paid.available()).toBe(50);
    expect(await paid.deps.lots.listDueLots('2027-01-01')).toEqual([]);
  });

  test('waits for the credits that requests hold, until these are charged or released', async () => {
    const { paid, id } = await expiredWallet();
    await paid.hold(15);
    expect(await expire(paid)).toMatchObject({ expiredLots: 0, waitingLots: 1, expiredCredits: 85 });
    expect(await expire(paid)).toMatchObject({ expiredLots: 0, waitingLots: 1, expiredCredits: 0 });
    await paid.hold(-15);
    await paid.charge(5);
    expect(await expire(paid)).toMatchObject({ expiredLots: 1, waitingLots: 0, expiredCredits: 10 });
    expect(await paid.available()).toBe(0);
    expect(await paid.deps.credits.getCredit(paid.wallet, `expiry:${id}:2`)).toMatchObject({ amount: -10 });
    expect(await paid.deps.lots.listLots(paid.wallet)).toMatchObject([{ remaining: 5 }]);
  });

  test('gathers credits from all shards of the wallet', async () => {
    const { paid } = await expiredWallet({ shards: 3 });
    expect(await expire(paid)).toMatchObject({ expiredCredits: 100 });
    expect(await paid.available()).toBe(0);
  });

  test('does not happen while requests of the previous month may still be charged', async () => {
    const { paid } = await expiredWallet();
    paid.time.nowMs = Date.parse('2026-11-30T23:00:00.000Z');
    expect(await expire(paid)).toMatchObject({ expiredLots: 0, waitingLots: 0 });
    paid.time.nowMs = Date.parse('2026-11-30T23:10:00.000Z');
    expect(await expire(paid)).toMatchObject({ expiredLots: 1 });
    expect(await paid.deps.lots.listLots(paid.wallet)).toMatchObject([
      { withdrawals: [{ month: '2026-12' }] },
    ]);
  });

  test('that fails does not stop the expiry of other lots', async () => {
    const { paid } = await expiredWallet();
    const { row } = await paid.give(7, 'OTHER', EXPIRY);
    const booked = JSON.stringify(`expiry:${row.lot}`);
    paid.memory.before = ({ input }) => {
      if ('TransactItems' in input && JSON.stringify(input).includes(booked)) throw new Error('throttled');
    };
    expect(await expire(paid)).toMatchObject({
      expiredLots: 1,
      failedLots: 1,
      failures: [{ lot: { id: row.lot } }],
    });
    paid.memory.before = () => undefined;
    expect(await expire(paid)).toMatchObject({ expiredLots: 1, expiredCredits: 7 });
  });

  test('that takes a long time or always fails does not prevent the expiry of other lots', async () => {
    const { paid, id } = await expiredWallet();
    const { row } = await paid.give(7, 'OTHER', EXPIRY);
    const { row: last } = await paid.give(8, 'LAST', EXPIRY);
    const slow = JSON.stringify(`expiry:${id}`);
    paid.memory.before = ({ input }) => {
      if (!('TransactItems' in input) || !JSON.stringify(input).includes(slow)) return;
      paid.time.nowMs += 30_000;
      throw new Error('throttled');
    };
    // No expiry begins after 25 s. A run whose minute is divisible by three begins with the first of three lots.
    const minute = Math.ceil(Date.parse(EXPIRY) / 180_000) * 3;
    paid.time.nowMs = minute * 60_000;
    expect(await expire(paid)).toMatchObject({ failedLots: 1, expiredLots: 0 });
    paid.time.nowMs = (minute + 1) * 60_000;
    expect(await expire(paid)).toMatchObject({ failedLots: 1, expiredLots: 2 });
    const due = await paid.deps.lots.listDueLots('2027-01-01');
    expect(due.map((lot) => lot.id)).toEqual([id]);
    for (const lot of [row.lot, last.lot])
      expect(await paid.deps.credits.getCredit(paid.wallet, `expiry:${lot}`)).toBeDefined();
  });

  test('gives up a wallet whose charges take too long, and expires the lots of others meanwhile', async () => {
    const { paid, id } = await expiredWallet({ charged: 1 });
    const { deps, time, memory } = paid;
    time.nowMs -= DAY_MS;
    const organisation = { ...newOrganisation('Other', new Date(time.nowMs)), walletShards: 1 };
    await deps.organisations.insertOrganisation(organisation);
    const other = { env: 'live', organisationId: organisation.id } as const;
    await deps.shards.createShard(other, 0);
    const order = { reference: 'OTHER', kind: 'TOP_UP', amount: 5, actor: 'ada', reason: '' } as const;
    await creditWithLot(other, 1, order, deps, deps.clock, { kind: 'promotional', expiresAt: EXPIRY });
    time.nowMs = Date.parse(EXPIRY);
    const { promise: otherIsDone, resolve } = Promise.withResolvers<void>();
    memory.before = ({ input }) => {
      if ('TransactItems' in input && JSON.stringify(input).includes('expiry:')) resolve();
    };
    const statement: StatementTable = {
      async *entries(wallet, ...range) {
        if (wallet.organisationId !== paid.wallet.organisationId)
          yield* deps.statement.entries(wallet, ...range);
        else {
          await otherIsDone;
          time.nowMs += 40_000;
          for await (const line of deps.statement.entries(wallet, ...range))
            for (let count = 0; count < 2_000; count += 1) yield line;
        }
      },
    };
    expect(await expire({ ...paid, deps: { ...deps, statement } })).toMatchObject({
      expiredCredits: 5,
      failures: [{ lot: { id }, error: { message: expect.stringContaining('takes too long') } }],
    });
  }, 60_000);

  test('in two concurrent runs takes the credits back once', async () => {
    const { paid } = await expiredWallet();
    await paid.buy(100);
    await Promise.all([expire(paid), expire(paid)]);
    expect(await paid.available()).toBe(100);
    expect(await paid.deps.lots.listLots(paid.wallet)).toMatchObject([
      { withdrawals: [{ credits: 100 }] },
      { remaining: 100 },
    ]);
  });

  test.each(['before', 'after'] as const)(
    'is completed by the next run if it is killed %s one of its calls',
    async (when) => {
      let kills = 0;
      for (let call = 1; ; call += 1) {
        const { paid } = await expiredWallet({ shards: 2, charged: 30 });
        await paid.buy(10);
        paid.killAt(call, when);
        const result = await expire(paid).then(
          ({ failedLots }) => failedLots > 0,
          () => true,
        );
        paid.revive();
        if (!result) break;
        kills += 1;
        await expire(paid);
        expect(await paid.available()).toBe(10);
        expect(await paid.deps.lots.listDueLots('2027-01-01')).toEqual([]);
        expect(await paid.deps.lots.listLots(paid.wallet)).toMatchObject([
          { remaining: 30, withdrawals: [{ credits: 70 }] },
          { remaining: 10 },
        ]);
      }
      expect(kills).toBeGreaterThan(8);
    },
  );
});

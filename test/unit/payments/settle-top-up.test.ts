import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import { ServiceError } from '../../../shared/core/errors.ts';
import { closingKey, shardKey } from '../../../shared/core/keys.ts';
import { creditWithLot } from '../../../shared/payments/lots/credit-with-lot.ts';
import { creditTransfer } from '../../../shared/payments/orders/credit-transfer.ts';
import { openTopUp } from '../../../shared/payments/orders/open-top-up.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { markDue, settleTopUp } from '../../../shared/payments/orders/settle-top-up.ts';
import { sweepTopUps } from '../../../shared/payments/orders/sweep-top-ups.ts';
import type { VerifiedPayment } from '../../../shared/payments/paystack/payment-provider.ts';
import { seededRandom } from '../../ledger/simulation/random.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

const START = '2026-11-22T10:00:00.000Z';
const RECHECK = { recheck: true };
const REQUEST = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };

async function shop(startIso = START) {
  const memory = memoryClient();
  const provider = fakeProvider();
  const { time, clock } = memoryClock(startIso);
  const deps = topUpDependencies(memory.client, provider, clock);
  await setUp(deps);
  const open = async (reference: string, change: Partial<typeof REQUEST> = {}) => {
    const opened = await openTopUp({ ...REQUEST, ...change }, reference, deps);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    return opened.order;
  };
  const pay = (order: TopUpOrder, change: Partial<Extract<VerifiedPayment, { reference: string }>> = {}) =>
    provider.payments.set(order.reference, { ...paymentOf(order), ...change });
  const settle = (reference: string, process = deps) => settleTopUp('live', reference, process);
  /** Returns a separate process, whose calls can be made to fail. */
  const newProcess = () => {
    const fork = memory.fork();
    return { memory: fork, deps: topUpDependencies(fork.client, provider, clock) };
  };
  return { memory, provider, time, clock, deps, open, pay, settle, newProcess };
}

type Shop = Awaited<ReturnType<typeof shop>>;

function paymentOf(order: TopUpOrder) {
  return {
    status: 'success',
    reference: order.reference,
    amountKobo: order.totalKobo,
    currency: 'NGN',
    paidAt: '2026-11-22T10:00:01.000Z',
    channel: 'card',
    providerReference: '4099260516',
  } as const;
}

async function booksOf({ deps, memory }: Shop) {
  const [lots, documents, orders] = await Promise.all([
    deps.lots.listLots(WALLET),
    deps.documents.listDocuments(WALLET),
    deps.orders.listOrders(WALLET),
  ]);
  const shard = memory.writes.findLast(({ pk }) => pk === shardKey(WALLET, 0).pk)?.row;
  const audit = await auditTable(memory.client, 'AuditTrail').listEntries(WALLET.organisationId);
  const credited = orders.filter(({ state }) => state === 'CREDITED');
  const paidLots = lots.filter(({ kind }) => kind === 'paid');

  expect(shard?.['available']).toBe(lots.reduce((sum, { credits }) => sum + credits, 0));
  expect(paidLots.map(({ order }) => order).sort()).toEqual(
    credited.map(({ reference }) => reference).sort(),
  );
  for (const order of credited) {
    const lot = paidLots.find(({ id }) => id === order.lot);
    expect(lot).toMatchObject({ credits: order.credits, netKobo: order.netKobo, invoice: order.invoice });
    const own = documents.filter((document) => document.order === order.reference);
    expect(own.map(({ number }) => number).sort()).toEqual([order.invoice, order.receipt].sort());
    for (const document of own) expect(document.totalKobo).toBe(order.totalKobo);
    const target = `credit ${order.method === 'PAYSTACK' ? 'paystack:' : ''}${order.reference} of the live wallet`;
    expect(audit.filter((entry) => entry.target === target)).toHaveLength(1);
  }
  for (const kind of ['INVOICE', 'RECEIPT'] as const) {
    const numbers = documents
      .filter((one) => one.kind === kind)
      .map(({ number }) => Number(number.slice(-6)));
    expect(numbers.sort((a, b) => a - b)).toEqual(credited.map((_, index) => index + 1));
  }
  return { lots, documents, orders, credited, available: shard?.['available'] };
}

describe('opening an order:', () => {
  test('the current price and VAT are fixed, and the checkout is returned', async () => {
    const { deps, open } = await shop();
    const order = await open('TOPUP-A');
    expect(order).toMatchObject({
      state: 'OPENED',
      koboPerCredit: 5_000,
      netKobo: 500_000,
      vatBasisPoints: 750,
      vatKobo: 37_500,
      totalKobo: 537_500,
      checkoutUrl: 'https://checkout.example/TOPUP-A',
      openedBy: 'server',
    });
    expect(await deps.orders.getOrder('live', 'TOPUP-A')).toEqual(order);
    expect(await openTopUp(REQUEST, 'TOPUP-A', deps)).toEqual({ kind: 'exists' });
  });

  test.each([9, 100_001, 10.5, Number.NaN])('%d credits are not sold', async (credits) => {
    const { deps } = await shop();
    const opened = await openTopUp({ ...REQUEST, credits }, 'TOPUP-A', deps);
    expect(opened).toEqual({ kind: 'wrong-amount', least: 10, most: 100_000 });
    expect(await deps.orders.getOrder('live', 'TOPUP-A')).toBeUndefined();
  });

  test('billing details are required', async () => {
    const { provider, clock } = await shop();
    const empty = topUpDependencies(memoryClient().client, provider, clock);
    expect(await openTopUp(REQUEST, 'TOPUP-A', empty)).toEqual({
      kind: 'incomplete',
      missing: 'billing details',
    });
    const other = { ...WALLET, organisationId: 'bbbbbbbbbb' };
    const { deps } = await shop();
    expect(await openTopUp({ ...REQUEST, wallet: other }, 'TOPUP-A', deps)).toMatchObject({
      kind: 'incomplete',
    });
    expect(provider.calls).toBe(0);
  });

  test('it fails if Paystack opens no checkout, but a payment that arrives anyway is credited', async () => {
    const all = await shop();
    all.provider.before = () => {
      throw new Error('connection lost');
    };
    await expect(all.open('TOPUP-A')).rejects.toThrow(ServiceError);
    const order = await all.deps.orders.getOrder('live', 'TOPUP-A');
    expect(order).toMatchObject({ state: 'FAILED' });
    all.provider.before = () => undefined;
    all.pay(order as TopUpOrder);
    expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'CREDITED' });
    await booksOf(all);
  });
});

describe('settling an order:', () => {
  test('credit, lot, invoice, receipt and audit record are written together', async () => {
    const all = await shop();
    all.pay(await all.open('TOPUP-A'));
    const order = await all.settle('TOPUP-A');
    expect(order).toMatchObject({
      state: 'CREDITED',
      invoice: 'IDV-2026-000001',
      receipt: 'IDVR-2026-000001',
      payment: { amountKobo: 537_500, channel: 'card', providerReference: '4099260516' },
    });
    expect(order?.dueAt).toBeUndefined();
    const { lots, documents, available } = await booksOf(all);
    expect(available).toBe(100);
    expect(lots).toMatchObject([{ kind: 'paid', koboPerCredit: 5_000, vatKobo: 37_500, order: 'TOPUP-A' }]);
    expect(documents).toMatchObject([
      { kind: 'RECEIPT', invoice: 'IDV-2026-000001' },
      { kind: 'INVOICE', buyer: { name: 'Kainji Pay Ltd' }, seller: { name: 'Identity Services Ltd' } },
    ]);
    expect(await all.deps.credits.getCredit(WALLET, 'paystack:TOPUP-A')).toMatchObject({
      amount: 100,
      actor: 'paystack',
      month: '2026-11',
      lot: order?.lot,
    });
  });

  test('three concurrent triggers credit each order once', async () => {
    const all = await shop();
    for (const reference of ['TOPUP-A', 'TOPUP-B', 'TOPUP-C']) all.pay(await all.open(reference));
    all.time.nowMs += 2 * MINUTE_MS;
    const fail = (error: unknown) => {
      throw error;
    };
    const trigger = () => all.newProcess().deps;
    await Promise.all([
      ...['TOPUP-A', 'TOPUP-B', 'TOPUP-C'].flatMap((reference) => [
        all.settle(reference, trigger()),
        all.settle(reference, trigger()),
      ]),
      sweepTopUps(trigger(), fail),
    ]);
    const { credited, available } = await booksOf(all);
    expect([credited.length, available]).toEqual([3, 300]);
  });

  test.each(Array.from({ length: 50 }, (_, seed) => seed))(
    'any interleaving with conflicts credits each order once, and numbers have no gap (seed %d)',
    async (seed) => {
      const all = await shop();
      const random = seededRandom(seed);
      const references = ['TOPUP-A', 'TOPUP-B', 'TOPUP-C', 'TOPUP-D'];
      for (const reference of references) all.pay(await all.open(reference));
      const trigger = (reference: string) => {
        const { memory, deps } = all.newProcess();
        memory.before = async ({ input }) => {
          for (let ticks = random.between(0, 5); ticks > 0; ticks -= 1) await Promise.resolve();
          if ('TransactItems' in input && random.chance(0.3))
            throw conflict(input.TransactItems as unknown[]);
        };
        return all.settle(reference, deps);
      };
      await Promise.all([...references, ...references, ...references].map(trigger));
      expect((await booksOf(all)).available).toBe(400);
    },
  );

  test('a settlement that is killed at any call is completed by the next trigger', async () => {
    const calls = await callsOfOneSettlement();
    expect(calls).toBeGreaterThan(8);
    for (let kill = 1; kill <= calls; kill += 1)
      for (const isApplied of [false, true]) {
        const all = await shop();
        all.pay(await all.open('TOPUP-A'));
        const victim = all.newProcess();
        let left = kill;
        const die = () => {
          throw new Error('killed');
        };
        const count = () => {
          left -= 1;
          if (left <= 0) die();
        };
        if (isApplied) victim.memory.after = count;
        else victim.memory.before = count;
        await expect(all.settle('TOPUP-A', victim.deps)).rejects.toThrow();
        expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'CREDITED' });
        expect((await booksOf(all)).available).toBe(100);
      }
  });

  test.each([
    [
      'a smaller amount',
      { amountKobo: 537_499 },
      'The payment is 5,374.99 naira, but the order is 5,375.00 naira.',
    ],
    ['a larger amount', { amountKobo: 537_501 }, 'The payment is 5,375.01 naira'],
    ['a different currency', { currency: 'GHS' }, 'The payment is in GHS, but the order is in NGN.'],
    [
      'the reference of another order',
      { reference: 'TOPUP-B' },
      'The payment has the reference of another order.',
    ],
  ])('a payment with %s is a mismatch and credits nothing', async (_, change, problem) => {
    const all = await shop();
    all.pay(await all.open('TOPUP-A'), change);
    const order = await all.settle('TOPUP-A');
    expect(order).toMatchObject({ state: 'MISMATCH', problem: expect.stringContaining(problem) });
    expect(order?.dueAt).toBeUndefined();
    all.pay(order as TopUpOrder);
    expect(await all.settle('TOPUP-A')).toEqual(order);
    expect(await booksOf(all)).toMatchObject({ lots: [], documents: [], available: 0 });
  });

  test.each(['failed', 'reversed'] as const)('a payment that is %s credits nothing', async (status) => {
    const all = await shop();
    all.pay(await all.open('TOPUP-A'), { status });
    expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'FAILED' });
    expect((await booksOf(all)).available).toBe(0);
  });

  test.each(['abandoned', 'pending', 'missing'] as const)(
    'an order whose payment is %s stays open and then expires, and a later payment is credited',
    async (status) => {
      const all = await shop();
      const order = await all.open('TOPUP-A');
      const unpaid = status === 'missing' ? { status } : { ...paymentOf(order), status };
      all.provider.payments.set('TOPUP-A', unpaid);
      expect(await all.settle('TOPUP-A')).toEqual(order);
      all.time.nowMs += DAY_MS;
      expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'EXPIRED' });
      all.pay(order);
      expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'CREDITED' });
      expect((await booksOf(all)).available).toBe(100);
    },
  );

  describe('a payment of an expired order', () => {
    const LEARNED = '2027-01-22T10:00:00.000Z';
    const settleAfterRise = async (paidAt: string | undefined, koboPerCredit = 10_000) => {
      const all = await shop();
      const order = await all.open('TOPUP-A');
      all.provider.payments.set('TOPUP-A', { ...paymentOf(order), status: 'abandoned' });
      all.time.nowMs += DAY_MS;
      expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'EXPIRED' });
      const rise = {
        koboPerCredit,
        from: '2026-11-23T12:00:00.000Z',
        actor: 'ada',
        reason: '',
        createdAt: START,
      };
      await all.deps.prices.addPrice(undefined, rise);
      all.pay(order, { paidAt });
      all.time.nowMs = Date.parse(LEARNED);
      return { settled: await all.settle('TOPUP-A'), books: await booksOf(all) };
    };

    test.each([
      ['within a day of the expiry, whenever it is noticed, is credited', '2026-11-24T09:59:59.000Z', 10_000],
      ['later is credited if its price has not risen', '2026-12-22T10:00:00.000Z', 5_000],
      ['later is credited if its price has fallen', '2026-12-22T10:00:00.000Z', 4_000],
    ])('%s at the price of the order', async (_, paidAt, koboPerCredit) => {
      const { settled, books } = await settleAfterRise(paidAt, koboPerCredit);
      expect(settled).toMatchObject({ state: 'CREDITED', koboPerCredit: 5_000, netKobo: 500_000 });
      expect(books.available).toBe(100);
    });

    test.each([
      ['more than a day after the expiry', '2026-11-24T10:00:01.000Z'],
      ['weeks later', '2027-01-22T09:59:00.000Z'],
      ['at a time that Paystack does not state', undefined],
    ])('%s is not credited, and a person decides', async (_, paidAt) => {
      const { settled, books } = await settleAfterRise(paidAt);
      expect(settled).toMatchObject({
        state: 'MISMATCH',
        payment: { amountKobo: 537_500 },
        problem: expect.stringMatching(
          /^The order expired at 2026-11-23T10:00:00.\d+Z, and was paid more than a day later\. A credit then cost 100\.00 naira, but the order has 50\.00 naira\.$/,
        ),
      });
      expect(books).toMatchObject({ lots: [], documents: [], available: 0 });
    });
  });

  test('a payment that is reversed after its credit was booked is shown to a person, and changes nothing else', async () => {
    const all = await shop();
    const order = await all.open('TOPUP-A');
    all.pay(order);
    await all.settle('TOPUP-A');
    all.pay(order, { status: 'reversed' });
    const calls = all.provider.calls;
    expect((await all.settle('TOPUP-A'))?.problem).toBeUndefined();
    expect(all.provider.calls).toBe(calls);

    await markDue('live', 'TOPUP-A', all.deps);
    expect(await sweepTopUps(all.deps, () => undefined)).toMatchObject({ asked: 1, credited: 0, failed: 0 });
    expect(await all.deps.orders.getOrder('live', 'TOPUP-A')).toMatchObject({
      state: 'CREDITED',
      problem: 'The payment was reversed after its credits were added.',
      reversedAt: expect.stringMatching(/^20\d\d-/),
    });
    expect(await all.deps.orders.listDue('2027-01-01T00:00:00.000Z')).toEqual([]);
    expect((await booksOf(all)).available).toBe(100);
  });

  test('a reversed payment that a person has resolved is not shown again', async () => {
    const all = await shop();
    const order = await all.open('TOPUP-A');
    all.pay(order);
    await all.settle('TOPUP-A');
    all.pay(order, { status: 'reversed' });
    const { problem: _, ...reversed } = (await settleTopUp('live', 'TOPUP-A', all.deps, RECHECK)) ?? order;
    await all.deps.orders.moveOrder(reversed, { ...reversed, resolution: 'The customer paid by transfer' });
    const after = await settleTopUp('live', 'TOPUP-A', all.deps, RECHECK);
    expect(after).toMatchObject({ state: 'CREDITED', resolution: 'The customer paid by transfer' });
    expect(after?.problem).toBeUndefined();
  });

  test.each(['webhook', 'sweep'])(
    'a payment that is reversed while its credit cannot be booked is shown to a person by the %s',
    async (trigger) => {
      const all = await shop();
      const order = await all.open('TOPUP-A');
      all.pay(order);
      const killed = all.newProcess();
      killed.memory.before = (command) => {
        if (command instanceof TransactWriteCommand) throw new Error('killed');
      };
      await expect(all.settle('TOPUP-A', killed.deps)).rejects.toThrow('killed');
      expect(await all.deps.orders.getOrder('live', 'TOPUP-A')).toMatchObject({ state: 'PAID' });
      all.pay(order, { status: 'reversed' });
      all.time.nowMs += 2 * MINUTE_MS;
      if (trigger === 'webhook') await settleTopUp('live', 'TOPUP-A', all.deps, RECHECK);
      else await sweepTopUps(all.deps, () => undefined);
      expect(await all.deps.orders.getOrder('live', 'TOPUP-A')).toMatchObject({
        state: 'CREDITED',
        problem: 'The payment was reversed after its credits were added.',
      });
    },
  );

  type Payment = Parameters<Shop['pay']>[1];
  test.each<readonly [string, Payment | undefined]>([
    ['does not know', undefined],
    ['gave another number', { providerReference: '1' }],
    ['received with another amount', { amountKobo: 1 }],
    ['reports as failed', { status: 'failed' }],
  ])('a stored payment that Paystack %s is a mismatch, and not credited', async (_, change) => {
    const all = await shop();
    const order = await all.open('TOPUP-A');
    const { status: __, reference: ___, ...payment } = paymentOf(order);
    await all.deps.orders.moveOrder(order, { ...order, state: 'PAID', payment });
    if (change) all.pay(order, change);
    await sweepTopUps(all.deps, () => undefined);
    expect(await all.settle('TOPUP-A')).toMatchObject({
      state: 'MISMATCH',
      problem: 'Paystack does not confirm the payment that the order states.',
    });
    expect((await booksOf(all)).available).toBe(0);
  });

  test('nothing changes if Paystack does not respond', async () => {
    const all = await shop();
    const order = await all.open('TOPUP-A');
    all.provider.before = () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    };
    await expect(all.settle('TOPUP-A')).rejects.toThrow(ServiceError);
    expect(await all.deps.orders.getOrder('live', 'TOPUP-A')).toEqual(order);
  });

  test('an order that does not exist is not settled', async () => {
    const { settle, provider } = await shop();
    expect(await settle('TOPUP-X')).toBeUndefined();
    expect(provider.calls).toBe(0);
  });

  test('a credit that was booked by hand under the reference of an order makes the order a mismatch', async () => {
    const all = await shop();
    all.pay(await all.open('TOPUP-A'));
    const reference = 'paystack:TOPUP-A';
    const byHand = { reference, kind: 'TOP_UP', amount: 100, actor: 'ada', reason: '' } as const;
    await creditWithLot(WALLET, 1, byHand, all.deps, all.clock);
    expect(await all.settle('TOPUP-A')).toMatchObject({ state: 'MISMATCH' });
    expect((await booksOf(all)).available).toBe(100);
  });

  test('a payment from a closed month is credited in the open month', async () => {
    const all = await shop('2026-11-30T22:59:00.000Z');
    all.pay(await all.open('TOPUP-A'), { paidAt: '2026-11-30T22:59:30.000Z' });
    all.time.nowMs = Date.parse('2026-11-30T23:12:00.000Z');
    await close(all, '2026-11');
    const order = await all.settle('TOPUP-A');
    expect(await all.deps.credits.getCredit(WALLET, 'paystack:TOPUP-A')).toMatchObject({
      month: '2026-12',
      effectiveAt: '2026-11-30T22:59:30.000Z',
    });
    const { lots } = await booksOf(all);
    expect(lots).toMatchObject([{ month: '2026-12', createdAt: order?.creditedAt }]);
  });

  test('a machine whose clock still shows a closed month books nothing into it', async () => {
    const all = await shop();
    all.pay(await all.open('TOPUP-A'));
    await close(all, '2026-11');
    await expect(all.settle('TOPUP-A')).rejects.toThrow('The month 2026-11 of this wallet is closed');
    expect(await all.deps.orders.getOrder('live', 'TOPUP-A')).toMatchObject({ state: 'PAID' });
    all.time.nowMs = Date.parse('2026-12-01T09:00:00.000Z');
    await sweepTopUps(all.deps, () => undefined);
    expect((await booksOf(all)).lots).toMatchObject([{ month: '2026-12' }]);
  });
});

describe('the sweep of orders:', () => {
  test('it calls Paystack about due orders less and less often, about one in each minute, and not after 72 hours', async () => {
    const all = await shop();
    const order = await all.open('TOPUP-A');
    const asked: number[] = [];
    let runsWithoutCall = 0;
    const openedAtMs = Date.parse(order.openedAt);
    const dueAt = async () => (await all.deps.orders.getOrder('live', 'TOPUP-A'))?.dueAt;
    for (let minute = 1; minute <= 80 * 60; minute += 1) {
      all.time.nowMs = openedAtMs + minute * MINUTE_MS + 500;
      const before = await dueAt();
      const report = await sweepTopUps(all.deps, () => undefined);
      if ((await dueAt()) !== before) asked.push(minute);
      if (report.asked === 0) runsWithoutCall += 1;
    }
    expect(asked.slice(0, 9)).toEqual([1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(asked.length).toBeLessThan(85);
    expect(asked.at(-1)).toBe(72 * 60);
    expect(runsWithoutCall).toBe(8 * 60);
    const last = await all.deps.orders.getOrder('live', 'TOPUP-A');
    expect(last).toMatchObject({ state: 'EXPIRED' });
    expect(last?.dueAt).toBeUndefined();
  });

  test('an order that fails does not stop others, and is checked again later', async () => {
    const all = await shop();
    for (const reference of ['TOPUP-A', 'TOPUP-B']) all.pay(await all.open(reference));
    const { verify } = all.provider;
    all.provider.verify = (reference) =>
      reference === 'TOPUP-A' ? Promise.reject(new Error('no response')) : verify(reference);
    all.time.nowMs += 2 * MINUTE_MS;
    const failures: string[] = [];
    const sweep = () => sweepTopUps(all.deps, (_, { reference }) => failures.push(reference));
    expect(await sweep()).toEqual({ due: 2, asked: 2, credited: 1, failed: 1 });
    expect(await sweep()).toEqual({ due: 0, asked: 1, credited: 0, failed: 1 });
    all.provider.verify = verify;
    all.time.nowMs += 3 * MINUTE_MS;
    expect(await sweep()).toEqual({ due: 1, asked: 1, credited: 1, failed: 0 });
    expect(failures).toEqual(['TOPUP-A', 'TOPUP-A']);
    expect((await booksOf(all)).available).toBe(200);
  });

  test('it does not begin to settle an order after 25 s', async () => {
    const all = await shop();
    for (let index = 0; index < 20; index += 1) await all.open(`TOPUP-${index}`);
    all.time.nowMs += 2 * MINUTE_MS;
    all.provider.before = () => {
      all.time.nowMs += 4_000;
    };
    const report = await sweepTopUps(all.deps, () => undefined);
    expect(report.asked).toBeLessThan(20);
    expect(report.due).toBe(20);
  });
});

describe('the orders of an organisation that opens too many', () => {
  test.each([
    ['test', 'bbbbbbbbbb'],
    ['live', 'bbbbbbbbbb'],
    ['test', WALLET.organisationId],
  ] as const)('in %s do not keep the sweep from a paid live order (%s)', async (env, organisationId) => {
    const all = await shop();
    const paid = await all.open('TOPUP-PAID');
    all.pay(paid);
    const others = Array.from({ length: 1_500 }, (_, index) => ({
      ...paid,
      env,
      organisationId,
      reference: `TOPUP-${index}`,
      openedAt: '2026-11-22T09:00:00.000Z',
      dueAt: '2026-11-22T10:00:00.000Z',
    }));
    for (const order of others) await all.deps.orders.insertOrder(order);
    all.time.nowMs += 2 * MINUTE_MS;
    expect(await sweepTopUps(all.deps, () => undefined)).toMatchObject({ due: 500, credited: 1 });
  });

  test('take turns with those of others, whose paid orders come first', async () => {
    const { deps, open } = await shop();
    const order = await open('TOPUP-A');
    const add = (reference: string, change: Partial<TopUpOrder>) =>
      deps.orders.insertOrder({ ...order, reference, ...change });
    const [first, second] = [{ organisationId: 'bbbbbbbbbb' }, { organisationId: 'cccccccccc' }];
    for (const name of ['B1', 'B2', 'B3']) await add(name, { ...first, dueAt: '2026-11-22T10:00:01.000Z' });
    await add('C1', { ...second, dueAt: '2026-11-22T10:00:02.000Z' });
    await add('TEST', { ...second, env: 'test', state: 'PAID', dueAt: '2026-11-22T10:00:00.000Z' });
    await add('PAID', { ...second, state: 'PAID', dueAt: '2026-11-22T10:00:03.000Z' });
    const due = await deps.orders.listDue('2026-11-22T11:00:00.000Z', 6);
    expect(due.map(({ reference }) => reference)).toEqual(['PAID', 'B1', 'C1', 'TOPUP-A', 'B2', 'B3']);
  });
});

describe('a paid bank transfer:', () => {
  const transfer = { wallet: WALLET, credits: 100, reference: 'GTB-20261122-7', reason: 'paid by transfer' };

  test('it is credited once, with an order, a lot, an invoice and a receipt', async () => {
    const all = await shop();
    const first = await creditTransfer(transfer, all.deps);
    const again = await creditTransfer(transfer, all.deps);
    expect([first.existed, again.existed]).toEqual([false, true]);
    expect(again.order).toEqual(first.order);
    expect(first.order).toMatchObject({
      method: 'TRANSFER',
      state: 'CREDITED',
      invoice: 'IDV-2026-000001',
      payment: { amountKobo: 537_500, channel: 'bank_transfer' },
    });
    expect(await all.deps.credits.getCredit(WALLET, 'GTB-20261122-7')).toMatchObject({
      amount: 100,
      reason: 'paid by transfer',
    });
    expect((await booksOf(all)).available).toBe(100);
  });

  test('a reference is rejected if it was used for a different number of credits, another organisation, or credits without an invoice', async () => {
    const all = await shop();
    await creditTransfer(transfer, all.deps);
    await expect(creditTransfer({ ...transfer, credits: 99 }, all.deps)).rejects.toThrow('has 100 credits');
    const wallet = { ...WALLET, organisationId: 'bbbbbbbbbb' };
    await expect(creditTransfer({ ...transfer, wallet }, all.deps)).rejects.toThrow('another organisation');
    const free = { reference: 'FREE', kind: 'TOP_UP', amount: 100, actor: 'ada', reason: '' } as const;
    await creditWithLot(WALLET, 1, free, all.deps, all.clock);
    const sameReference = { ...transfer, reference: 'FREE' };
    await expect(creditTransfer(sameReference, all.deps)).rejects.toThrow('credits without an invoice');
    expect((await booksOf(all)).available).toBe(200);
  });

  test('it is rejected without billing details, and the error says what to do', async () => {
    const all = await shop();
    const wallet = { ...WALLET, organisationId: 'bbbbbbbbbb' };
    await expect(creditTransfer({ ...transfer, wallet }, all.deps)).rejects.toThrow('admin billing set');
  });

  test('documents are dated in the order of their numbers, although another process began earlier', async () => {
    const all = await shop('2026-11-30T22:59:59.900Z');
    await creditTransfer(transfer, all.deps);
    all.time.nowMs -= 71;
    await creditTransfer({ ...transfer, reference: 'GTB-20261122-8' }, all.deps);
    const documents = await all.deps.documents.listDocuments(WALLET, 'INVOICE');
    const [second, first] = documents.toSorted((a, b) => (a.number < b.number ? 1 : -1));
    expect(second?.issuedAt).toBe(first?.issuedAt);
  });

  test.each([
    ['of a later month', 200],
    ['with a clock that was wrong', -70_000],
  ])('a document is not dated by an earlier one %s', async (_, aheadMs) => {
    const all = await shop(aheadMs > 0 ? '2026-11-30T22:59:59.900Z' : '2026-11-30T12:00:00.000Z');
    all.time.nowMs += Math.abs(aheadMs);
    await creditTransfer(transfer, all.deps);
    all.time.nowMs -= Math.abs(aheadMs);
    const { order } = await creditTransfer({ ...transfer, reference: 'GTB-20261122-8' }, all.deps);
    const invoice = await all.deps.documents.getDocument(WALLET, order.invoice ?? '');
    expect(invoice?.issuedAt).toBe(order.creditedAt);
  });

  test('many transfers at once get invoice numbers without gaps', async () => {
    const all = await shop();
    const references = Array.from({ length: 12 }, (_, index) => `T-${index}`);
    await Promise.all(
      references.map((reference) => creditTransfer({ ...transfer, reference }, all.newProcess().deps)),
    );
    const { credited, available } = await booksOf(all);
    expect([credited.length, available]).toEqual([12, 1200]);
  });
});

test('documents of several organisations share one series without gaps or repetitions', async () => {
  const all = await shop();
  const other = { ...WALLET, organisationId: 'bbbbbbbbbb' };
  await setUp(all.deps, other.organisationId);
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const wallet = index % 2 === 0 ? WALLET : other;
      const transfer = { wallet, credits: 100, reference: `T-${index}`, reason: '' };
      return creditTransfer(transfer, all.newProcess().deps);
    }),
  );
  const documents = (
    await Promise.all([WALLET, other].map((one) => all.deps.documents.listDocuments(one)))
  ).flat();
  const invoices = documents.filter(({ kind }) => kind === 'INVOICE').map(({ number }) => number);
  const wanted = Array.from({ length: 12 }, (_, index) => `IDV-2026-${String(index + 1).padStart(6, '0')}`);
  expect(invoices.sort()).toEqual(wanted);
});

const close = ({ memory }: Shop, month: string) =>
  memory.client.send(
    new PutCommand({ TableName: 'Payments', Item: { ...closingKey(WALLET, month), state: 'CLOSED' } }),
  );

function conflict(items: readonly unknown[]): Error {
  return new TransactionCanceledException({
    message: 'made up',
    $metadata: {},
    CancellationReasons: items.map(() => ({ Code: 'TransactionConflict' })),
  });
}

async function callsOfOneSettlement(): Promise<number> {
  const all = await shop();
  all.pay(await all.open('TOPUP-A'));
  let calls = 0;
  let transactions = 0;
  all.memory.before = (command) => {
    calls += 1;
    if (command instanceof TransactWriteCommand) transactions += 1;
  };
  await all.settle('TOPUP-A');
  expect(transactions).toBe(1);
  return calls;
}

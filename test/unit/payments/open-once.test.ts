import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../shared/core/errors.ts';
import { keyedName, openTopUpOnce } from '../../../shared/payments/orders/open-once.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { settleTopUp } from '../../../shared/payments/orders/settle-top-up.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

const KEY = 'order-of-november-2026';
const REQUEST = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };
const OTHER = { ...WALLET, organisationId: 'bbbbbbbbbb' };

async function shop() {
  const memory = memoryClient();
  const provider = fakeProvider();
  const { time, clock } = memoryClock('2026-11-22T10:00:00.000Z');
  const deps = topUpDependencies(memory.client, provider, clock);
  await setUp(deps);
  const open = (change: Partial<typeof REQUEST & { returnUrl: string }> = {}, key: string | 'none' = KEY) =>
    openTopUpOnce({ ...REQUEST, ...change }, key === 'none' ? undefined : key, deps);
  const orderOf = async (...input: Parameters<typeof open>): Promise<TopUpOrder> => {
    const opened = await open(...input);
    if (!('order' in opened)) throw new Error(opened.kind);
    return opened.order;
  };
  const orders = () => deps.orders.listOrders(WALLET);
  return { memory, provider, time, deps, open, orderOf, orders };
}

const code = (expected: string) => expect.objectContaining({ code: expected });
const unavailable = () => {
  throw new ServiceError('SERVICE_UNAVAILABLE');
};

describe('an order for credits', () => {
  test('is opened once under one key, and returned for every repetition', async () => {
    const { open, orders, provider } = await shop();
    const first = await open();
    const again = await open();
    expect(first).toMatchObject({ kind: 'opened', order: { state: 'OPENED', credits: 100 } });
    expect(again).toEqual({ ...first, kind: 'repeated' });
    expect(await orders()).toHaveLength(1);
    expect(provider.calls).toBe(1);
    expect((await orders())[0]?.reference).toMatch(/^TOPUP-[0-7][0-9A-Z]{25}$/);
  });

  test('is new under a different key, without a key, in the other environment or for another organisation', async () => {
    const { orderOf, deps } = await shop();
    await setUp(deps, OTHER.organisationId).catch(() => undefined);
    const all = [
      await orderOf(),
      await orderOf({}, `${KEY}-2`),
      await orderOf({}, 'none'),
      await orderOf({}, 'none'),
      await orderOf({ wallet: { ...WALLET, env: 'test' } as never }),
      await orderOf({ wallet: OTHER as never }),
    ];
    expect(new Set(all.map(({ reference }) => reference)).size).toBe(6);
  });

  test('without a key is opened even if the write was repeated because its response was lost', async () => {
    const { deps, orders } = await shop();
    let puts = 0;
    const insertOrder = async (order: TopUpOrder) => {
      puts += 1;
      if (puts === 1) await deps.orders.insertOrder(order);
      return deps.orders.insertOrder(order);
    };
    const lossy = { ...deps, orders: { ...deps.orders, insertOrder } };
    expect(await openTopUpOnce(REQUEST, undefined, lossy)).toMatchObject({ kind: 'opened' });
    const payable = (await orders()).filter(({ checkoutUrl }) => checkoutUrl !== undefined);
    expect(payable).toHaveLength(1);
  });

  test.each([
    ['number of credits', { credits: 101 }],
    ['return URL', { returnUrl: 'https://shop.example/other' }],
  ])('with a different %s is rejected under the same key', async (_, change) => {
    const { open, orders } = await shop();
    await open();
    await expect(open(change)).rejects.toEqual(code('IDEMPOTENCY_KEY_REUSED'));
    expect(await orders()).toHaveLength(1);
  });

  test('that was credited is returned unchanged, so that a late repetition leads to no second payment', async () => {
    const { open, orderOf, provider, deps } = await shop();
    const order = await orderOf();
    provider.payments.set(order.reference, {
      status: 'success',
      reference: order.reference,
      amountKobo: order.totalKobo,
      currency: 'NGN',
      paidAt: '2026-11-22T10:00:01.000Z',
      channel: 'card',
      providerReference: '1',
    });
    await settleTopUp('live', order.reference, deps);
    expect(await open()).toMatchObject({
      kind: 'repeated',
      order: { state: 'CREDITED', reference: order.reference },
    });
  });

  test('is opened once for many simultaneous requests, and the others are rejected while it is being opened', async () => {
    const { open, orders, provider } = await shop();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => open()));
    const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(failures)).toEqual(new Set(['REQUEST_IN_PROGRESS']));
    expect(failures).toHaveLength(7);
    expect(await orders()).toHaveLength(1);
    expect(provider.calls).toBe(1);
    expect((await open()).kind).toBe('repeated');
  });
});

describe('an order that Paystack did not open', () => {
  test('leaves nothing to pay, and a repetition under the same key opens another order', async () => {
    const { open, orders, provider } = await shop();
    provider.before = unavailable;
    await expect(open()).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    await expect(open()).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    provider.before = () => undefined;
    const opened = await open();
    expect(opened.kind).toBe('opened');
    expect((await open()).kind).toBe('repeated');
    const states = (await orders()).map(({ state, checkoutUrl }) => [state, checkoutUrl !== undefined]);
    expect(states.sort()).toEqual([
      ['FAILED', false],
      ['FAILED', false],
      ['OPENED', true],
    ]);
    await expect(open({ credits: 101 })).rejects.toEqual(code('IDEMPOTENCY_KEY_REUSED'));
  });

  test('because the function was killed counts as in progress for 40 seconds, after which a repetition opens another order', async () => {
    const { open, orders, provider, time } = await shop();
    let kill: (() => void) | undefined;
    provider.before = () => new Promise((_, reject) => (kill = () => reject(new Error('killed'))));
    const killed = open();
    while (!kill) await new Promise(setImmediate);
    await expect(open()).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS', retryAfterSeconds: 2 });
    time.nowMs += 39_000;
    await expect(open()).rejects.toEqual(code('REQUEST_IN_PROGRESS'));
    time.nowMs += 1_000;
    provider.before = () => undefined;
    expect((await open()).kind).toBe('opened');
    expect(await orders()).toHaveLength(2);
    kill();
    await expect(killed).rejects.toThrow();
  });

  test('in 20 attempts under one key can be repeated only under a new key', async () => {
    const { open, provider, time } = await shop();
    provider.before = unavailable;
    for (let attempts = 0; attempts < 20; attempts += 1) {
      await expect(open()).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
      time.nowMs += 600_000;
    }
    provider.before = () => undefined;
    await expect(open()).rejects.toThrow('Use a new key.');
    expect(provider.calls).toBe(20);
    expect((await open({}, `${KEY}-2`)).kind).toBe('opened');
  });
});

describe('the reference of an order', () => {
  test('cannot be computed from the organisation and the Idempotency-Key', async () => {
    const references = await Promise.all(
      [shop(), shop()].map(async (one) => (await (await one).orderOf()).reference),
    );
    expect(references).not.toContain(keyedName(WALLET, KEY, 0));
    expect(new Set(references).size).toBe(2);
  });

  test('stays the same if an earlier version derived it from the key', async () => {
    const { deps, open, orderOf, orders } = await shop();
    const template = await orderOf({}, 'none');
    const reference = keyedName(WALLET, KEY, 0);
    await deps.orders.insertOrder({ ...template, reference });
    expect(await open()).toMatchObject({ kind: 'repeated', order: { reference } });
    await expect(open({ credits: 101 })).rejects.toEqual(code('IDEMPOTENCY_KEY_REUSED'));
    expect(await orders()).toHaveLength(2);
  });

  test('is used by the next request if the function was killed before it stored the order', async () => {
    const { deps, orderOf, orders } = await shop();
    const killed = {
      ...deps,
      orders: { ...deps.orders, insertOrder: () => Promise.reject(new Error('killed')) },
    };
    await expect(openTopUpOnce(REQUEST, KEY, killed)).rejects.toThrow('killed');
    const { reference } = await orderOf();
    expect((await orderOf()).reference).toBe(reference);
    expect(await orders()).toHaveLength(1);
  });
});

describe('a wallet with 20 unpaid orders', () => {
  async function fullShop() {
    const world = await shop();
    for (let count = 0; count < 20; count += 1) await world.open({}, `${KEY}-${count}`);
    return world;
  }
  const limited = expect.objectContaining({
    code: 'RATE_LIMITED',
    details: expect.objectContaining({ reason: 'top_up_limit' }),
  });

  test('gets no other, until one is paid', async () => {
    const { open, orderOf, orders, provider, deps } = await fullShop();
    await expect(open()).rejects.toEqual(limited);
    await expect(open({}, 'none')).rejects.toEqual(limited);
    expect(await orders()).toHaveLength(20);
    expect(provider.calls).toBe(20);
    const { reference, totalKobo: amountKobo } = await orderOf({}, `${KEY}-3`);
    provider.payments.set(reference, {
      status: 'success',
      reference,
      amountKobo,
      currency: 'NGN',
      paidAt: '2026-11-22T10:00:01.000Z',
      channel: 'card',
      providerReference: '1',
    });
    await settleTopUp('live', reference, deps);
    expect((await open()).kind).toBe('opened');
  });

  test('gets the next after Retry-After, when the oldest has expired', async () => {
    const { open, time } = await fullShop();
    await expect(open()).rejects.toMatchObject({ retryAfterSeconds: 86_400 });
    time.nowMs += 86_400_000;
    expect((await open()).kind).toBe('opened');
  });

  test.each(['test', 'live'] as const)('counts %s orders that Paystack refused for an hour', async (env) => {
    const { deps, time } = await shop();
    const wallet = { ...WALLET, env };
    deps.providers[env].initialise = () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'));
    const open = (key: string) => openTopUpOnce({ ...REQUEST, wallet }, key, deps);
    for (let count = 0; count < 20; count += 1)
      await expect(open(`${KEY}-${count}`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(open(KEY)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 3_600 });
    time.nowMs += 3_600_000;
    await expect(open(KEY)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('affects no other wallet, and orders for bank transfers do not count', async () => {
    const { open, orders, deps } = await fullShop();
    expect((await open({ wallet: { ...WALLET, env: 'test' } as never })).kind).toBe('opened');
    const [newest] = await orders();
    if (!newest) throw new Error('There is no order.');
    await deps.orders.moveOrder(newest, { ...newest, method: 'TRANSFER' });
    expect((await open()).kind).toBe('opened');
  });
});

test.each([
  ['too few credits', 9, { kind: 'wrong-amount', least: 10, most: 100_000 }],
  ['too many credits', 100_001, { kind: 'wrong-amount', least: 10, most: 100_000 }],
])('%s open no order', async (_, credits, result) => {
  const { open, orders } = await shop();
  expect(await open({ credits })).toEqual(result);
  expect(await orders()).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PaymentFault } from '../../../infra/local/payments/faults.ts';
import { type RunningPayments, startPayments } from '../../../infra/local/payments.ts';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import type { ServiceEvent } from '../../../shared/events/event.ts';
import { creditWallet } from '../../../shared/ledger/top-up.ts';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import { type AutomaticTopUp, withoutCard } from '../../../shared/payments/automatic/automatic-top-up.ts';
import { openCard, sealCard } from '../../../shared/payments/automatic/seal-card.ts';
import {
  type AutomaticDependencies,
  topUpAutomatically,
} from '../../../shared/payments/automatic/top-up-automatically.ts';
import { openTopUp } from '../../../shared/payments/orders/open-top-up.ts';
import { settleTopUp } from '../../../shared/payments/orders/settle-top-up.ts';
import { sweepTopUps } from '../../../shared/payments/orders/sweep-top-ups.ts';
import { paystackProviders } from '../../../shared/payments/paystack/paystack.ts';
import {
  fakeProvider,
  type MemoryClient,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

/** Automatic top-ups, with the test double for Paystack over HTTP. */

const START = '2026-11-22T10:00:00.000Z';
const KEYS = { current: 'a key' };
/** The double's card. */
const CODE = 'AUTH_local00001';
const { organisationId } = WALLET;
/** 100 credits at 50 naira, with 7.5% VAT. */
const PRICE_KOBO = 537_500;

let paystack: RunningPayments;
beforeEach(async () => {
  paystack = await startPayments({ webhookUrl: 'http://127.0.0.1:1' });
});
afterEach(() => paystack.close());

const fail = (error: unknown) => {
  throw error;
};
const ignore = () => undefined;

/** Pays for 100 credits with a card. */
async function buy(reference: string, topUps: AutomaticDependencies['topUps']) {
  const request = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };
  const opened = await openTopUp(request, reference, topUps);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  await fetch(opened.order.checkoutUrl ?? '', {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay' }),
    redirect: 'manual',
  });
  await settleTopUp('live', reference, topUps);
}

type Shop = Awaited<ReturnType<typeof shop>>;

/** Opens a shop whose customer has bought 100 credits with a card, and saved it: below 50 credits, it buys 100. */
async function shop(change: Partial<AutomaticTopUp> = {}) {
  const memory = memoryClient();
  const { time, clock } = memoryClock(START);
  const events: ServiceEvent[] = [];
  const providers = paystackProviders({
    credentials: async () => paystack.keys,
    baseUrl: paystack.url,
    allowLocal: true,
  });
  const processOn = ({ client }: MemoryClient): AutomaticDependencies => ({
    automatic: automaticTable(client, 'Payments'),
    topUps: { ...topUpDependencies(client, fakeProvider(), clock), providers },
    organisations: organisationTable(client, 'ApiKeys'),
    keys: async () => KEYS,
    send: async (sent) => {
      for (const event of sent) if (!events.some(({ id }) => id === event.id)) events.push(event);
    },
  });
  const deps = processOn(memory);
  const tables = topUpDependencies(memory.client, fakeProvider(), clock);
  await setUp(tables);
  const organisations = organisationTable(memory.client, 'ApiKeys');
  const organisation = {
    id: organisationId,
    name: 'Kainji Pay',
    status: 'APPROVED',
    services: {},
    rateLimit: { perSecond: 10, burst: 20 },
    walletShards: 1,
    createdAt: START,
    version: 1,
  } as const;
  await organisations.insertOrganisation(organisation);
  await buy('TOPUP-FIRST', deps.topUps);
  const card = await providers.live.findCard('TOPUP-FIRST');
  if (!card) throw new Error('The card cannot be charged again.');
  const saved: AutomaticTopUp = {
    organisationId,
    state: 'ON',
    thresholdCredits: 50,
    credits: 100,
    monthlyCapKobo: 10 * PRICE_KOBO,
    cardOrder: 'TOPUP-FIRST',
    sealedCard: sealCard(card, organisationId, KEYS),
    changedAt: START,
    changedBy: 'member:1',
    version: 1,
    ...change,
  };
  await deps.automatic.saveAutomatic(undefined, saved);
  const spend = async (credits: number) => {
    const order = {
      reference: `SPENT-${time.nowMs}`,
      kind: 'CORRECTION',
      amount: -credits,
      actor: 'ada',
      reason: 'spent',
    } as const;
    await creditWallet(WALLET, 1, order, tables, clock, async () => []);
  };
  /** Runs the scheduled job once a minute. */
  const run = async (minutes = 1, process = deps) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      time.nowMs += MINUTE_MS;
      await sweepTopUps(process.topUps, fail);
      await topUpAutomatically(process, fail);
    }
  };
  const row = async () => {
    const found = await deps.automatic.getAutomatic(organisationId);
    if (!found) throw new Error('The row is missing.');
    return found;
  };
  return {
    memory,
    time,
    clock,
    deps,
    tables,
    events,
    organisations,
    organisation,
    processOn,
    spend,
    run,
    row,
  };
}

const declare = (charge: NonNullable<PaymentFault['charge']>) => paystack.control.setFault(CODE, { charge });

/** The charges that the double knows, without the payment that saved the card. */
const charges = async () =>
  (await paystack.control.transactions()).filter(({ reference }) => !reference.startsWith('TOPUP-FIRST'));

async function creditedOrders({ deps }: Shop) {
  const orders = await deps.topUps.orders.listOrders(WALLET);
  return orders.filter(({ state, reference }) => state === 'CREDITED' && reference !== 'TOPUP-FIRST');
}

const summaryOf = (all: Shop) =>
  all.events.map(({ type, detail }) => [
    type.replace('Automatic Top-Up ', ''),
    detail['reason'] ?? detail['total_kobo'],
  ]);

describe('a saved card', () => {
  test('is charged once for each crossing of the threshold, with the documents of any top-up', async () => {
    const all = await shop();
    await all.run(2);
    expect(await charges()).toEqual([]);
    await all.spend(50);
    await all.run(2);
    expect(await charges()).toEqual([]);
    await all.spend(1);
    await all.run(3);
    expect(await charges()).toMatchObject([{ mode: 'live', status: 'success', amount: PRICE_KOBO }]);
    const [order] = await creditedOrders(all);
    expect(order).toMatchObject({
      openedBy: 'automatic top-up',
      credits: 100,
      vatKobo: 37_500,
      invoice: 'IDV-2026-000002',
      receipt: 'IDVR-2026-000002',
      payment: { amountKobo: PRICE_KOBO, channel: 'card' },
    });
    const entries = await auditTable(all.memory.client, 'AuditTrail').listEntries(organisationId);
    expect(entries).toContainEqual(
      expect.objectContaining({
        target: `live order ${order?.reference}`,
        after: expect.objectContaining({ openedBy: 'automatic top-up', totalKobo: PRICE_KOBO }),
      }),
    );
    expect(summaryOf(all)).toEqual([['Charged', PRICE_KOBO]]);
    expect(await all.row()).toMatchObject({ state: 'ON', month: '2026-11', monthKobo: PRICE_KOBO });
    await all.spend(100);
    await all.run(3);
    expect(await charges()).toHaveLength(2);
    expect(await creditedOrders(all)).toHaveLength(2);
  });

  test('is charged once by runs at the same time', async () => {
    const all = await shop();
    await all.spend(60);
    const processes = Array.from({ length: 4 }, () => all.processOn(all.memory.fork()));
    await Promise.all(processes.map((process) => topUpAutomatically(process, ignore)));
    await all.run(2);
    expect(await charges()).toHaveLength(1);
    expect(await creditedOrders(all)).toHaveLength(1);
    expect(summaryOf(all)).toEqual([['Charged', PRICE_KOBO]]);
  });

  test.each(['before', 'after'] as const)(
    'is charged at most once if the run ends %s any of its writes and reads',
    async (when) => {
      const outcomes = new Set<string>();
      for (let calls = 0, isDone = false; !isDone; calls += 1) {
        const all = await shop();
        const taken = (await charges()).length;
        await all.spend(60);
        const memory = all.memory.fork();
        let left = calls;
        const step = () => {
          left -= 1;
          if (left < 0) throw new Error('The process has ended.');
        };
        memory[when] = step;
        all.time.nowMs += MINUTE_MS;
        await topUpAutomatically(all.processOn(memory), ignore).catch(ignore);
        isDone = left >= 0;
        await all.run(70);
        const made = (await charges()).length - taken;
        const credited = (await creditedOrders(all)).length;
        const { state, charging } = await all.row();
        expect([made <= 1, credited === made, charging]).toEqual([true, true, undefined]);
        expect(state).toBe(made === 1 ? 'ON' : 'STOPPED');
        expect(summaryOf(all)).toEqual([made === 1 ? ['Charged', PRICE_KOBO] : ['Stopped', 'unknown']]);
        outcomes.add(state);
        await paystack.close();
        paystack = await startPayments({ webhookUrl: 'http://127.0.0.1:1' });
      }
      expect([...outcomes].sort()).toEqual(when === 'before' ? ['ON'] : ['ON', 'STOPPED']);
    },
  );

  test('is not charged later if Paystack cannot be reached', async () => {
    const all = await shop();
    await all.spend(60);
    await paystack.control.setStopped(true);
    await topUpAutomatically(all.deps, ignore);
    await paystack.control.setStopped(false);
    await all.run(70);
    expect([await charges(), summaryOf(all)]).toEqual([[], [['Stopped', 'unknown']]]);
    expect(await all.row()).toMatchObject({ state: 'STOPPED', stopReason: 'unknown' });
  });

  test('is not charged again if the response to its charge is lost', async () => {
    const all = await shop();
    await declare('lost');
    await all.spend(60);
    const failures: unknown[] = [];
    await topUpAutomatically(all.deps, (error) => failures.push(error));
    expect([failures.length, await creditedOrders(all)]).toEqual([1, []]);
    await all.run(3);
    expect(await charges()).toHaveLength(1);
    expect(await creditedOrders(all)).toHaveLength(1);
    expect(summaryOf(all)).toEqual([['Charged', PRICE_KOBO]]);
  });

  test('is not charged again after a decline, until a member saves it again', async () => {
    const all = await shop();
    await declare('declined');
    await all.spend(60);
    await all.run(90);
    expect(await charges()).toMatchObject([{ status: 'failed' }]);
    expect(await all.row()).toMatchObject({ state: 'STOPPED', stopReason: 'declined', monthKobo: 0 });
    expect(summaryOf(all)).toEqual([['Stopped', 'declined']]);
    await declare('paid');
    const row = await all.row();
    await all.deps.automatic.saveAutomatic(row, { ...row, state: 'ON' });
    await all.run(2);
    expect(await creditedOrders(all)).toHaveLength(1);
  });

  test('that the bank wants to have confirmed stops, and the customer can pay the order', async () => {
    const all = await shop();
    await declare('paused');
    await all.spend(60);
    await all.run(2);
    expect(await all.row()).toMatchObject({ state: 'STOPPED', stopReason: 'unconfirmed' });
    expect(summaryOf(all)).toEqual([['Stopped', 'unconfirmed']]);
    const [order] = await all.deps.topUps.orders.listOrders(WALLET);
    await fetch(order?.checkoutUrl ?? '', { method: 'POST', body: new URLSearchParams({ outcome: 'pay' }) });
    await all.run(2);
    expect(await creditedOrders(all)).toMatchObject([{ reference: order?.reference }]);
  });

  test('that Paystack refuses stops at once', async () => {
    const card = { authorisationCode: 'AUTH_other', email: 'accounts@kainji.example' };
    const all = await shop({ sealedCard: sealCard(card, organisationId, KEYS) });
    await all.spend(60);
    await all.run();
    expect([await charges(), (await all.row()).stopReason]).toEqual([[], 'declined']);
  });

  test('is not charged beyond the monthly limit, and again in the next month', async () => {
    const all = await shop({ monthlyCapKobo: 2 * PRICE_KOBO - 1 });
    await all.spend(60);
    await all.run(2);
    await all.spend(100);
    await all.run(5);
    expect(await charges()).toHaveLength(1);
    expect(summaryOf(all)).toEqual([
      ['Charged', PRICE_KOBO],
      ['Stopped', 'limit'],
    ]);
    all.time.nowMs = Date.parse('2026-11-30T22:50:00.000Z');
    await all.run(5);
    expect(await charges()).toHaveLength(1);
    // The month begins in Lagos.
    await all.run(10);
    expect(await charges()).toHaveLength(2);
  });

  test('is not charged while the organisation is suspended', async () => {
    const all = await shop();
    await all.spend(60);
    const suspended = { ...all.organisation, status: 'SUSPENDED' as const };
    await all.organisations.updateOrganisation(all.organisation, suspended, {
      target: 'status',
      before: {},
      after: {},
    });
    await all.run(3);
    expect(await charges()).toEqual([]);
    const now = await all.organisations.getOrganisation(organisationId);
    if (!now) throw new Error('The organisation is missing.');
    await all.organisations.updateOrganisation(
      now,
      { ...now, status: 'APPROVED' },
      { target: 'status', before: {}, after: {} },
    );
    await all.run();
    expect(await charges()).toHaveLength(1);
  });

  test('stops if the credits are not sold', async () => {
    const all = await shop({ credits: 100_001 });
    await all.spend(60);
    await all.run(2);
    expect([await charges(), summaryOf(all)]).toEqual([[], [['Stopped', 'not_sold']]]);
  });

  test('stops when a purchase is charged back, however many came after it', async () => {
    const all = await shop();
    for (let number = 1; number <= 11; number += 1) await buy(`TOPUP-FIRST-${number}`, all.deps.topUps);
    await all.spend(1_160);
    await paystack.control.setFault('TOPUP-FIRST-1', { status: 'reversed' });
    await settleTopUp('live', 'TOPUP-FIRST-1', all.deps.topUps, { recheck: true });
    await all.run(2);
    expect([await charges(), summaryOf(all)]).toEqual([[], [['Stopped', 'paid_back']]]);
    expect(await all.row()).toMatchObject({ state: 'STOPPED', stopReason: 'paid_back' });
  });

  test('is not charged if a purchase is charged back after its balance was read', async () => {
    const all = await shop();
    await all.spend(60);
    const prices = all.deps.topUps.prices;
    const listPrices: typeof prices.listPrices = async (...args) => {
      await paystack.control.setFault('TOPUP-FIRST', { status: 'reversed' });
      await settleTopUp('live', 'TOPUP-FIRST', all.deps.topUps, { recheck: true });
      return prices.listPrices(...args);
    };
    await all.run(1, { ...all.deps, topUps: { ...all.deps.topUps, prices: { ...prices, listPrices } } });
    await all.run(2);
    expect([await charges(), summaryOf(all)]).toEqual([[], [['Stopped', 'paid_back']]]);
  });

  test('stops if it cannot be decrypted', async () => {
    const all = await shop();
    await all.spend(60);
    await topUpAutomatically({ ...all.deps, keys: async () => ({ current: 'new' }) }, fail);
    expect([await charges(), summaryOf(all)]).toEqual([[], [['Stopped', 'unreadable']]]);
  });

  test('is never charged once it is removed, although a charge that has begun is settled', async () => {
    const all = await shop();
    await declare('lost');
    await all.spend(60);
    await topUpAutomatically(all.deps, ignore);
    const row = await all.row();
    await all.deps.automatic.saveAutomatic(row, withoutCard(row));
    await all.run(3);
    expect(await creditedOrders(all)).toHaveLength(1);
    await all.spend(120);
    await all.run(3);
    expect(await charges()).toHaveLength(1);
    const removed = await all.row();
    expect([removed.state, removed.sealedCard, removed.charging]).toEqual(['OFF', undefined, undefined]);
    expect(await all.deps.automatic.listAutomatic()).toEqual([]);
  });

  test('is in no row in plain text', async () => {
    const all = await shop();
    await all.spend(60);
    await all.run(2);
    const written = JSON.stringify(all.memory.writes);
    expect(written).toContain('sealedCard');
    for (const secret of [CODE, 'SIG_local', '"4081"', '"408408"']) expect(written).not.toContain(secret);
  });
});

describe('a sealed card', () => {
  const card = { authorisationCode: CODE, email: 'accounts@kainji.example' };
  const sealed = sealCard(card, organisationId, KEYS);

  test('opens for its organisation only, also after one rotation of the key', () => {
    expect(openCard(sealed, organisationId, KEYS)).toEqual(card);
    expect(openCard(sealed, organisationId, { current: 'new', previous: 'a key' })).toEqual(card);
    expect(openCard(sealed, 'bbbbbbbbbb', KEYS)).toBeUndefined();
    expect(openCard(sealed, organisationId, { current: 'new' })).toBeUndefined();
  });

  test('differs each time, and does not open if it was changed', () => {
    expect(sealCard(card, organisationId, KEYS)).not.toBe(sealed);
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(openCard(bytes.toString('base64url'), organisationId, KEYS)).toBeUndefined();
    expect(openCard('', organisationId, KEYS)).toBeUndefined();
  });
});

/** The wallet of test keys. */
test('a low test wallet is never topped up', async () => {
  const all = await shop();
  const test = { env: 'test', organisationId } as const;
  await creditWallet(
    test,
    1,
    { reference: 'T', kind: 'TOP_UP', amount: 1, actor: 'ada', reason: 'spent' },
    all.tables,
    all.clock,
    async () => [],
  );
  await all.run(Math.ceil(HOUR_MS / MINUTE_MS));
  expect(await charges()).toEqual([]);
});

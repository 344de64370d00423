import { describe, expect, test } from '@jest/globals';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import { MINUTE_MS } from '../../../shared/core/clock.ts';
import { sealTable } from '../../../shared/ledger/reconcile/seal-table.ts';
import { statementTable } from '../../../shared/ledger/statement/statement-table.ts';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import { creditWithLot } from '../../../shared/payments/lots/credit-with-lot.ts';
import { closingTable } from '../../../shared/payments/months/closing-table.ts';
import { openTopUp } from '../../../shared/payments/orders/open-top-up.ts';
import { reviewTable } from '../../../shared/payments/orders/review-table.ts';
import { refundTable } from '../../../shared/payments/refunds/refund-table.ts';
import {
  paymentMetrics,
  runPayments,
  type ScheduleDependencies,
} from '../../../shared/payments/run-payments.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

const START = '2026-11-22T10:00:00.000Z';
const FREE = { reference: 'FREE', kind: 'TOP_UP', amount: 40, actor: 'ada', reason: '' } as const;

async function scheduled() {
  const { client } = memoryClient();
  const provider = fakeProvider();
  const { time, clock } = memoryClock(START);
  const topUps = topUpDependencies(client, provider, clock);
  await setUp(topUps);
  const organisations = organisationTable(client, 'ApiKeys');
  await organisations.insertOrganisation({
    id: WALLET.organisationId,
    name: 'Kainji Pay',
    status: 'APPROVED',
    services: {},
    rateLimit: { perSecond: 10, burst: 20 },
    walletShards: 1,
    createdAt: START,
    version: 1,
  });
  const refunds = refundTable(client, 'Payments');
  const deps: ScheduleDependencies = {
    expiry: {
      ...topUps,
      organisations,
      closings: closingTable(client, 'Payments'),
      statement: statementTable(client, 'Wallets'),
      seals: sealTable(client, 'Wallets'),
    },
    payments: {
      topUps,
      automatic: {
        automatic: automaticTable(client, 'Payments'),
        topUps,
        organisations,
        keys: async () => ({}),
        send: async () => undefined,
      },
      refunds: { refunds, documents: topUps.documents, providers: topUps.providers, clock },
      review: { ...topUps, review: reviewTable(client, 'Payments'), refunds, clock },
    },
  };
  const open = async (reference: string) => {
    const request = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };
    const opened = await openTopUp(request, reference, topUps);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    const { totalKobo: amountKobo } = opened.order;
    provider.payments.set(reference, {
      status: 'success',
      reference,
      amountKobo,
      currency: 'NGN',
      paidAt: START,
      channel: 'card',
      providerReference: '1',
    });
  };
  return { deps, topUps, provider, time, clock, open };
}

const fail = (error: unknown) => {
  throw error;
};

describe('a scheduled run of payments', () => {
  test('settles top-ups, expires lots and counts what a person must review', async () => {
    const { deps, topUps, time, clock, open, provider } = await scheduled();
    await open('TOPUP-A');
    await open('TOPUP-B');
    provider.payments.set('TOPUP-B', { ...provider.payments.get('TOPUP-B'), amountKobo: 1 } as never);
    const expiresAt = '2026-11-22T10:01:00.000Z';
    await creditWithLot(WALLET, 1, FREE, topUps, clock, { kind: 'promotional', expiresAt });
    time.nowMs += 2 * MINUTE_MS;

    const run = await runPayments(deps, fail);
    expect(run.counts).toMatchObject({
      due: 2,
      asked: 2,
      credited: 1,
      failed: 0,
      expiredLots: 1,
      refundsSent: 0,
    });
    expect(run.counts['expiredCredits']).toBe(40);
    expect(paymentMetrics(run)).toEqual({ paymentsToReview: 1, unsettledPayments: 0 });
    expect(await topUps.shards.snapshot(WALLET, 1)).toMatchObject([{ available: 100 }]);
  });

  test('measures the share of orders that could not be settled, if any are open', async () => {
    const { deps, time, open, provider } = await scheduled();
    await open('TOPUP-A');
    await open('TOPUP-B');
    time.nowMs += 2 * MINUTE_MS;
    provider.before = () => {
      if (provider.calls % 2 === 0) throw new Error('http-401');
    };
    const failures: string[] = [];
    const run = await runPayments(deps, (error) => failures.push(String(error)));
    expect(failures).toEqual(['Error: http-401']);
    expect(paymentMetrics(run)).toEqual({ paymentsToReview: 0, unsettledPayments: 50 });
    expect(paymentMetrics(await runPayments(deps, fail))).toEqual({
      paymentsToReview: 0,
      unsettledPayments: 0,
    });
    expect(paymentMetrics(await runPayments(deps, fail))).toEqual({ paymentsToReview: 0 });
  });

  test('continues with the other parts if one fails, and then fails', async () => {
    const { deps, topUps, time, open } = await scheduled();
    await open('TOPUP-A');
    time.nowMs += 2 * MINUTE_MS;
    const broken = { listDueLots: () => Promise.reject(new Error('no table')) };
    const expiry = { ...deps.expiry, lots: { ...deps.expiry.lots, ...broken } };
    const failures: unknown[] = [];
    const run = runPayments({ ...deps, expiry }, (error, subject) => failures.push([String(error), subject]));
    await expect(run).rejects.toThrow('no table');
    expect(failures).toEqual([['Error: no table', { part: 'lots' }]]);
    expect(await topUps.orders.getOrder('live', 'TOPUP-A')).toMatchObject({ state: 'CREDITED' });
  });

  test('reports every part that fails', async () => {
    const { deps } = await scheduled();
    if (!deps.payments) throw new Error('The stage takes payments.');
    const broken = (name: string) => ({ [name]: () => Promise.reject(new Error(name)) });
    const expiry = { ...deps.expiry, lots: { ...deps.expiry.lots, ...broken('listDueLots') } };
    const { refunds, review } = deps.payments;
    const payments = {
      ...deps.payments,
      refunds: { ...refunds, refunds: { ...refunds.refunds, ...broken('listDue') } },
      review: { ...review, review: { ...review.review, ...broken('listPaid') } },
    };
    const failures: unknown[] = [];
    const run = runPayments({ expiry, payments }, (error, subject) =>
      failures.push([String(error), subject]),
    );
    await expect(run).rejects.toThrow('listDueLots');
    expect(failures).toEqual([
      ['Error: listDueLots', { part: 'lots' }],
      ['Error: listDue', { part: 'refunds' }],
      ['Error: listPaid', { part: 'review' }],
    ]);
  });

  test('expires lots in a stage that takes no payments, and publishes no payment metrics', async () => {
    const { deps, topUps, time, clock } = await scheduled();
    const expiresAt = '2026-11-22T10:01:00.000Z';
    await creditWithLot(WALLET, 1, FREE, topUps, clock, { kind: 'promotional', expiresAt });
    time.nowMs += 2 * MINUTE_MS;
    const run = await runPayments({ ...deps, payments: undefined }, fail);
    expect(run.counts).toMatchObject({ due: 0, expiredLots: 1 });
    expect(paymentMetrics(run)).toEqual({});
  });
});

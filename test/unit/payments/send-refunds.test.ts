import { describe, expect, test } from '@jest/globals';
import { NO_RECORD } from '../../../shared/audit/recorder.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';
import type { Deployment } from '../../../shared/operators/deployment.ts';
import { documentsOf } from '../../../shared/operators/operations/credit-notes.ts';
import type { PaymentProvider, ProviderRefund } from '../../../shared/payments/paystack/payment-provider.ts';
import type { Refund } from '../../../shared/payments/refunds/refund.ts';
import { refundCredits } from '../../../shared/payments/refunds/refund-credits.ts';
import { problemsOf, sendRefunds } from '../../../shared/payments/refunds/send-refunds.ts';
import { fakeProvider } from './memory-payments.ts';
import { type PaidWallet, paidWallet } from './paid-wallet.ts';

/** Returns a test double for Paystack's refunds as documented: it does not recognise a repeated request. */
function provider() {
  const refunds: ProviderRefund[] = [];
  const double = {
    refunds,
    /** The payment as Paystack reports it. */
    payment: 'success' as 'success' | 'reversed',
    /** Runs before a refund is stored. If it throws, the call fails with this error. */
    before: async () => {},
    /** Runs after a refund is stored. If it throws, the call fails with this error. */
    after: async () => {},
  };
  const only: PaymentProvider = {
    ...fakeProvider(),
    initialise: () => Promise.reject(new Error('Not in this test.')),
    async verify(reference) {
      const payment = { reference, amountKobo: 1, currency: 'NGN', paidAt: undefined, channel: 'card' };
      return { ...payment, status: double.payment, providerReference: '4099260516' };
    },
    async refund({ amountKobo, note }) {
      await double.before();
      const refundReference = String(9_000 + refunds.length);
      const row = { refundReference, status: 'pending', amountKobo, currency: 'NGN', note } as const;
      refunds.push(row);
      await double.after();
      return row;
    },
    listRefunds: async () => [...refunds],
  };
  return { double: Object.assign(double, { only }), providers: { live: only, test: only } };
}

async function refunded({ method = 'PAYSTACK' as 'PAYSTACK' | 'TRANSFER' } = {}) {
  const paid = await paidWallet();
  const order = await paid.buy(10, { method });
  const request = { wallet: paid.wallet, invoice: order.invoice ?? '', credits: 4, reference: 'R1' };
  const { refund } = await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
  const paystack = provider();
  const failures: unknown[] = [];
  const run = () =>
    sendRefunds({ ...paid.deps, providers: paystack.providers }, (error) => failures.push(error));
  const read = () => paid.deps.refunds.getRefund(refund);
  const tables = { wallets: 'Wallets', payments: 'Payments', apiKeys: 'ApiKeys' };
  const deployment = { client: paid.memory.client, tables } as unknown as Deployment;
  const { recordPaidBack } = documentsOf({ deployment, recorder: NO_RECORD, clock: paid.deps.clock });
  const { organisationId } = paid.wallet;
  /** Does what the command `credit-note paid-back` does. */
  const payBack = (bankReference: string, number = refund.creditNote) =>
    recordPaidBack(organisationId, number, bankReference);
  return { paid, order, refund, paystack: paystack.double, failures, run, read, payBack };
}

const later = ({ time }: PaidWallet, ms: number) => {
  time.nowMs += ms;
};

const status = (refunds: ProviderRefund[], to: ProviderRefund['status']) => {
  const [first] = refunds;
  if (first) refunds[0] = { ...first, status: to };
};

describe('a refund of money', () => {
  test('is sent once and is complete when Paystack has paid it', async () => {
    const { paid, refund, paystack, run, read } = await refunded();
    expect(await run()).toEqual({ sent: 1, done: 0, failed: 0, errors: 0 });
    expect(paystack.refunds).toEqual([
      {
        refundReference: '9000',
        status: 'pending',
        amountKobo: refund.totalKobo,
        currency: 'NGN',
        note: refund.creditNote,
      },
    ]);
    expect(await read()).toMatchObject({ state: 'SENT', paidBackBy: '9000', sends: 1 });

    expect(await run()).toEqual({ sent: 0, done: 0, failed: 0, errors: 0 });
    later(paid, 6 * HOUR_MS);
    await run();
    status(paystack.refunds, 'processed');
    later(paid, 6 * HOUR_MS);
    expect(await run()).toMatchObject({ done: 1 });
    const paidBackKobo = refund.totalKobo;
    expect(await read()).toMatchObject({ state: 'DONE', paidBackBy: '9000', paidBackKobo });
    expect(paystack.refunds).toHaveLength(1);
    expect(await paid.deps.refunds.listDue('2027-01-01')).toEqual([]);
  });

  test.each(['before', 'after'] as const)(
    'is sent once even if the run ends %s Paystack receives it',
    async (when) => {
      const { paid, paystack, failures, run, read } = await refunded();
      paystack[when] = () => Promise.reject(new Error('killed'));
      expect(await run()).toMatchObject({ sent: 0, errors: 1 });
      expect(failures).toHaveLength(1);
      paystack[when] = async () => {};
      // Paystack's list may not show the refund yet.
      expect(await run()).toMatchObject({ sent: 0, errors: 0 });
      later(paid, 5 * 60_000);
      expect(await run()).toMatchObject({ sent: 1 });
      expect(paystack.refunds).toHaveLength(1);
      expect(await read()).toMatchObject({ state: 'SENT' });
    },
  );

  test.each(['listRefunds', 'verify'] as const)(
    'is postponed by five minutes if %s fails, so that it does not keep others from being sent',
    async (call) => {
      const { paid, refund, paystack, run, read } = await refunded();
      const works = paystack.only[call];
      Object.assign(paystack.only, { [call]: () => Promise.reject(new Error('unavailable')) });
      expect(await run()).toMatchObject({ errors: 1 });
      const now = () => new Date(paid.time.nowMs).toISOString();
      expect(await paid.deps.refunds.listDue(now())).toEqual([]);
      expect(await read()).toMatchObject({ state: 'REQUESTED', sends: 0, reason: refund.reason });
      Object.assign(paystack.only, { [call]: works });
      later(paid, 5 * 60_000);
      expect(await run()).toMatchObject({ sent: 1 });
    },
  );

  test('is sent once by three concurrent runs', async () => {
    const { paystack, run } = await refunded();
    await Promise.all([run(), run(), run()]);
    expect(paystack.refunds).toHaveLength(1);
  });

  test('that Paystack does not accept is left to a person after 12 attempts, and completed by a bank transfer', async () => {
    const { paid, paystack, run, read, payBack } = await refunded();
    let attempts = 0;
    paystack.before = async () => {
      attempts += 1;
      throw new Error('rejected');
    };
    const startMs = paid.time.nowMs;
    while ((await read())?.state === 'REQUESTED') {
      await run();
      later(paid, 60_000 * 30);
    }
    expect(attempts).toBe(12);
    expect(paid.time.nowMs - startMs).toBeGreaterThan(DAY_MS);
    const failed = await read();
    expect(failed).toMatchObject({ state: 'FAILED', problem: expect.stringContaining('not accept') });
    if (!failed) throw new Error('There is no refund.');
    expect(problemsOf(failed)).toContain(failed.problem);
    expect(problemsOf({ ...failed, sends: 11 })).toEqual([]);
    expect(problemsOf({ ...failed, paidBackBy: '9000' })).not.toContain(failed.problem);

    const done = await payBack('FT-77');
    expect(done).toMatchObject({ state: 'DONE', paidBackBy: 'FT-77' });
    expect(done.problem).toBeUndefined();
    expect(await payBack('FT-77')).toEqual(done);
    await expect(payBack('FT-78')).rejects.toThrow(
      `had already been returned to the customer at ${done.doneAt}, with the reference FT-77. Nothing was changed.`,
    );
    expect(await read()).toEqual(done);
    later(paid, 30 * DAY_MS);
    await run();
    expect(attempts).toBe(12);
  });

  test.each<Partial<Refund>>([{ totalKobo: 1_000_000 }, { payment: '1' }, { organisationId: 'aaaaaaaaaa' }])(
    'that does not have the %j of its credit note is not sent, but shown to a person',
    async (change) => {
      const { paid, refund, paystack, run, read } = await refunded();
      await paid.deps.refunds.moveRefund(refund, { ...refund, ...change });
      await run();
      const stored = await read();
      expect(stored).toMatchObject({ state: 'REQUESTED', problem: expect.stringContaining('differs') });
      expect(paystack.refunds).toEqual([]);
      if (stored) await paid.deps.refunds.moveRefund(stored, { ...refund, dueAt: stored.dueAt });
      later(paid, 6 * HOUR_MS);
      await run();
      expect(paystack.refunds).toMatchObject([{ amountKobo: refund.totalKobo }]);
    },
  );

  test('of a reversed payment is not sent, and the operator is not advised to pay it by bank transfer', async () => {
    const { paid, paystack, run, read } = await refunded();
    paystack.payment = 'reversed';
    await run();
    expect(await read()).toMatchObject({ state: 'REQUESTED', problem: expect.stringContaining('reversed') });
    while ((await read())?.state === 'REQUESTED') {
      later(paid, 60_000 * 30);
      await run();
    }
    expect(paystack.refunds).toEqual([]);
    const { state, problem } = (await read()) ?? {};
    expect(state).toBe('FAILED');
    expect(problem).toContain('reversed');
    expect(problem).not.toContain('If it is not there, pay');
  });

  test('of a payment whose reversal was withdrawn is sent', async () => {
    const { paid, paystack, run, read } = await refunded();
    paystack.payment = 'reversed';
    await run();
    paystack.payment = 'success';
    later(paid, HOUR_MS);
    await run();
    expect(paystack.refunds).toHaveLength(1);
    expect((await read())?.problem).toBeUndefined();
    expect(await read()).toMatchObject({ state: 'SENT' });
  });

  test('that fails at Paystack is left to a person', async () => {
    const { paid, paystack, run, read } = await refunded();
    await run();
    status(paystack.refunds, 'failed');
    later(paid, 6 * HOUR_MS);
    expect(await run()).toMatchObject({ failed: 1 });
    expect(await read()).toMatchObject({
      state: 'FAILED',
      problem: expect.stringContaining('bank transfer'),
    });
  });

  test('for which Paystack needs bank details is shown to a person until they are provided', async () => {
    const { paid, paystack, run, read } = await refunded();
    await run();
    status(paystack.refunds, 'needs-attention');
    later(paid, 6 * HOUR_MS);
    await run();
    expect(await read()).toMatchObject({ state: 'SENT', problem: expect.stringContaining('bank details') });
    status(paystack.refunds, 'processed');
    later(paid, 6 * HOUR_MS);
    await run();
    expect((await read())?.problem).toBeUndefined();
    expect(await read()).toMatchObject({ state: 'DONE' });
  });

  test('that Paystack no longer lists is not sent again', async () => {
    const { paid, paystack, run, read } = await refunded();
    await run();
    paystack.refunds.length = 0;
    later(paid, 6 * HOUR_MS);
    await run();
    expect(paystack.refunds).toEqual([]);
    expect(await read()).toMatchObject({
      state: 'SENT',
      problem: expect.stringContaining('no longer lists'),
    });
  });

  test('of a bank transfer is never sent to Paystack, before or after a person has paid it', async () => {
    const { paid, paystack, run, read, payBack } = await refunded({ method: 'TRANSFER' });
    await run();
    expect(await payBack('FT-1')).toMatchObject({ state: 'DONE', paidBackBy: 'FT-1' });
    later(paid, 30 * DAY_MS);
    await run();
    expect(paystack.refunds).toEqual([]);
    expect(await read()).toMatchObject({ state: 'DONE', paidBackBy: 'FT-1' });
  });

  test('that was left to Paystack cannot also be paid by bank transfer', async () => {
    const { paid, order, paystack, run, read, payBack } = await refunded();
    const isRejected = async (reason: string) => {
      const before = await read();
      await expect(payBack('FT-1')).rejects.toThrow(reason);
      expect(await read()).toEqual(before);
    };
    await isRejected('Do not return it by bank transfer');
    await run();
    expect(await read()).toMatchObject({ state: 'SENT' });
    await isRejected('Do not return it by bank transfer');
    later(paid, 6 * HOUR_MS);
    status(paystack.refunds, 'processed');
    await run();
    expect(await read()).toMatchObject({ state: 'DONE' });
    await isRejected('had already been returned to the customer');
    expect(paystack.refunds).toHaveLength(1);
    await expect(payBack('FT-1', order.invoice)).rejects.toThrow('is not a credit note');
  });

  test('for which two operators record a bank transfer at the same time keeps one of the references', async () => {
    const { paid, refund, read, payBack } = await refunded({ method: 'TRANSFER' });
    const results = await Promise.allSettled([payBack('FT-1'), payBack('FT-2')]);
    const recorded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(recorded).toHaveLength(1);
    expect(await read()).toEqual(recorded[0]);
    expect(await paid.deps.refunds.getRefund(refund)).toMatchObject({ version: refund.version + 1 });
  });
});

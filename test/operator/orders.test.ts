import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type RunningPayments, startPayments } from '../../infra/local/payments.ts';
import { accountingMonthOf, monthBefore, monthStartMs } from '../../shared/core/accounting-month.ts';
import { DAY_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { operator } from '../../shared/operators/operator.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import type { FinancialDocument } from '../../shared/payments/documents/financial-document.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import type { TopUpOrder } from '../../shared/payments/orders/order.ts';
import { paystackProviders } from '../../shared/payments/paystack/paystack.ts';
import { refundTable } from '../../shared/payments/refunds/refund-table.ts';
import { sendRefunds } from '../../shared/payments/refunds/send-refunds.ts';
import { type AwsDouble, startSecrets } from '../support/aws-doubles.ts';
import { json, runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/** How finance sells credits, takes them back, and closes the month. */

const directory = mkdtempSync(join(tmpdir(), 'orders-'));
const environment = { ...process.env };
let deployment: TestDeployment;
let paystack: RunningPayments;
let secrets: AwsDouble;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  // No webhook arrives.
  paystack = await startPayments({ webhookUrl: 'http://127.0.0.1:1' });
  secrets = await startSecrets({ ...paystack.keys, baseUrl: paystack.url });
  deployment.configure({ AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, PAYMENTS_SECRET: 'payments' });
  process.env['LOCAL_SERVICE_FILE'] = deployment.serviceFile;
  // A closing waits until the index shows the last bookings.
  jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
});
afterAll(async () => {
  process.env = environment;
  await Promise.all([paystack.close(), secrets.close(), deployment.close()]);
  rmSync(directory, { recursive: true });
});

const BUYER = {
  name: 'Harmattan Credit Ltd',
  address: ['1 Invented Way', 'Ikeja, Lagos'],
  taxNumber: '12345678-0001',
  email: 'accounts@harmattan.example',
};
beforeEach(async () => {
  const { operator: setUp } = deployment;
  ({ id } = await setUp.createOrganisation('Harmattan Credit'));
  const price = { koboPerCredit: 15_000, from: undefined, reason: 'contract' };
  await setUp.setCreditPrice({ ...price, organisationId: id }, 'ada');
  await setUp.setBilling(id, BUYER, 'ada');
});

const live = () => ({ env: 'live', organisationId: id }) as const;
const available = async () => (await deployment.operator.balance(live())).available;
const lots = () => lotTable(deployment.client, deployment.tables.payments).listLots(live());
const admin = (...args: readonly string[]) => runInProcess(['--local', '--yes', ...args]);
async function rejected(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.replaceAll(/\s+/g, ' ');
}
interface Paid {
  readonly invoice: string;
  readonly receipt: string;
  readonly totalKobo: number;
  readonly existed: boolean;
}
const topUp = (credits: string, reference = `BANK-${id}`) =>
  json<Paid>('wallet', 'top-up', id, credits, '--reference', reference);

const openCheckout = () =>
  json<TopUpOrder>(
    ...['order', 'open', id, '1000', '--method', 'paystack'],
    ...['--return-url', 'https://shop.example/paid'],
  );
const pay = ({ checkoutUrl = '' }: TopUpOrder) =>
  fetch(checkoutUrl, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay' }),
    redirect: 'manual',
  });

describe('a paid wallet top-up', () => {
  test('writes the credits, lot, order, invoice and receipt once', async () => {
    const paid = await topUp('1000');
    expect(paid).toMatchObject({ credits: 1_000, totalKobo: 16_125_000, existed: false });
    expect(await available()).toBe(1_000);
    expect(await lots()).toMatchObject([
      { kind: 'paid', credits: 1_000, koboPerCredit: 15_000, invoice: paid.invoice },
    ]);
    expect(await json('order', 'list', id)).toMatchObject([{ state: 'CREDITED', method: 'TRANSFER' }]);

    expect(await topUp('1000')).toMatchObject({ existed: true, invoice: paid.invoice });
    expect(await available()).toBe(1_000);
    expect(await json('invoice', 'list', id)).toHaveLength(2);
  });

  test('shows what the customer has paid before it asks for confirmation', async () => {
    const args = ['--local', 'wallet', 'top-up', id, '1000', '--reference', 'BANK-1'];
    const { code, stderr } = await runInProcess(args);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `Add 1,000 live credits to Harmattan Credit (${id}) with the reference BANK-1, paid with ₦161,250.00 (₦150,000.00 and ₦11,250.00 VAT)?`,
    );
    expect(await available()).toBe(0);
  });

  test('is rejected without billing details, and nothing is booked', async () => {
    const { id: other } = await deployment.operator.createOrganisation('Kainji Pay');
    const message = await rejected('wallet', 'top-up', other, '1000', '--reference', 'BANK-2');
    expect(message).toContain('No billing details are set, so no invoice can be written.');
    expect(await deployment.operator.balance({ env: 'live', organisationId: other })).toMatchObject({
      credited: 0,
    });
  });
});

describe('a promotional wallet top-up', () => {
  test('has no invoice, and its credits may expire', async () => {
    const until = new Date(Date.now() + DAY_MS).toISOString();
    const free = ['wallet', 'top-up', id, '50', '--reference', `GIFT-${id}`, '--promotional'];
    await json(...free, '--expires-at', until);
    expect(await lots()).toMatchObject([{ kind: 'promotional', netKobo: 0, expiresAt: until }]);
    expect(await json('invoice', 'list', id)).toEqual([]);
  });

  test('has credits that never expire if its option says so', async () => {
    const free = ['wallet', 'top-up', id, '50', '--reference', `GIFT-${id}`, '--promotional'];
    await json(...free, '--expires-at', 'never');
    const [lot] = await lots();
    expect(lot).toMatchObject({ kind: 'promotional' });
    expect(lot).not.toHaveProperty('expiresAt');
  });

  test("and a paid one reject each other's options", async () => {
    const args = ['wallet', 'top-up', id, '50', '--reference', 'GIFT'];
    expect((await admin(...args, '--expires-at', '30d')).code).toBe(2);
    expect((await admin(...args, '--promotional', '--bank-reference', 'x')).code).toBe(2);
    expect(await lots()).toEqual([]);
  });
});

describe('order', () => {
  test('open asks for a bank transfer, which wallet top-up credits at the price of the order', async () => {
    const order = await json<TopUpOrder>('order', 'open', id, '1000');
    expect(order).toMatchObject({ state: 'OPENED', method: 'TRANSFER', totalKobo: 16_125_000 });
    await json('price', 'set', '200', '--org', id, '--reason', 'new contract');
    const mistyped = order.reference.toLowerCase();
    const message = await rejected('wallet', 'top-up', id, '1000', '--reference', mistyped);
    expect(message).toContain(`There is no live order ${mistyped}.`);
    expect(await available()).toBe(0);
    expect(await topUp('1000', order.reference)).toMatchObject({ totalKobo: 16_125_000 });
    expect(await json('order', 'show', order.reference)).toMatchObject({ state: 'CREDITED' });
    expect(await rejected('order', 'settle', order.reference)).toContain('is paid by bank transfer');
  });

  test('open with Paystack and settle after the payment add the credits once', async () => {
    const order = await openCheckout();
    expect(await json('order', 'settle', order.reference)).toMatchObject({ state: 'OPENED' });
    expect(await available()).toBe(0);
    await pay(order);
    for (let times = 0; times < 2; times += 1)
      expect(await json('order', 'settle', order.reference)).toMatchObject({ state: 'CREDITED' });
    expect(await available()).toBe(1_000);
    const trail = await deployment.operator.auditTrail({ organisationId: id });
    const actions = trail.filter(({ action }) => action.startsWith('order ')).map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(['order settle', 'order settle']);
    expect(actions).toContain('order open');
  });

  test('settle credits nothing if a different amount was paid, and resolve records what a person did', async () => {
    const order = await openCheckout();
    await paystack.control.setFault(order.reference, { amount: 100 });
    await pay(order);
    expect(await json('order', 'settle', order.reference)).toMatchObject({ state: 'MISMATCH' });
    expect(await available()).toBe(0);
    const listed = async () =>
      (await json<{ order: string }[]>('order', 'review')).map((payment) => payment.order);
    expect(await listed()).toContain(order.reference);

    const reason = ['--reason', 'returned in the dashboard'];
    const resolved = await json<TopUpOrder>('order', 'resolve', order.reference, ...reason);
    expect(resolved).toMatchObject({ state: 'MISMATCH', resolution: 'returned in the dashboard' });
    expect(resolved).not.toHaveProperty('problem');
    expect(await listed()).not.toContain(order.reference);
    expect(await json('order', 'settle', order.reference)).toMatchObject({ state: 'MISMATCH' });
    expect(await available()).toBe(0);
    expect(await rejected('order', 'resolve', order.reference, ...reason)).toContain('has no problem');
  });

  test('resolve books the part of a reversed payment that no credit note takes back', async () => {
    const opened = await openCheckout();
    await pay(opened);
    const { reference, invoice = '' } = await json<TopUpOrder>('order', 'settle', opened.reference);
    await paystack.control.setFault(reference, { status: 'reversed' });
    expect(await json('order', 'settle', reference)).toMatchObject({
      state: 'CREDITED',
      problem: 'The payment was reversed after its credits were added.',
    });
    const note = ['credit-note', 'create', id, invoice, '400', '--paid-back', '--reference', `TICKET-${id}`];
    await json(...note, '--reason', 'chargeback');
    const openKobo = 16_125_000 - 6_450_000;
    const listed = async () =>
      (await json<{ order: string }[]>('order', 'review')).filter((payment) => payment.order === reference);
    expect(await listed()).toMatchObject([{ openKobo }]);
    expect(await json('order', 'show', reference)).toMatchObject({ openKobo });
    expect((await admin('order', 'show', reference)).stdout).toMatch(/still open +₦96,750\.00/);

    const resolve = ['order', 'resolve', reference, '--reason', 'the customer is gone'];
    expect(await rejected(...resolve)).toContain('book the rest with `--as loss` or `--as receivable`');
    expect((await admin(...resolve, '--as', 'gift')).code).toBe(2);
    expect(await listed()).toHaveLength(1);
    const resolved = await json<TopUpOrder>(...resolve, '--as', 'loss');
    expect(resolved).toMatchObject({
      resolution: 'the customer is gone',
      bookedReversal: { as: 'loss', totalKobo: openKobo, month: accountingMonthOf(Date.now()) },
    });
    expect(resolved).not.toHaveProperty('problem');
    expect(await listed()).toEqual([]);
    expect((await admin('order', 'show', reference)).stdout).toMatch(/booked +loss of ₦96,750\.00/);
    expect(await rejected(...resolve, '--as', 'receivable')).toContain(
      'has no reversed payment that is open',
    );
    const { rows } = await json<{ rows: object[] }>(
      'report',
      'show',
      'reversals',
      accountingMonthOf(Date.now()),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        order: reference,
        taken_back_kobo: 6_450_000,
        loss_kobo: openKobo,
        open_kobo: 0,
      }),
    );
    const trail = await deployment.operator.auditTrail({ organisationId: id });
    expect(trail.find(({ action }) => action === 'order resolve')).toMatchObject({
      after: { resolution: 'the customer is gone', bookedAs: 'loss', totalKobo: openKobo },
    });
  });
});

describe('invoice', () => {
  test('show prints the document, and pdf writes it to a file that does not exist yet', async () => {
    const { invoice } = await topUp('1000');
    const document = await json<FinancialDocument>('invoice', 'show', id, invoice);
    expect(document).toMatchObject({ kind: 'INVOICE', totalKobo: 16_125_000, buyer: BUYER });
    const out = join(directory, `${id}.pdf`);
    await json('invoice', 'pdf', id, invoice, '--out', out);
    expect(readFileSync(out).subarray(0, 5).toString()).toBe('%PDF-');
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(await rejected('invoice', 'pdf', id, invoice, '--out', out)).toContain('already exists');
  });

  test('of another organisation is not shown', async () => {
    const { invoice } = await topUp('1000');
    const { id: other } = await deployment.operator.createOrganisation('Kainji Pay');
    expect(await rejected('invoice', 'show', other, invoice)).toContain(
      `${other} has no document ${invoice}.`,
    );
  });
});

describe('credit-note', () => {
  const create = (invoice: string, credits: string) => [
    ...['credit-note', 'create', id, invoice, credits, '--reference', `TICKET-${id}`],
    ...['--reason', 'bought too many'],
  ];

  test('create takes unspent credits back once, and paid-back records the bank transfer once', async () => {
    const { invoice } = await topUp('1000');
    const note = await json<{ creditNote: string }>(...create(invoice, '400'));
    expect(note).toMatchObject({ credits: 400, totalKobo: 6_450_000, state: 'REQUESTED', existed: false });
    expect(await json(...create(invoice, '400'))).toMatchObject({ existed: true });
    expect(await available()).toBe(600);
    const listed = () => json<{ refund: object }[]>('credit-note', 'list', id);
    expect(await listed()).toMatchObject([{ number: note.creditNote, refund: { state: 'REQUESTED' } }]);

    const paidBack = ['credit-note', 'paid-back', id, note.creditNote, '--bank-reference', 'GTB-77'];
    await json(...paidBack);
    expect(await listed()).toMatchObject([{ refund: { state: 'DONE', paidBackBy: 'GTB-77' } }]);
    await json(...paidBack);
    expect(await rejected(...paidBack.slice(0, -1), 'GTB-78')).toContain(
      'had already been returned to the customer at',
    );
  });

  test('paid-back is rejected for a refund that is left to Paystack, which is sent once', async () => {
    const order = await openCheckout();
    await pay(order);
    const { invoice = '', payment } = await json<TopUpOrder>('order', 'settle', order.reference);
    const { creditNote } = await json<{ creditNote: string }>(...create(invoice, '400'));
    const paidBack = ['credit-note', 'paid-back', id, creditNote, '--bank-reference', 'GTB-77'];
    const { client, tables } = deployment;
    const [refunds, documents] = [
      refundTable(client, tables.payments),
      documentTable(client, tables.payments),
    ];
    const providers = paystackProviders({
      credentials: async () => paystack.keys,
      baseUrl: paystack.url,
      allowLocal: true,
    });
    const send = () =>
      sendRefunds({ refunds, documents, providers, clock: REAL_CLOCK }, (error) => {
        throw error;
      });
    for (const state of ['REQUESTED', 'SENT']) {
      expect(await rejected(...paidBack)).toContain('Do not return it by bank transfer.');
      expect(await json('credit-note', 'list', id)).toMatchObject([{ refund: { state } }]);
      await send();
    }
    expect(await providers.live.listRefunds(payment?.providerReference ?? '')).toMatchObject([
      { note: creditNote, amountKobo: 6_450_000 },
    ]);
  });

  test('create rejects more credits than are unspent', async () => {
    const { invoice } = await topUp('1000');
    expect(await rejected(...create(invoice, '1001'))).toContain('has fewer unspent credits (1000)');
    expect(await available()).toBe(1_000);
    expect(await json('credit-note', 'list', id)).toEqual([]);
  });
});

test('month close does not count unspent credits as earned, can be repeated, and rejects unfinished months', async () => {
  const month = monthBefore(accountingMonthOf(Date.now()));
  const past = { ...REAL_CLOCK, nowMs: () => monthStartMs(month) + DAY_MS };
  const then = operator(deployment, { clock: past });
  ({ id } = await then.createOrganisation('Kainji Pay'));
  await then.setBilling(id, BUYER, 'ada');
  const price = { organisationId: id, koboPerCredit: 10_000, from: undefined, reason: 'contract' };
  await then.setCreditPrice(price, 'ada');
  const transfer = { wallet: live(), credits: 500, reference: `PAST-${id}`, reason: '' };
  await then.creditTransfer({ ...transfer, totalKobo: 5_375_000 }, 'ada');

  const close = () => json<{ closedNow: number }>('month', 'close', month, id);
  expect(await close()).toMatchObject({
    closedNow: 1,
    problems: [],
    totals: { paidKobo: 5_000_000, earnedKobo: 0, deferredKobo: 5_000_000 },
    wallets: [{ organisation: id, state: 'CLOSED', statement: expect.stringMatching(/^IDVS-\d{4}-\d{6}$/) }],
  });
  expect(await close()).toMatchObject({ closedNow: 0 });
  const late = then.creditTransfer({ ...transfer, reference: `LATE-${id}`, totalKobo: 5_375_000 }, 'ada');
  await expect(late).rejects.toThrow(`The month ${month} of this wallet is closed`);
  const early = await admin('month', 'close', accountingMonthOf(Date.now()), id);
  expect(early).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be closed before') });
  expect((await admin('month', 'close', month)).code).toBe(2);
});

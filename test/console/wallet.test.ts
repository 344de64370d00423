import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ChangesView } from '../../shared/audit/console/views.ts';
import { accountingMonthOf } from '../../shared/core/accounting-month.ts';
import type { StatementLineView, StatementView } from '../../shared/ledger/console/views.ts';
import type {
  BillingFields,
  InvoicesView,
  TopUpView,
  WalletView,
} from '../../shared/payments/console/views.ts';
import { type ConsoleClient, service, sessionOf, signIn } from '../support/console.ts';
import { join } from '../support/console-organisation.ts';
import { letBuy } from '../support/console-payments.ts';
import { remotePayments } from '../support/remote-payments.ts';
import {
  get,
  organisation,
  organisations,
  payments,
  post,
  type TestOrganisation,
} from '../support/service.ts';

/** The wallet of the running console: buying credits, the documents, the statement and the low-balance alert. */

const double = remotePayments(payments.controlUrl);
/** How long background work may take on a busy machine. */
const MAX_WAIT_MS = 120_000;
const MONTH = accountingMonthOf(Date.now());

let client: ConsoleClient;
let customer: TestOrganisation;
beforeAll(async () => {
  client = await signIn('finance.of.kainji@example.com');
  customer = await newCustomer();
});

/** Creates an organisation without credits, of which the client is a finance member. */
async function newCustomer(): Promise<TestOrganisation> {
  const created = await organisation({ credits: 0 });
  await join(client, { id: created.id, name: 'Kainji Pay' }, 'finance');
  return created;
}

const send = <T>(method: string, path: string, body?: unknown) => client.send<T>(method, path, { body });

/** Sends a request and returns the data of its response. Throws if it was rejected. */
async function data<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send<T>(method, path, body);
  if (!response.json?.data) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.json.data;
}

const wallet = () => data<WalletView>('GET', '/wallet?env=live');
/**
 * Returns the wallet when all charges are settled: a charge is in the statement before its hold is removed, which an
 * instance does when it serves its next request.
 */
async function settledWallet(): Promise<WalletView> {
  for (const endMs = Date.now() + MAX_WAIT_MS; Date.now() < endMs; await setTimeout(200)) {
    await Promise.all(Array.from({ length: 4 }, () => post('/v1/ng/nin-basic', {}, { key: customer.live })));
    const view = await wallet();
    if (view.held === 0) return view;
  }
  throw new Error('A charge was not settled.');
}
const topUp = (reference: string) => data<TopUpView>('GET', `/wallet/top-ups/${reference}?env=live`);
const newForm = (credits: number) =>
  ({ env: 'live', credits, form_id: randomBytes(16).toString('base64url') }) as const;
const start = (form: object) => send<TopUpView>('POST', '/wallet/top-ups', form);

async function press({ checkout_url: url }: TopUpView, outcome: 'pay' | 'decline'): Promise<string> {
  const response = await fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ outcome }) });
  return response.url;
}

/** Opens the page to which Paystack sends the browser. It asks Paystack about the order. */
async function visitReturnPage({ reference }: TopUpView): Promise<void> {
  await fetch(`${service.baseUrl}/v1/payments/return?reference=${reference}`);
}

async function settled(reference: string): Promise<TopUpView> {
  for (const endMs = Date.now() + MAX_WAIT_MS; Date.now() < endMs; await setTimeout(200)) {
    const order = await topUp(reference);
    if (order.state !== 'OPENED' && order.state !== 'PAID') return order;
  }
  throw new Error(`The order ${reference} was not settled.`);
}

const BILLING: BillingFields = {
  name: 'Kainji Pay Limited',
  address: ['2 Marina', 'Lagos'],
  tax_number: '123456780001',
  email: 'accounts@kainji.example',
};

describe('buying credits', () => {
  test('needs billing details, which are checked before they are saved', async () => {
    const rejected = await start(newForm(1_000));
    expect([rejected.status, rejected.json?.code, rejected.json?.message]).toEqual([
      409,
      'BILLING_INCOMPLETE',
      'An invoice needs billing details. Enter them first, then buy credits.',
    ]);
    const wrong = await send('PUT', '/wallet/billing', { ...BILLING, tax_number: '12-34' });
    expect([wrong.status, wrong.json?.error?.field]).toEqual([400, 'tax_number']);
    expect((await wallet()).billing).toBeNull();

    const saved = await data<BillingFields>('PUT', '/wallet/billing', { ...BILLING, name: ' Kainji ' });
    expect(saved).toEqual({ ...BILLING, name: 'Kainji', tax_number: '12345678-0001' });
    await data('PUT', '/wallet/billing', BILLING);
    expect((await wallet()).billing).toMatchObject({ name: 'Kainji Pay Limited' });
  });

  test('S76: a form for credits that is sent again, twice at once, or with a different amount', async () => {
    await letBuy(customer);
    const form = newForm(1_000);
    const before = await wallet();
    expect(before.price).toEqual({
      kobo_per_credit: 10_000,
      vat_basis_points: 750,
      least_credits: 10,
      most_credits: 1_000_000,
    });

    const both = await Promise.all([start(form), start(form)]);
    const again = await start(form);
    const order = again.json?.data;
    if (!order) throw new Error(again.text);
    // If a form is sent twice at once, one request may be rejected because the other is in progress.
    for (const { status, json } of both)
      expect(json?.data?.reference ?? `${status} ${json?.code}`).toMatch(
        new RegExp(`^(${order.reference}|409 REQUEST_IN_PROGRESS)$`),
      );
    expect(order).toMatchObject({
      state: 'OPENED',
      credits: 1_000,
      vat_kobo: 750_000,
      total_kobo: 10_750_000,
    });
    const other = await start({ ...form, credits: 1_001 });
    expect([other.status, other.json?.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await wallet()).top_ups.map(({ reference }) => reference)).toEqual([order.reference]);

    const { origin } = new URL(service.console?.url ?? '');
    expect(await press(order, 'pay')).toBe(`${origin}/wallet?top_up=${order.reference}&env=live`);
    const credited = await settled(order.reference);
    expect(credited).toMatchObject({ state: 'CREDITED', checkout_url: null });
    const after = await wallet();
    expect(after).toMatchObject({ available: 1_000, held: 0, daily_use: null, runs_out_on: null });
    expect(after.days.at(-1)).toMatchObject({ balance: 1_000 });
    expect(after.lots).toMatchObject([{ credits: 1_000, remaining: 1_000, kobo_per_credit: 10_000 }]);
    expect(after.invoices.map(({ kind }) => kind).sort()).toEqual(['invoice', 'receipt']);
    expect((await start(form)).json?.data).toMatchObject({ state: 'CREDITED', checkout_url: null });
  });

  test('creates documents and their PDFs, which are not found in the other environment', async () => {
    const first = await data<InvoicesView>('GET', '/invoices?env=live&limit=1');
    const next = await data<InvoicesView>('GET', `/invoices?env=live&cursor=${first.next_cursor}`);
    const documents = [...first.invoices, ...next.invoices];
    expect(documents.map(({ total_kobo }) => total_kobo)).toEqual([10_750_000, 10_750_000]);
    expect(next.next_cursor).toBeNull();
    const invoice = documents.find(({ kind }) => kind === 'invoice');
    const path = `/invoices/${invoice?.number}`;

    const file = await send('GET', `${path}?env=live`);
    expect(file.text.slice(0, 5)).toBe('%PDF-');
    expect(file.headers.get('Content-Type')).toBe('application/pdf');
    expect(file.headers.get('Content-Disposition')).toBe(`attachment; filename="${invoice?.number}.pdf"`);
    const { json } = await get(`/v1/wallet${path}`, { key: customer.live });
    expect(json?.data?.['buyer']).toMatchObject({ name: 'Kainji Pay Limited', tax_number: '12345678-0001' });
    const other = await send('GET', `${path}?env=test`);
    expect([other.status, other.json?.code]).toEqual([404, 'INVOICE_NOT_FOUND']);
    const { top_ups: orders } = await wallet();
    const order = await send('GET', `/wallet/top-ups/${orders[0]?.reference}?env=test`);
    expect([order.status, order.json?.code]).toEqual([404, 'TOP_UP_NOT_FOUND']);
  });

  test('says that nothing was charged if Paystack does not respond, and the same form works later', async () => {
    const form = newForm(50);
    await double.setStopped(true);
    try {
      const { status, json } = await start(form);
      expect([status, json?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(json?.message).toMatch(/Paystack does not respond.*Nothing was charged\./);
    } finally {
      await double.setStopped(false);
    }
    const { json } = await start(form);
    expect(json?.data).toMatchObject({ state: 'OPENED', credits: 50 });
    expect((await wallet()).available).toBe(1_000);
    expect(
      (await double.transactions()).filter(({ reference }) => reference === json?.data?.reference),
    ).toEqual([expect.objectContaining({ amount: 537_500 })]);
  });

  test('S77: the return address of a payment that was not made or was declined', async () => {
    const opened = (await start(newForm(20))).json?.data;
    if (!opened) throw new Error('The order was not opened.');
    for (const path of [`/wallet/top-ups/${opened.reference}?env=live`, '/wallet?env=live'])
      await send('GET', path);
    await visitReturnPage(opened);
    expect(await topUp(opened.reference)).toMatchObject({ state: 'OPENED' });
    expect((await wallet()).available).toBe(1_000);

    await press(opened, 'decline');
    await visitReturnPage(opened);
    expect(await settled(opened.reference)).toMatchObject({ state: 'FAILED', checkout_url: null });
    expect((await wallet()).available).toBe(1_000);
  });

  test.each([
    ['fewer than the stage sells', 9],
    ['more than the stage sells', 1_000_001],
  ])('rejects %s, and names the field', async (_, credits) => {
    const { status, json } = await start(newForm(credits));
    expect([status, json?.error?.field]).toEqual([400, 'credits']);
    expect(json?.error?.hint).toBe('Enter a whole number of credits from 10 to 1,000,000.');
  });
});

describe('the statement', () => {
  async function lines(limit: number): Promise<StatementLineView[]> {
    const all: StatementLineView[] = [];
    let balance: number | undefined;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ env: 'live', month: MONTH, limit: String(limit) });
      if (cursor) query.set('cursor', cursor);
      const page: StatementView = await data('GET', `/wallet/statement?${query}`);
      expect(page.opening_balance).toBe(balance ?? page.opening_balance);
      balance = page.closing_balance;
      all.push(...page.lines);
      cursor = page.next_cursor;
    }
    return all;
  }

  test('contains the same lines as GET /v1/wallet/transactions, and ends with the balance of the wallet', async () => {
    for (let count = 0; count < 3; count += 1)
      await post('/v1/ng/nin-basic', { nin: '12345670001' }, { key: customer.live });
    // The statement is read from an index, which may lag behind the charges.
    for (const endMs = Date.now() + MAX_WAIT_MS; Date.now() < endMs; await setTimeout(200))
      if ((await lines(100)).length === 4) break;

    const shown = await lines(2);
    // The month begins in Lagos one hour before it begins in UTC.
    const [year, month] = MONTH.split('-').map(Number);
    const from = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, 1, -1)).toISOString();
    const { json } = await get(`/v1/wallet/transactions?from=${from}&limit=100`, { key: customer.live });
    const expected = json?.data?.['transactions'] as Readonly<Record<string, unknown>>[];
    expect(shown).toEqual(
      expected.map((line) => ({
        id: line['id'],
        at: line['created_at'],
        kind: line['kind'],
        amount: line['amount'],
        balance_after: line['balance_after'],
        request_id: line['request_id'],
        service: line['service'],
        key_label: line['key_label'],
        // The price of a top-up, and for each charge that of the credits that it used.
        net_kobo: line['kind'] === 'TOP_UP' ? 10_000_000 : 10_000,
        vat_kobo: line['kind'] === 'TOP_UP' ? 750_000 : 750,
        reason: null,
      })),
    );
    expect(shown.map(({ kind }) => kind)).toEqual(['TOP_UP', 'CHARGE', 'CHARGE', 'CHARGE']);
    expect(shown.at(-1)?.balance_after).toBe((await settledWallet()).available);
  });

  test('S78: a statement that is continued with the cursor of another organisation or environment', async () => {
    const query = { env: 'live', month: MONTH, limit: '1' };
    const { next_cursor } = await data<StatementView>(
      'GET',
      `/wallet/statement?${new URLSearchParams(query)}`,
    );
    const next = async (env: string) => {
      const parameters = new URLSearchParams({ ...query, env, cursor: next_cursor ?? '' });
      const { status, json } = await send<StatementView>('GET', `/wallet/statement?${parameters}`);
      return [status, json?.error?.field];
    };

    expect(await next('live')).toEqual([200, undefined]);
    expect(await next('test')).toEqual([400, 'cursor']);
    await newCustomer();
    expect(await next('live')).toEqual([400, 'cursor']);
    await join(client, { id: customer.id, name: 'Kainji Pay' }, 'finance');
    expect(await next('live')).toEqual([200, undefined]);
  });

  test('is empty for a month before the organisation was created, and is rejected for an invalid or future month', async () => {
    const empty = await data<StatementView>('GET', '/wallet/statement?env=live&month=2021-03');
    expect(empty).toEqual({
      opening_balance: 0,
      closing_balance: 0,
      lines: [],
      next_cursor: null,
    });
    for (const month of ['2099-01', '2026-13', 'x']) {
      const { status, json } = await send('GET', `/wallet/statement?env=live&month=${month}`);
      expect([status, json?.error?.field]).toEqual([400, 'month']);
    }
  });
});

describe('the low-balance alert', () => {
  test('uses the default threshold until the organisation sets its own', async () => {
    const { alert } = await wallet();
    expect(alert).toEqual({ below: 100, is_default: true });

    expect(await data('PUT', '/wallet/alert', { below: 250 })).toEqual({ below: 250, is_default: false });
    expect((await wallet()).alert).toEqual({ below: 250, is_default: false });
    // `publish-events` compares the balance with this attribute.
    expect((await organisations.getOrganisation(customer.id))?.lowBalanceCredits).toBe(250);
    expect(await data('PUT', '/wallet/alert', { below: null })).toEqual(alert);
    expect(await organisations.getOrganisation(customer.id)).not.toHaveProperty('lowBalanceCredits');
    const { status, json } = await send('PUT', '/wallet/alert', { below: 0.5 });
    expect([status, json?.error?.field]).toEqual([400, 'below']);
  });
});

test('the audit trail contains each change, and the API does not show the name of the member who opened an order', async () => {
  const { person } = await sessionOf(client);
  await join(client, { id: customer.id, name: 'Kainji Pay' }, 'owner');
  const { changes } = await data<ChangesView>('GET', '/audit?limit=100');
  const byAction = Map.groupBy(changes, ({ action }) => action);

  expect(byAction.get('settle top-up')?.map(({ by }) => by.kind)).toEqual(['service']);
  // Two rows for each of three forms, and one more because the second form was tried twice.
  expect(byAction.get('top-up start')).toHaveLength(7);
  expect(byAction.get('billing update')).toHaveLength(2);
  expect(byAction.get('balance alert')?.map(({ before, after }) => [before, after])).toEqual([
    [{ lowBalanceCredits: 250 }, { lowBalanceCredits: null }],
    [{ lowBalanceCredits: null }, { lowBalanceCredits: 250 }],
  ]);
  const { reference = '' } = (await wallet()).top_ups.at(-1) ?? {};
  const { json } = await get(`/v1/wallet/top-ups/${reference}`, { key: customer.live });
  expect(JSON.stringify(json)).not.toContain(person.name);
});

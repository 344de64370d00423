import { beforeAll, describe, expect, test } from '@jest/globals';
import { local } from '../../infra/stages/local.ts';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { connect } from '../../shared/core/database.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import type { Secret } from '../../shared/core/secrets.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { automaticTable } from '../../shared/payments/automatic/automatic-table.ts';
import type { TopUpDependencies } from '../../shared/payments/dependencies.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { openTopUp } from '../../shared/payments/orders/open-top-up.ts';
import type { TopUpOrder } from '../../shared/payments/orders/order.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { markDue } from '../../shared/payments/orders/settle-top-up.ts';
import { paystackProviders } from '../../shared/payments/paystack/paystack.ts';
import { paystackSignature, SIGNATURE_HEADER } from '../../shared/payments/paystack/webhook-signature.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { remotePayments } from '../support/remote-payments.ts';
import {
  baseUrl,
  control,
  organisation,
  payments,
  post,
  readSecret,
  shards,
  type TestOrganisation,
} from '../support/service.ts';
import { until } from '../support/until.ts';

/** Payments through the running service: the checkout of the test double, the webhook, the page and the sweep. */

const double = remotePayments(payments.controlUrl);
const client = connect();
const tableOf = (name: string) => process.env[name] ?? '';
let keys: Secret;
let deps: TopUpDependencies;

beforeAll(async () => {
  keys = await readSecret('PAYMENTS');
  deps = dependencies();
});

/** Returns what the API uses to open an order, with the same tables and the same test double. */
function dependencies(): TopUpDependencies {
  if (!local.money) throw new Error('The local stage has no money settings.');
  const [wallets, table] = [tableOf('WALLETS_TABLE'), tableOf('PAYMENTS_TABLE')];
  const run = { actor: 'test', action: 'test', commandId: newOperationId() };
  const recorder = auditRecorder(auditTable(client, tableOf('AUDIT_TRAIL_TABLE')), run, REAL_CLOCK.nowMs);
  return {
    recorder,
    automatic: automaticTable(client, table),
    orders: orderTable(client, table),
    prices: priceTable(client, table),
    billing: billingTable(client, table),
    documents: documentTable(client, table),
    lots: lotTable(client, table),
    credits: creditTable(client, { wallets, payments: table }, recorder),
    shards,
    walletShards: async () => 1,
    providers: paystackProviders({ credentials: async () => keys, baseUrl: payments.url, allowLocal: true }),
    settings: local.money,
    clock: REAL_CLOCK,
    actor: 'test',
    publishSoon: async () => undefined,
  };
}

interface Opened {
  readonly customer: TestOrganisation;
  readonly order: TopUpOrder;
  readonly env: Environment;
}

/** Opens an order of 100 credits for a new customer with 10 credits. */
async function open(env: Environment = 'live'): Promise<Opened> {
  const customer = await organisation();
  const now = new Date().toISOString();
  await billingTable(client, tableOf('PAYMENTS_TABLE')).putBilling(customer.id, undefined, {
    name: 'Kainji Pay Ltd',
    address: ['2 Marina', 'Lagos'],
    taxNumber: '12345678-0001',
    email: 'accounts@kainji.example',
    changedAt: now,
    changedBy: 'test',
  });
  const request = {
    wallet: { env, organisationId: customer.id },
    credits: 100,
    callbackUrl: `${baseUrl}/v1/payments/return`,
    openedBy: 'test',
  };
  const opened = await openTopUp(request, `TOPUP-${newOperationId()}`, deps);
  if (opened.kind !== 'opened') throw new Error(`The order was not opened: ${opened.kind}.`);
  return { customer, order: opened.order, env };
}

/** Presses a button on the checkout, and opens the page that it leads to unless the browser is closed. */
async function press(
  { order }: Opened,
  outcome: 'pay' | 'decline' | 'leave',
  { isClosed = false } = {},
): Promise<string> {
  const response = await fetch(order.checkoutUrl ?? '', {
    method: 'POST',
    body: new URLSearchParams({ outcome }),
    redirect: isClosed ? 'manual' : 'follow',
  });
  return response.text();
}

/** Pays without returning, so that only the webhook or the sweep can settle the order. */
const pay = (opened: Opened) => press(opened, 'pay', { isClosed: true });

const orderOf = ({ order, env }: Opened) => deps.orders.getOrder(env, order.reference);
const deliveries = async ({ order }: Opened) =>
  (await double.deliveries(order.reference)).map(({ event, status }) => `${event} ${status}`);

/**
 * Expects this state and balance. Waits for the state, because on a busy machine the function of a webhook or a page
 * may complete the settlement after its response.
 */
async function expectState(opened: Opened, state: TopUpOrder['state'], available: number): Promise<void> {
  if (state !== 'OPENED') await until(async () => (await orderOf(opened))?.state === state);
  expect((await orderOf(opened))?.state).toBe(state);
  expect((await opened.customer.balance(opened.env)).available).toBe(available);
}

/**
 * Settles the order with a sweep. Marks it as due first: if the service's own sweep, which runs every minute, got no
 * response from Paystack, the order is due only a minute or more later.
 */
async function sweep(opened: Opened): Promise<void> {
  await until(async () => {
    await markDue(opened.env, opened.order.reference, deps);
    await control.runSchedule('settle-top-ups');
    return (await orderOf(opened))?.state !== 'OPENED';
  });
}

describe('A payment at the checkout', () => {
  test.each(['live', 'test'] as const)('is credited once by the webhook and the page: %s', async (env) => {
    const opened = await open(env);
    const page = await press(opened, 'pay');
    expect(await deliveries(opened)).toEqual(['charge.success 200']);
    expect(page).toMatch(/The payment is complete|The payment has arrived|No payment has arrived/);
    await expectState(opened, 'CREDITED', 110);
    const { invoice, receipt } = (await orderOf(opened)) ?? {};
    expect([invoice, receipt]).toEqual([
      expect.stringMatching(env === 'live' ? /^IDV-/ : /^TEST-IDV-/),
      expect.stringMatching(env === 'live' ? /^IDVR-/ : /^TEST-IDVR-/),
    ]);
    expect(
      await (await fetch(`${baseUrl}/v1/payments/return/?trxref=${opened.order.reference}`)).text(),
    ).toContain('The payment is complete');
    await expectState(opened, 'CREDITED', 110);
  });

  test('is credited by a late webhook', async () => {
    const opened = await open();
    await double.setFault(opened.order.reference, { webhook: 'late' });
    await pay(opened);
    await expectState(opened, 'OPENED', 10);
    expect(await double.sendHeld(opened.order.reference)).toBe(1);
    await expectState(opened, 'CREDITED', 110);
  });

  test('is credited by the page if no webhook arrives', async () => {
    const opened = await open();
    await double.setFault(opened.order.reference, { webhook: 'never' });
    await press(opened, 'pay');
    await expectState(opened, 'CREDITED', 110);
  });

  test('is not credited if it was declined or abandoned', async () => {
    const opened = await open();
    await press(opened, 'decline');
    expect(await press(opened, 'leave')).toContain('No payment has arrived yet');
    await expectState(opened, 'OPENED', 10);
  });
});

test('A chargeback stops the automatic top-ups of the organisation', async () => {
  const opened = await open();
  await press(opened, 'pay');
  await expectState(opened, 'CREDITED', 110);
  const organisationId = opened.customer.id;
  const automatic = automaticTable(client, tableOf('PAYMENTS_TABLE'));
  const limits = { thresholdCredits: 1, credits: 100, monthlyCapKobo: 1, sealedCard: 'sealed' };
  const changed = { changedAt: new Date().toISOString(), changedBy: 'test', version: 1 };
  await automatic.saveAutomatic(undefined, { organisationId, state: 'ON', ...limits, ...changed });
  const { reference } = opened.order;
  await double.setFault(reference, { status: 'reversed' });
  const body = JSON.stringify({ event: 'charge.dispute.resolve', data: { transaction: { reference } } });
  const signature = paystackSignature(Buffer.from(body), keys['live'] ?? '');
  const headers = { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: signature };
  await fetch(`${baseUrl}/v1/payments/paystack`, { method: 'POST', headers, body });
  await until(async () => (await orderOf(opened))?.reversedAt !== undefined);
  const { problem, reversedAt } = (await orderOf(opened)) ?? {};
  expect([problem, reversedAt]).toEqual([
    'The payment was reversed after its credits were added.',
    (await automatic.getAutomatic(organisationId))?.paidBackAt,
  ]);
  const stateNow = async () => (await automatic.getAutomatic(organisationId))?.state;
  await until(async () => {
    await control.runSchedule('settle-top-ups');
    return (await stateNow()) !== 'ON';
  });
  const stopped = { state: 'STOPPED', stopReason: 'paid_back' };
  expect(await automatic.getAutomatic(organisationId)).toMatchObject(stopped);
});

describe('A forged webhook', () => {
  test('is rejected and changes nothing, even for a payment that was made', async () => {
    const opened = await open();
    const { reference } = opened.order;
    await double.setFault(reference, { signature: 'bad' });
    await pay(opened);
    await double.sendWebhook(reference, 'none');
    expect(await deliveries(opened)).toEqual(['charge.success 401', 'charge.success 401']);
    await expectState(opened, 'OPENED', 10);
  });
});

describe('If Paystack does not respond', () => {
  test('the webhook still gets its response, and the sweep credits the payment later', async () => {
    const opened = await open();
    const { reference } = opened.order;
    await double.setFault(reference, { verify: 'hangs' });
    await pay(opened);
    // Without a deadline of its own, the webhook would wait for as long as the fault lasts.
    expect(await deliveries(opened)).toEqual(['charge.success 200']);
    const waiting = await orderOf(opened);
    expect(waiting).toMatchObject({ state: 'OPENED', dueAt: expect.any(String) });
    expect(Date.parse(waiting?.dueAt ?? '')).toBeLessThanOrEqual(Date.now());
    await double.setFault(reference, {});
    await sweep(opened);
    await expectState(opened, 'CREDITED', 110);
  });

  test('verifications are charged as before, and the payment is credited when Paystack is back', async () => {
    const opened = await open();
    await double.setFault(opened.order.reference, { webhook: 'never' });
    await pay(opened);
    await double.setStopped(true);
    try {
      const page = await fetch(`${baseUrl}/v1/payments/return?reference=${opened.order.reference}`);
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('No payment has arrived'),
      ]);
      const verified = await post(
        '/v1/ng/nin-basic',
        { id_number: '70000000001' },
        { key: opened.customer.live },
      );
      expect([verified.status, verified.headers.get('x-credits-charged')]).toEqual([200, '1']);
      // A sweep during the outage only postpones the time at which the order is due.
      await control.runSchedule('settle-top-ups');
      await expectState(opened, 'OPENED', 9);
    } finally {
      await double.setStopped(false);
    }
    await sweep(opened);
    await expectState(opened, 'CREDITED', 109);
  });
});

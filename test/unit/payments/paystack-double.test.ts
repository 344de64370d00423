import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen, readBody } from '../../../infra/local/http-server.ts';
import { retryAfterMs } from '../../../infra/local/payments/webhooks.ts';
import { type RunningPayments, startPayments } from '../../../infra/local/payments.ts';
import type { PaymentProviders } from '../../../shared/payments/paystack/payment-provider.ts';
import { paystackProviders } from '../../../shared/payments/paystack/paystack.ts';
import {
  environmentOfSignature,
  SIGNATURE_HEADER,
} from '../../../shared/payments/paystack/webhook-signature.ts';
import { PAYSTACK_FIXTURES, paystackFixture } from '../../support/payments/paystack-fixtures.ts';
import { remotePayments } from '../../support/remote-payments.ts';

/** Tests the Paystack double through the service's adapter and a webhook receiver. */

interface Received {
  readonly body: string;
  readonly env: 'live' | 'test' | undefined;
}

let received: Received[] = [];
/** The status that the receiver responds with. */
let status = 200;
let receiver: Listening;
let double: RunningPayments;
let providers: PaymentProviders;

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const body = (await readBody(request, 100_000)) ?? Buffer.from('');
    const signature = request.headers[SIGNATURE_HEADER];
    const env = environmentOfSignature(body, String(signature ?? ''), double.keys);
    received.push({ body: String(body), env });
    response.writeHead(status).end();
  });
  receiver = await listen(server);
});
afterAll(() => receiver.close());

beforeEach(async () => {
  received = [];
  status = 200;
  double = await startPayments({ webhookUrl: receiver.url, nowMs: () => Date.parse('2026-11-23T10:00:00Z') });
  providers = paystackProviders({
    credentials: async () => double.keys,
    baseUrl: double.url,
    allowLocal: true,
    timeoutMs: 5_000,
  });
});
afterEach(() => double.close());

const ORDER = {
  reference: 'TOPUP-01K9SPECMEN000000000000001',
  totalKobo: 1_075_000,
  email: 'accounts@example.com',
  callbackUrl: 'https://api.example.com/v1/payments/return?from=shop',
};

async function open(env: 'live' | 'test' = 'live', order = ORDER): Promise<string> {
  return (await providers[env].initialise(order)).checkoutUrl;
}

const press = (url: string, outcome: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' });

const { reference } = ORDER;

describe('A payment at the Paystack double', () => {
  test('is verified after the customer has paid, and the webhook is signed with the key of its mode', async () => {
    for (const env of ['live', 'test'] as const) {
      received = [];
      const url = await open(env);
      expect(await providers[env].verify(reference)).toMatchObject({
        status: 'abandoned',
        paidAt: undefined,
      });
      const response = await press(url, 'pay');
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(
        `${ORDER.callbackUrl}&trxref=${reference}&reference=${reference}`,
      );
      expect(await providers[env].verify(reference)).toMatchObject({
        status: 'success',
        reference,
        amountKobo: 1_075_000,
        currency: 'NGN',
        paidAt: '2026-11-23T10:00:00.000Z',
        channel: 'card',
      });
      await double.control.deliveries(reference);
      expect(received.map((one) => [one.env, JSON.parse(one.body).event])).toEqual([[env, 'charge.success']]);
    }
  });

  test('can be paid after it was declined, but not twice', async () => {
    const url = await open();
    const declined = await press(url, 'decline');
    expect([declined.status, await declined.text()]).toEqual([200, expect.stringContaining('was declined')]);
    expect(await providers.live.verify(reference)).toMatchObject({ status: 'failed' });
    await press(url, 'pay');
    await press(url, 'pay');
    await press(url, 'decline');
    expect(await providers.live.verify(reference)).toMatchObject({ status: 'success' });
    expect(await double.control.deliveries(reference)).toHaveLength(1);
  });

  test('is abandoned if the customer leaves', async () => {
    const url = await open();
    expect((await press(url, 'leave')).status).toBe(303);
    expect(await providers.live.verify(reference)).toMatchObject({ status: 'abandoned' });
    expect(received).toEqual([]);
  });

  test('is unknown in the other mode, and an unknown key is rejected', async () => {
    await open('test');
    expect(await providers.live.verify(reference)).toEqual({ status: 'missing' });
    const stranger = await fetch(`${double.url}/transaction/verify/${reference}`, {
      headers: { authorization: 'Bearer sk_test_other' },
    });
    expect([stranger.status, await stranger.json()]).toEqual([401, paystackFixture('any.invalid-key').body]);
  });

  test('needs a new reference', async () => {
    await open();
    const error = await open().catch((thrown: Error) => thrown);
    expect((error as Error).cause).toMatchObject({
      message: 'Paystack: initialise: http-400 duplicate_reference',
    });
  });
});

describe('A fault of the Paystack double', () => {
  test.each([
    [{ webhook: 'twice' }, 2],
    [{ webhook: 'once' }, 1],
    [{ webhook: 'never' }, 0],
    [{ webhook: 'late' }, 0],
  ] as const)('determines how often the webhook is sent: %j', async (fault, count) => {
    const control = remotePayments(double.controlUrl);
    await control.setFault(reference, fault);
    await press(await open(), 'pay');
    expect(await control.deliveries(reference)).toHaveLength(count);
    expect(await control.sendHeld(reference)).toBe(fault.webhook === 'late' ? 1 : 0);
    expect(received).toHaveLength(fault.webhook === 'late' ? 1 : count);
  });

  test('can change the amount, the currency and the status', async () => {
    const control = remotePayments(double.controlUrl);
    await press(await open(), 'pay');
    await control.setFault(reference, { amount: 1, currency: 'USD' });
    expect(await providers.live.verify(reference)).toMatchObject({ amountKobo: 1, currency: 'USD' });
    await control.setFault(reference, { status: 'reversed' });
    expect(await providers.live.verify(reference)).toMatchObject({
      status: 'reversed',
      amountKobo: 1_075_000,
    });
  });

  test.each(['bad', 'none'] as const)('can make the signature invalid: %s', async (signature) => {
    await remotePayments(double.controlUrl).setFault(reference, { signature });
    await press(await open(), 'pay');
    await double.control.deliveries(reference);
    expect(received.map(({ env }) => env)).toEqual([undefined]);
  });

  test('can make verify fail, or hang until the fault ends', async () => {
    const control = remotePayments(double.controlUrl);
    await open();
    await control.setFault(reference, { verify: 'fails' });
    await expect(providers.live.verify(reference)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await control.setFault(reference, { verify: 'hangs' });
    const hanging = providers.live.verify(reference);
    await control.setFault(reference, {});
    expect(await hanging).toMatchObject({ status: 'abandoned' });
  });

  test('can stop the double for everyone until the fault ends', async () => {
    const control = remotePayments(double.controlUrl);
    await open();
    await control.setStopped(true);
    await expect(providers.live.verify(reference)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await control.setStopped(false);
    expect(await providers.live.verify(reference)).toMatchObject({ status: 'abandoned' });
  });

  test('must be known to the double', async () => {
    const control = remotePayments(double.controlUrl);
    await expect(control.setFault(reference, { webhook: 'thrice' } as never)).rejects.toThrow('thrice');
    const other = await fetch(`${new URL(double.controlUrl).origin}/guess/transactions`);
    expect(other.status).toBe(404);
  });
});

describe('Webhooks are repeated', () => {
  const attempts = (mode: 'live' | 'test') => {
    const times = [0];
    for (let wait: number | undefined = 0; wait !== undefined; ) {
      wait = retryAfterMs(mode, times.length, times.at(-1) ?? 0);
      if (wait !== undefined) times.push((times.at(-1) ?? 0) + wait);
    }
    return times.map((ms) => ms / 60_000);
  };

  test('on the documented schedule', () => {
    expect(attempts('test')).toEqual([0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600]);
    const live = attempts('live');
    expect(live.slice(0, 7)).toEqual([0, 3, 6, 9, 12, 72, 132]);
    expect(live.at(-1)).toBeLessThanOrEqual(72 * 60);
    expect(live.at(-1)).toBeGreaterThan(71 * 60);
  });

  test('until the receiver responds with 200', async () => {
    const control = remotePayments(double.controlUrl);
    status = 500;
    await press(await open(), 'pay');
    await control.advance(3);
    await control.advance(2);
    expect((await control.deliveries(reference)).map((one) => [one.attempt, one.status])).toEqual([
      [1, 500],
      [2, 500],
    ]);
    status = 200;
    await control.advance(3);
    await control.advance(60);
    expect((await control.deliveries(reference)).map((one) => [one.attempt, one.status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
    ]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });
});

describe('A refund at the Paystack double', () => {
  const refund = async (amountKobo: number, note = 'IDVC-2026-000001') => {
    const paid = await providers.live.verify(reference);
    const providerReference = paid.status === 'missing' ? '' : paid.providerReference;
    const request = { providerReference, amountKobo, note, customerNote: 'Refund of unused credits' };
    return { providerReference, created: await providers.live.refund(request) };
  };

  test('of a part is listed with its note and leaves the payment unchanged', async () => {
    await press(await open(), 'pay');
    const { providerReference, created } = await refund(75_000);
    // IDs of 64 bits, which a number cannot hold.
    expect([providerReference, created.refundReference]).toEqual([
      '18446744073700000001',
      '9007199254740993',
    ]);
    expect(created).toMatchObject({ status: 'pending', amountKobo: 75_000, note: 'IDVC-2026-000001' });
    expect(await providers.live.listRefunds(providerReference)).toEqual([
      { ...created, status: 'processed' },
    ]);
    expect(await providers.test.listRefunds(providerReference)).toEqual([]);
    expect(await providers.live.verify(reference)).toMatchObject({ status: 'success' });
    await double.control.deliveries(reference);
    expect(received.map(({ body }) => JSON.parse(body).event)).toEqual([
      'charge.success',
      'refund.processed',
    ]);
  });

  test('of the whole amount reverses the payment, and no more can be refunded', async () => {
    await press(await open(), 'pay');
    await refund(1_000_000);
    await expect(refund(75_001)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await refund(75_000, 'IDVC-2026-000002');
    expect(await providers.live.verify(reference)).toMatchObject({ status: 'reversed' });
    await expect(refund(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('that fails can be repeated', async () => {
    await press(await open(), 'pay');
    await double.control.setFault(reference, { refund: 'failed' });
    await refund(1_075_000);
    await double.control.setFault(reference, {});
    const { providerReference } = await refund(1_075_000);
    const refunds = await providers.live.listRefunds(providerReference);
    expect(refunds.map((one) => one.status)).toEqual(['failed', 'processed']);
  });

  test('of a payment that was not made is rejected', async () => {
    await open();
    await expect(refund(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('The double sends no field that Paystack does not document', () => {
  /** Returns the paths of all fields. The elements of a list share their paths. */
  const fieldsOf = (value: unknown, path = ''): string[] => {
    if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, path));
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, one]) => [
      `${path}.${name}`,
      ...fieldsOf(one, `${path}.${name}`),
    ]);
  };
  const documented = (pattern: RegExp) =>
    new Set(PAYSTACK_FIXTURES.filter(({ name }) => pattern.test(name)).flatMap(({ body }) => fieldsOf(body)));
  const undocumented = (body: unknown, pattern: RegExp) => {
    const known = documented(pattern);
    return fieldsOf(body).filter((field) => !known.has(field));
  };

  test('in its responses and events', async () => {
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${double.keys.live}`, 'content-type': 'application/json' };
      const response = await fetch(`${double.url}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as { data: { authorization_url: string } };
    };
    const order = { email: 'accounts@example.com', amount: 5_000, reference };
    const opened = await call('POST', '/transaction/initialize', order);
    await press(opened.data.authorization_url, 'pay');
    const verified = await call('GET', `/transaction/verify/${reference}`);
    const refunded = await call('POST', '/refund', { transaction: reference });
    const listed = await call('GET', '/refund');
    expect(undocumented(opened, /^initialise\.created$/)).toEqual([]);
    expect(undocumented(verified, /^verify\./)).toEqual([]);
    expect(undocumented(refunded, /^refund\.queued$/)).toEqual([]);
    expect(undocumented(listed, /^refunds\./)).toEqual([]);
    await double.control.deliveries(reference);
    const [charge, refund] = received.map(({ body }) => JSON.parse(body));
    expect(undocumented(charge, /^(webhook\.charge-success|verify\.success)$/)).toEqual([]);
    expect(undocumented(refund, /^webhook\.refund-/)).toEqual([]);
    const invalid = await call('POST', '/transaction/initialize', { amount: 5 });
    expect(undocumented(invalid, /^initialise\.missing-params$/)).toEqual([]);
  });
});

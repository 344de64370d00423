import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ALL_SCOPES } from '../../shared/accounts/key-limits.ts';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { connect } from '../../shared/core/database.ts';
import { remotePayments } from '../support/remote-payments.ts';
import { get, number, organisation, payments, post } from '../support/service.ts';

/** A customer buys credits through the API of the running service, whose functions have their own roles and bundles. */

const double = remotePayments(payments.controlUrl);
const PATIENCE_MS = 60_000;

/** Reads an order until it is credited. */
async function creditedOrder(reference: string, key: string) {
  for (const endMs = Date.now() + PATIENCE_MS; ; await setTimeout(500)) {
    const { status, json } = await get(`/v1/wallet/top-ups/${reference}`, { key });
    expect(status).toBe(200);
    if (json?.data?.['state'] === 'CREDITED' || Date.now() >= endMs) return json?.data ?? {};
  }
}

test.each(['live', 'test'] as const)(
  'a %s key buys credits, and reads its lot and documents',
  async (env) => {
    const customer = await organisation({ scopes: ALL_SCOPES, hasBilling: true });
    const other = await organisation();
    const key = customer[env];
    const headers = { 'Idempotency-Key': `top-up-of-${customer.id}` };
    const body = { credits: 500, return_url: 'https://www.example.com/paid' };
    const opened = await post('/v1/wallet/top-ups', body, { key, headers });
    const { reference, checkout_url, total_kobo } = opened.json?.data ?? {};
    expect([opened.status, opened.headers.get('x-credits-charged'), total_kobo]).toEqual([
      200,
      '0',
      2_687_500,
    ]);
    const repeated = await post('/v1/wallet/top-ups', body, { key, headers });
    expect(repeated.json?.data).toEqual(opened.json?.data);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    const trail = auditTable(connect(), process.env['AUDIT_TRAIL_TABLE'] ?? '');
    const entries = await trail.listEntries(customer.id);
    const started = entries.filter(({ target }) => target === `${env} order ${reference}`);
    expect(started).toMatchObject([
      { action: 'top-up start', after: { checkoutUrl: checkout_url } },
      { action: 'top-up start', after: { credits: 500, returnPage: body.return_url } },
    ]);

    // No webhook arrives, so the customer's own requests must find the payment.
    await double.setFault(String(reference), { webhook: 'never' });
    await fetch(String(checkout_url), {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'pay' }),
      redirect: 'manual',
    });
    const order = await creditedOrder(String(reference), key);
    expect(order).toMatchObject({ state: 'CREDITED', credited_at: expect.any(String) });
    expect((await customer.balance(env)).available).toBe(510);

    const lots = (await get('/v1/wallet/lots', { key })).json?.data?.['lots'];
    expect(lots).toMatchObject([
      { kind: 'promotional', credits: 10, remaining: 10 },
      { kind: 'paid', credits: 500, remaining: 500, net_kobo: 2_500_000, invoice: order['invoice'] },
    ]);
    const path = `/v1/wallet/invoices/${order['invoice']}`;
    const invoice = await get(path, { key });
    expect(invoice.json?.data).toMatchObject({ kind: 'INVOICE', top_up: reference, total_kobo: 2_687_500 });
    const list = (await get('/v1/wallet/invoices?limit=1', { key })).json?.data;
    expect(list).toMatchObject({ invoices: [{ top_up: reference }], next_cursor: expect.any(String) });

    const asPdf = { key, headers: { Accept: 'application/pdf' } };
    const pdf = await get(path, asPdf);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="${order['invoice']}.pdf"`);
    expect(Buffer.from(pdf.bytes).subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.bytes.length).toBeGreaterThan(10_000);
    const head = await get(path, { ...asPdf, method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), head.bytes.length]).toEqual([
      200,
      'application/pdf',
      0,
    ]);

    const foreign = { key: other[env] };
    expect((await get(path, foreign)).json?.code).toBe('INVOICE_NOT_FOUND');
    expect((await get(`/v1/wallet/top-ups/${reference}`, foreign)).json?.code).toBe('TOP_UP_NOT_FOUND');
    // The customer's key for the other environment finds neither.
    const otherKey = { key: customer[env === 'live' ? 'test' : 'live'] };
    expect((await get(path, otherKey)).json?.code).toBe('INVOICE_NOT_FOUND');
    expect((await get(`/v1/wallet/top-ups/${reference}`, otherKey)).json?.code).toBe('TOP_UP_NOT_FOUND');

    const verified = await post('/v1/ng/nin-basic', { id_number: number() }, { key });
    expect([verified.status, (await customer.balance(env)).available]).toEqual([200, 509]);
  },
);

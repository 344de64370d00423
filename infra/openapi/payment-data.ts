import * as v from 'valibot';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { DOCUMENT_KINDS } from '../../shared/payments/documents/financial-document.ts';
import { LOT_KINDS } from '../../shared/payments/lots/lot.ts';
import { ORDER_STATES } from '../../shared/payments/orders/order.ts';
import { ORDER_REFERENCE } from '../../shared/payments/orders/order-reference.ts';
import { DOCUMENT_NUMBER } from '../../shared/payments/routes/payment-query.ts';

/** The schemas of `data` for the payment routes. Amounts of money are in whole kobo, and times are ISO 8601 in UTC. */

const environment = v.picklist(ENVIRONMENTS);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const whole = v.pipe(v.number(), v.integer());
const time = v.pipe(v.string(), v.isoTimestamp());
const number = v.pipe(v.string(), v.regex(DOCUMENT_NUMBER));
const reference = v.pipe(v.string(), v.regex(ORDER_REFERENCE));
const next_cursor = v.nullable(v.string());

export const creditLot = v.strictObject({
  id: v.string(),
  kind: v.picklist(LOT_KINDS),
  credits: count,
  remaining: count,
  kobo_per_credit: count,
  net_kobo: count,
  vat_kobo: count,
  reference: v.string(),
  invoice: v.nullable(v.string()),
  created_at: time,
  expires_at: v.nullable(time),
});

/** GET /v1/wallet/lots */
export const lotsData = v.strictObject({ environment, lots: v.array(creditLot), next_cursor });

export const invoiceSummary = v.strictObject({
  number,
  kind: v.picklist(DOCUMENT_KINDS),
  issued_at: time,
  month: v.string(),
  currency: v.literal('NGN'),
  net_kobo: count,
  vat_kobo: count,
  total_kobo: count,
  top_up: v.nullable(v.string()),
  invoice: v.nullable(v.string()),
});

/** GET /v1/wallet/invoices */
export const invoicesData = v.strictObject({ environment, invoices: v.array(invoiceSummary), next_cursor });

export const invoiceParty = v.strictObject({
  name: v.string(),
  address: v.array(v.string()),
  tax_number: v.string(),
  email: v.string(),
});

export const invoiceLine = v.strictObject({
  description: v.string(),
  quantity: count,
  unit_kobo: count,
  net_kobo: count,
  vat_basis_points: count,
  vat_kobo: count,
  total_kobo: count,
});

export const invoicePayment = v.strictObject({
  method: v.nullable(v.picklist(['PAYSTACK', 'TRANSFER'])),
  paid_at: time,
  channel: v.string(),
  reference: v.string(),
});

export const monthlyStatement = v.strictObject({
  opening_credits: whole,
  bought_credits: whole,
  other_credits: whole,
  used_credits: whole,
  closing_credits: whole,
  services: v.array(v.strictObject({ service: v.string(), requests: count, credits: count })),
});

/** GET /v1/wallet/invoices/{number} */
export const invoiceData = v.strictObject({
  environment,
  ...invoiceSummary.entries,
  seller: invoiceParty,
  buyer: invoiceParty,
  lines: v.array(invoiceLine),
  total_in_words: v.string(),
  payment: v.optional(invoicePayment),
  reason: v.nullable(v.string()),
  statement: v.optional(monthlyStatement),
  content_sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/** POST /v1/wallet/top-ups and GET /v1/wallet/top-ups/{reference} */
export const topUpData = v.strictObject({
  environment,
  reference,
  state: v.picklist(ORDER_STATES),
  credits: count,
  kobo_per_credit: count,
  net_kobo: count,
  vat_kobo: count,
  total_kobo: count,
  currency: v.literal('NGN'),
  checkout_url: v.nullable(v.string()),
  opened_at: time,
  expires_at: time,
  credited_at: v.nullable(time),
  invoice: v.nullable(v.string()),
  receipt: v.nullable(v.string()),
});

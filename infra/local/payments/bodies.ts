import type { PaymentFault } from './faults.ts';
import type { Refund, Transaction } from './transactions.ts';

/** Bodies of Paystack's responses and events. Tests compare their fields with Paystack's documentation. */

/** TypeScript's libraries do not have `rawJSON` yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

const INTEGRATION = 100_001;
const REFUNDED_BY = 'accounts@example.com';

const GATEWAY_RESPONSES: Partial<Readonly<Record<Transaction['status'], string>>> = {
  success: 'Successful',
  failed: 'Declined',
  abandoned: 'The transaction was not completed',
};

export const ok = (message: string, data: unknown, more: object = {}) => ({
  status: true,
  message,
  data,
  ...more,
});

export const problem = (message: string, code?: string) => ({
  status: false,
  message,
  ...(code && { meta: { nextStep: 'Check the request and send it again.' }, type: 'validation_error', code }),
});

/** Returns a body as JSON. `JSON.stringify` alone rejects the IDs, which are `bigint`. */
export function jsonText(body: object): string {
  return JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? rawJSON(String(value)) : value));
}

/** Returns the transaction with the values of a fault instead of its own. */
export function seen(transaction: Transaction, { amount, currency, status }: PaymentFault): Transaction {
  return {
    ...transaction,
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(status !== undefined && { status }),
  };
}

/** Returns a transaction as `verify` and `charge.success` show it. Only the email address of the customer is known. */
export function transactionBody(transaction: Transaction) {
  const { id, mode, status, reference, amount, currency, createdAt, paidAt, email } = transaction;
  const isPaid = paidAt !== null;
  return {
    id,
    domain: mode,
    status,
    reference,
    receipt_number: null,
    amount,
    message: null,
    gateway_response: GATEWAY_RESPONSES[status] ?? '',
    paid_at: paidAt,
    created_at: createdAt,
    channel: 'card',
    currency,
    ip_address: '127.0.0.1',
    metadata: '',
    log: null,
    fees: isPaid ? 0 : null,
    fees_split: null,
    authorization: isPaid ? CARD : {},
    customer: {
      id: 500_000_001,
      first_name: null,
      last_name: null,
      email,
      customer_code: 'CUS_local00000001',
      phone: null,
      metadata: null,
      risk_action: 'default',
      international_format_phone: null,
    },
    plan: null,
    split: {},
    order_id: null,
    paidAt,
    createdAt,
    requested_amount: amount,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    connect: null,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}

/** Paystack's published test card. */
export const CARD = {
  authorization_code: 'AUTH_local00001',
  bin: '408408',
  last4: '4081',
  exp_month: '12',
  exp_year: '2030',
  channel: 'card',
  card_type: 'visa ',
  bank: 'TEST BANK',
  country_code: 'NG',
  brand: 'visa',
  reusable: true,
  signature: 'SIG_local000000000001',
  account_name: null,
};

/** Returns a refund as a list shows it. */
export function refundRow({ id, transaction, amount, status, createdAt, ...notes }: Refund) {
  return {
    integration: INTEGRATION,
    transaction: transaction.id,
    dispute: null,
    settlement: null,
    id,
    domain: transaction.mode,
    currency: transaction.currency,
    amount,
    status,
    refunded_at: null,
    refunded_by: REFUNDED_BY,
    customer_note: notes.customerNote,
    merchant_note: notes.merchantNote,
    deducted_amount: status === 'processed' ? amount : 0,
    fully_deducted: status === 'processed',
    createdAt,
  };
}

/**
 * Returns a refund as the response to its creation shows it: with the transaction instead of its number, and with fewer
 * fields.
 */
export function newRefund(refund: Refund) {
  const { id, mode, reference, amount, paidAt, currency } = refund.transaction;
  const { dispute: _dispute, settlement: _settlement, refunded_at: _refundedAt, ...row } = refundRow(refund);
  return {
    ...row,
    transaction: { id, domain: mode, reference, amount, paid_at: paidAt, channel: 'card', currency },
  };
}

/** Returns the event about a refund. Its amount is a string. */
export function refundEvent({ status, transaction, amount }: Refund) {
  const { reference, currency, email, mode } = transaction;
  return {
    event: `refund.${status}`,
    data: {
      status,
      transaction_reference: reference,
      refund_reference: null,
      amount: String(amount),
      currency,
      processor: 'instant-transfer',
      customer: { first_name: null, last_name: null, email },
      integration: INTEGRATION,
      domain: mode,
    },
  };
}

export const chargeEvent = (transaction: Transaction) => ({
  event: 'charge.success',
  data: transactionBody(transaction),
});

import * as v from 'valibot';
import { ENVIRONMENTS, type Environment } from '../../../shared/core/environment.ts';
import { parseExactJson } from '../../../shared/core/exact-json.ts';
import { CARD, newRefund, ok, problem, refundRow, seen, transactionBody } from './bodies.ts';
import type { PaymentFault } from './faults.ts';
import type { Refund, Transaction, Transactions } from './transactions.ts';

/** Paystack's API as documented: transactions, charges of saved cards, and refunds. */

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: string;
}

interface ApiResponse {
  readonly status: number;
  readonly body: object;
}

interface ApiOptions {
  /** The address of the double, which serves the checkout too. */
  readonly url: string;
  readonly keys: Readonly<Record<Environment, string>>;
  readonly transactions: Transactions;
  readonly faultOf: (reference: string) => PaymentFault;
  readonly now: () => string;
  readonly onRefund: (refund: Refund) => void;
  readonly onCharge: (transaction: Transaction) => void;
}

/** A number, or a string of digits: Paystack accepts both. */
const amount = v.pipe(v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/))]), v.transform(Number));
const newTransaction = v.object({
  email: v.pipe(v.string(), v.email()),
  amount: v.pipe(amount, v.safeInteger(), v.minValue(1)),
  reference: v.pipe(v.string(), v.regex(/^[-.=A-Za-z0-9]{1,100}$/)),
  currency: v.optional(v.string(), 'NGN'),
  callback_url: v.optional(v.pipe(v.string(), v.url())),
});
const newCharge = v.object({ ...newTransaction.entries, authorization_code: v.string() });
const refundRequest = v.object({
  transaction: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  amount: v.optional(v.pipe(amount, v.safeInteger(), v.minValue(1))),
  customer_note: v.optional(v.string()),
  merchant_note: v.optional(v.string()),
});

const PAGE_SIZE = 50;

/** Returns the function that responds to requests of the API. */
export function paystackApi(options: ApiOptions): (request: ApiRequest) => ApiResponse {
  return (request) => {
    const mode = modeOf(request.authorization, options.keys);
    if (!mode) return { status: 401, body: problem('Invalid key') };
    const { method, path, query, body } = request;
    const [, reference = ''] = /^\/transaction\/verify\/([^/]+)$/.exec(path) ?? [];
    if (method === 'POST' && path === '/transaction/initialize') return initialise(mode, body, options);
    if (method === 'POST' && path === '/transaction/charge_authorization') return charge(mode, body, options);
    if (method === 'GET' && reference) return verify(mode, decodeURIComponent(reference), options);
    if (method === 'POST' && path === '/refund') return refund(mode, body, options);
    if (method === 'GET' && path === '/refund') return refunds(mode, query, options);
    return { status: 404, body: problem('Entity not found') };
  };
}

function modeOf(authorization: string | undefined, keys: ApiOptions['keys']): Environment | undefined {
  return ENVIRONMENTS.find((mode) => authorization === `Bearer ${keys[mode]}`);
}

function initialise(mode: Environment, body: string, options: ApiOptions): ApiResponse {
  const parsed = v.safeParse(newTransaction, jsonOf(body));
  if (!parsed.success) {
    const field = v.getDotPath(parsed.issues[0]) ?? 'body';
    return { status: 400, body: problem(`Invalid or missing parameter: ${field}`, 'missing_params') };
  }
  const { callback_url: callbackUrl, ...values } = parsed.output;
  const transaction = options.transactions.open({ mode, callbackUrl, ...values }, options.now());
  if (!transaction)
    return { status: 400, body: problem('Duplicate Transaction Reference', 'duplicate_reference') };
  const { accessCode, reference } = transaction;
  const data = {
    authorization_url: `${options.url}/checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  };
  return { status: 200, body: ok('Authorization URL created', data) };
}

/** Only the email address that paid with the card can be charged. */
function charge(mode: Environment, body: string, options: ApiOptions): ApiResponse {
  const parsed = v.safeParse(newCharge, jsonOf(body));
  if (!parsed.success)
    return { status: 400, body: problem('Invalid or missing parameter', 'missing_params') };
  const { callback_url: callbackUrl, authorization_code: code, ...values } = parsed.output;
  const isSaved = options.transactions
    .all()
    .some((one) => one.mode === mode && one.email === values.email && one.paidAt !== null);
  if (code !== CARD.authorization_code || !isSaved)
    return {
      status: 400,
      body: problem('Authorization code is invalid for this customer', 'invalid_params'),
    };
  const transaction = options.transactions.open({ mode, callbackUrl, ...values }, options.now());
  if (!transaction)
    return { status: 400, body: problem('Duplicate Transaction Reference', 'duplicate_reference') };
  const { accessCode, reference } = transaction;
  if (options.faultOf(code).charge === 'paused') {
    const page = { authorization_url: `${options.url}/checkout/${accessCode}`, access_code: accessCode };
    const message = 'Please, redirect your customer to the authorization url provided';
    return { status: 200, body: ok(message, { ...page, reference, paused: true }) };
  }
  options.onCharge(transaction);
  return { status: 200, body: ok('Charge attempted', transactionBody(transaction)) };
}

function verify(mode: Environment, reference: string, options: ApiOptions): ApiResponse {
  const fault = options.faultOf(reference);
  if (fault.verify === 'fails') return { status: 500, body: problem('An error occurred') };
  const transaction = options.transactions.find(mode, reference);
  if (!transaction) return { status: 404, body: problem('Transaction reference not found') };
  return { status: 200, body: ok('Verification successful', transactionBody(seen(transaction, fault))) };
}

function refund(mode: Environment, body: string, options: ApiOptions): ApiResponse {
  const { transactions } = options;
  const parsed = v.safeParse(refundRequest, jsonOf(body));
  if (!parsed.success) return { status: 400, body: problem('Transaction is required', 'missing_params') };
  const { customer_note: customerNote, merchant_note: merchantNote } = parsed.output;
  const transaction = transactions.findByEither(mode, parsed.output.transaction);
  if (!transaction) return { status: 404, body: problem('Transaction not found') };
  const { reference } = transaction;
  const left = transactions.refundable(transaction);
  const wanted = parsed.output.amount ?? left;
  if (!transaction.paidAt || wanted > left || wanted === 0)
    return {
      status: 400,
      body: problem('Refund amount is more than what is left of the payment', 'invalid_params'),
    };
  const created = transactions.refund(
    {
      transaction,
      amount: wanted,
      customerNote: customerNote ?? `Refund for transaction ${reference}`,
      merchantNote: merchantNote ?? `Refund for transaction ${reference}`,
    },
    options.now(),
  );
  const data = newRefund(created);
  options.onRefund(created);
  return { status: 200, body: ok('Refund has been queued for processing', data) };
}

function refunds(mode: Environment, query: URLSearchParams, { transactions }: ApiOptions): ApiResponse {
  const rows = transactions.refundsOf(mode, query.get('transaction') ?? undefined);
  const perPage = Number(query.get('perPage') ?? PAGE_SIZE);
  const page = Number(query.get('page') ?? 1);
  const meta = {
    total: rows.length,
    skipped: 0,
    perPage,
    page,
    pageCount: Math.max(1, Math.ceil(rows.length / perPage)),
  };
  const data = rows.slice((page - 1) * perPage, page * perPage).map(refundRow);
  return { status: 200, body: ok('Refunds retrieved', data, { meta }) };
}

function jsonOf(body: string): unknown {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

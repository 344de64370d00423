import * as v from 'valibot';
import { ENVIRONMENTS, type Environment } from '../../core/environment.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Secret } from '../../core/secrets.ts';
import { checkBaseUrl } from '../../registries/transport/address.ts';
import { type HttpRequest, requestJson } from '../../registries/transport/http-client.ts';
import type {
  FoundCard,
  PaymentProvider,
  PaymentProviders,
  ProviderRefund,
  VerifiedPayment,
} from './payment-provider.ts';
import {
  cardBody,
  chargeBody,
  errorBody,
  initialiseBody,
  type PaystackRefund,
  refundBody,
  refundListBody,
  verifyBody,
} from './paystack-schemas.ts';

/**
 * Uses the transport of registries, with one deadline, a size limit, and without redirects or private addresses.
 */

export interface PaystackConfig {
  /**
   * The PAYMENTS secret: `live` and `test` keys, and optionally `baseUrl`. Called for each request, so that a rotation
   * needs no deployment.
   */
  readonly credentials: () => Promise<Secret>;
  /** Used unless the secret contains one. */
  readonly baseUrl: string;
  /** Permits loopback addresses: in the stage `local` and in tests only. */
  readonly allowLocal: boolean;
  /** The maximum duration of one request, in milliseconds. @default 8,000 */
  readonly timeoutMs?: number;
}

const HOSTS = ['api.paystack.co'];
const TIMEOUT_MS = 8_000;
const MAX_BYTES = 512 * 1024;
const REFUNDS_OF_A_PAGE = 100;
const MOST_PAGES = 20;

/** Returns a provider for each environment. */
export function paystackProviders(config: PaystackConfig): PaymentProviders {
  const providers = ENVIRONMENTS.map((env) => [env, paystack(env, config)] as const);
  return Object.fromEntries(providers) as Record<Environment, PaymentProvider>;
}

export function paystack(env: Environment, config: PaystackConfig): PaymentProvider {
  return paystackOf(env, (request) => send(env, config, request));
}

/** Uses the key of one environment. */
export function paystackOf(env: Environment, call: (request: Call) => Promise<Response>): PaymentProvider {
  return {
    async initialise({ reference, totalKobo, email, callbackUrl }) {
      const body = { reference, amount: totalKobo, currency: 'NGN', email, callback_url: callbackUrl };
      const response = await call({ method: 'POST', path: '/transaction/initialize', body });
      const { data } = parsed(initialiseBody, response, 'initialise');
      // With a different reference, this would be the checkout of a different order.
      if (data.reference !== reference) throw unavailable('initialise: other-reference');
      return { checkoutUrl: data.authorization_url };
    },
    async verify(reference) {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`;
      const response = await call({ method: 'GET', path });
      if (isMissing(response)) return { status: 'missing' };
      const { data } = parsed(verifyBody, response, 'verify');
      // A payment in test mode must never pay for live credits.
      if (data.domain !== env) throw unavailable('verify: other-mode');
      return verifiedPayment(data);
    },
    async findCard(reference) {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`;
      const response = await call({ method: 'GET', path });
      if (isMissing(response)) return undefined;
      const { data } = parsed(cardBody, response, 'verify');
      if (data.domain !== env || data.reference !== reference) throw unavailable('verify: other-transaction');
      return cardOf(data);
    },
    async charge({ reference, totalKobo, card: { authorisationCode, email } }) {
      const body = {
        authorization_code: authorisationCode,
        email,
        amount: totalKobo,
        currency: 'NGN',
        reference,
      };
      const response = await call({ method: 'POST', path: '/transaction/charge_authorization', body });
      if (isRefused(response)) return { kind: 'refused' };
      const { data } = parsed(chargeBody, response, 'charge');
      if (data.reference !== reference) throw unavailable('charge: other-reference');
      return data.paused ? { kind: 'paused', checkoutUrl: data.authorization_url } : { kind: 'attempted' };
    },
    async refund({ providerReference, amountKobo, note, customerNote }) {
      const body = {
        transaction: providerReference,
        amount: amountKobo,
        currency: 'NGN',
        merchant_note: note,
        customer_note: customerNote,
      };
      const response = await call({ method: 'POST', path: '/refund', body });
      return refundOf(parsed(refundBody, response, 'refund').data);
    },
    listRefunds: (providerReference) => listRefunds(providerReference, call),
  };
}

/**
 * Not every version of Paystack's API reference documents the filter by transaction, so the result is filtered here
 * too.
 */
async function listRefunds(
  providerReference: string,
  call: (request: Call) => Promise<Response>,
): Promise<ProviderRefund[]> {
  const found: ProviderRefund[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = { transaction: providerReference, perPage: String(REFUNDS_OF_A_PAGE), page: String(page) };
    const response = await call({ method: 'GET', path: '/refund', query });
    const { data, meta } = parsed(refundListBody, response, 'refunds');
    found.push(...data.filter(({ transaction }) => transaction === providerReference).map(refundOf));
    const isLast = meta?.pageCount === undefined ? data.length < REFUNDS_OF_A_PAGE : page >= meta.pageCount;
    if (isLast) return found;
  }
  throw unavailable('refunds: too-many-pages');
}

function verifiedPayment(data: v.InferOutput<typeof verifyBody>['data']): VerifiedPayment {
  const { status, reference, currency, channel } = data;
  return {
    status,
    reference,
    amountKobo: data.amount,
    currency,
    paidAt: data.paid_at,
    channel: channel ?? '',
    providerReference: data.id,
  };
}

function cardOf({
  status,
  authorization,
  customer,
}: v.InferOutput<typeof cardBody>['data']): FoundCard | undefined {
  const email = customer?.email;
  if (!authorization) return undefined;
  const { authorization_code: authorisationCode, channel, reusable } = authorization;
  if (status !== 'success' || channel !== 'card' || reusable !== true || !authorisationCode || !email)
    return undefined;
  const { brand, last4: lastFour, exp_month: month, exp_year: year, bank } = authorization;
  const expires = month && year ? `${month.padStart(2, '0')}/${year}` : '';
  return { authorisationCode, email, details: { brand, lastFour, expires, bank } };
}

function refundOf({ id, status, amount, currency, merchant_note: note }: PaystackRefund): ProviderRefund {
  return { refundReference: id, status, amountKobo: amount, currency, note: note ?? '' };
}

/** A request to Paystack's API. */
export interface Call {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Response {
  readonly status: number;
  /** Integers beyond 2^53 are strings. */
  readonly json: unknown;
}

async function send(env: Environment, config: PaystackConfig, request: Call): Promise<Response> {
  const deadlineMs = Date.now() + (config.timeoutMs ?? TIMEOUT_MS);
  const { key, url } = await access(env, config);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${request.path}`;
  url.search = new URLSearchParams(request.query).toString();
  const result = await requestJson({
    method: request.method,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(request.body !== undefined && { body: request.body }),
    deadlineMs,
    maxBytes: MAX_BYTES,
  });
  if (result.kind !== 'response') throw unavailable(`${result.kind} ${result.detail}`);
  return result;
}

/** A live key must not serve test orders, or the reverse. Paystack's prefix distinguishes them. */
async function access(env: Environment, { credentials, baseUrl, allowLocal }: PaystackConfig) {
  const secret: Secret = await credentials().catch(() => ({}));
  const key = secret[env] ?? '';
  if (!key.startsWith(`sk_${env}_`)) throw unavailable(`not-configured: no key for ${env}`);
  try {
    return { key, url: checkBaseUrl(secret['baseUrl'] ?? baseUrl, { hosts: HOSTS, allowLocal }) };
  } catch {
    throw unavailable('not-configured: base address');
  }
}

/** The API reference documents 404, but public clients also get 400. */
function isMissing({ status, json }: Response): boolean {
  if (status !== 404 && status !== 400) return false;
  const error = v.safeParse(errorBody, json);
  if (!error.success) return false;
  const { code, message } = error.output;
  return code === 'transaction_not_found' || /not found/i.test(message ?? '');
}

/** A duplicate reference is no refusal: an earlier request with it may have charged the card. */
function isRefused({ status, json }: Response): boolean {
  if (status !== 400) return false;
  const error = v.safeParse(errorBody, json);
  return error.success && !/duplicate/i.test(`${error.output.code} ${error.output.message}`);
}

/** Throws only the status and Paystack's code, or the names of invalid fields. */
function parsed<S extends v.GenericSchema>(
  schema: S,
  { status, json }: Response,
  call: string,
): v.InferOutput<S> {
  if (status !== 200 && status !== 201) throw unavailable(`${call}: http-${status}${errorCode(json)}`);
  const body = v.safeParse(schema, json);
  if (!body.success) {
    const fields = body.issues.map((issue) => v.getDotPath(issue) ?? '');
    throw unavailable(`${call}: invalid body (${[...new Set(fields)].join(', ')})`);
  }
  return body.output;
}

function errorCode(json: unknown): string {
  const error = v.safeParse(errorBody, json);
  const code = error.success ? error.output.code : '';
  return code && /^[a-z_]{1,40}$/.test(code) ? ` ${code}` : '';
}

/** `detail` is also the cause's name, because logs contain names of errors, but no messages. */
function unavailable(detail: string): ServiceError {
  const cause = new Error(`Paystack: ${detail}`);
  cause.name = cause.message;
  return new ServiceError('SERVICE_UNAVAILABLE', { cause });
}

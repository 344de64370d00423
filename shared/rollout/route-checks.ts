import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import type { IdType } from '../core/id-types.ts';

/** The requests to a route, and the responses that a new version must return before it receives traffic. */
export interface RouteCheck {
  /** The response to a request without a key. */
  readonly withoutKey: ExpectedResponse;
  /** The responses to a request with a test key, any of which passes. Undefined for routes that need no key. */
  readonly withKey?: readonly ExpectedResponse[];
  readonly body?: object;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

export interface ExpectedResponse {
  readonly status: number;
  /** The code of the envelope. Undefined for documents. */
  readonly code?: string;
  readonly contentType?: string;
}

/** Numbers for which the sandbox returns a record (contract G1). They are sent to no other registry. */
const NUMBERS: Readonly<Record<IdType, string>> = {
  NIN: '70000000001',
  BVN: '22000000001',
  CAC: 'RC7000001',
  TIN: '70000000-0001',
  NUBAN: '7000000001',
};

const rejected = (code: ErrorCode): ExpectedResponse => ({ status: CATALOGUE[code].status, code });
const success = (code: string): ExpectedResponse => ({ status: 200, code });
const document = (status: number, contentType: string): ExpectedResponse => ({ status, contentType });

function verification(idType: IdType): RouteCheck {
  return {
    withoutKey: rejected('INVALID_API_KEY'),
    withKey: [success(`${idType}_VERIFIED`)],
    body: { id_number: NUMBERS[idType] },
  };
}

function read(response: ExpectedResponse): RouteCheck {
  return { withoutKey: rejected('INVALID_API_KEY'), withKey: [response] };
}

/** By the name of the route. */
export const ROUTE_CHECKS: Readonly<Record<string, RouteCheck>> = {
  'nin-basic': verification('NIN'),
  'nin-premium': verification('NIN'),
  'bvn-basic': verification('BVN'),
  'bvn-premium': verification('BVN'),
  'cac-basic': verification('CAC'),
  'cac-premium': verification('CAC'),
  'tin-basic': verification('TIN'),
  'nuban-basic': verification('NUBAN'),
  'nin-slip': {
    withoutKey: rejected('INVALID_API_KEY'),
    // Rejected until the key's organisation has verified this number, as the check of nin-basic does.
    withKey: [document(200, 'application/pdf'), rejected('VERIFICATION_LOG_NOT_FOUND')],
    body: { nin: NUMBERS.NIN, slip_type: 'regular' },
  },
  'revoke-slip': {
    withoutKey: rejected('INVALID_API_KEY'),
    withKey: [rejected('VERIFICATION_LOG_NOT_FOUND')],
    body: { request_id: 'req_000000000000' },
  },
  'verify-identity': {
    withoutKey: rejected('AUTH_FAILURE'),
    withKey: [success('NIN_VERIFIED')],
    body: {
      country: 'NG',
      id_type: 'NIN',
      method: 'identity',
      level: 'basic',
      params: { id_number: NUMBERS.NIN },
    },
  },
  banks: read(success('BANKS')),
  me: read(success('ME')),
  'wallet-balance': read(success('WALLET_BALANCE')),
  'wallet-transactions': read(success('WALLET_TRANSACTIONS')),
  'wallet-lots': read(success('WALLET_LOTS')),
  'wallet-invoices': read(success('WALLET_INVOICES')),
  'wallet-invoice': {
    ...read(rejected('INVOICE_NOT_FOUND')),
    pathParameters: { number: 'IDV-2000-000000' },
  },
  // The check must not open an order, so its request is rejected because of the key or the body, before the payment
  // provider is called.
  'start-top-up': {
    withoutKey: rejected('INVALID_API_KEY'),
    withKey: [rejected('INVALID_API_KEY'), rejected('INVALID_SCHEMA')],
    body: { credits: 0 },
  },
  'top-up': {
    ...read(rejected('TOP_UP_NOT_FOUND')),
    pathParameters: { reference: 'TOPUP-00000000000000000000000000' },
  },
  verifications: read(success('VERIFICATIONS')),
  verification: {
    ...read(rejected('VERIFICATION_NOT_FOUND')),
    pathParameters: { request_id: 'req_000000000000' },
  },
  openapi: { withoutKey: document(200, 'application/json') },
  health: { withoutKey: success('HEALTH') },
  'slip-check': { withoutKey: document(404, 'text/html'), pathParameters: { token: 'none' } },
  'slip-details': { withoutKey: document(404, 'text/html'), body: {}, pathParameters: { token: 'none' } },
  'paystack-webhook': { withoutKey: rejected('INVALID_SIGNATURE'), body: {} },
  'payment-return': { withoutKey: document(404, 'text/html') },
  'unknown-route': { withoutKey: rejected('ROUTE_NOT_FOUND') },
};

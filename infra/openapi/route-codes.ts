import { keyCode } from '../../shared/accounts/middleware/reject-key.ts';
import type { ErrorCode } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import type { ErrorStyle } from '../../shared/http/context.ts';
import { failureCode } from '../../shared/verifications/outcome-codes.ts';
import { SERVICE_NAMES, type ServiceName } from '../../shared/verifications/services.ts';

/**
 * The error codes that each route can return, in the order of the checks that return them (decisions, "Order of
 * checks"). The API document lists exactly these codes, and the API tests provoke each of them.
 */

const PUBLIC = ['HTTPS_REQUIRED', 'SERVER_ERROR'] as const satisfies readonly ErrorCode[];

/** Returns the codes of the checks that every route with an API key runs first. */
function keyChecks(errorStyle: ErrorStyle): ErrorCode[] {
  return ['HTTPS_REQUIRED', keyCode(errorStyle), 'RATE_LIMITED', 'UNAPPROVED_ORGANIZATION'];
}

function charged(
  idTypes: readonly IdType[],
  errorStyle: ErrorStyle = 'dedicated',
  extra: readonly ErrorCode[] = [],
): ErrorCode[] {
  const kinds = ['not-found', 'failed', 'unreachable', 'timeout'] as const;
  const codes: ErrorCode[] = [
    ...keyChecks(errorStyle),
    'UNSUPPORTED_MEDIA_TYPE',
    'PAYLOAD_TOO_LARGE',
    'INVALID_SCHEMA',
    'SUBSCRIPTION_REQUIRED',
    ...extra,
    'REQUEST_IN_PROGRESS',
    'REPLAY_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
    'INSUFFICIENT_FUNDS',
    ...idTypes.flatMap((idType) => kinds.map((kind) => failureCode(kind, idType, errorStyle))),
    'OUTCOME_UNKNOWN',
    'SERVER_ERROR',
  ];
  return [...new Set(codes)];
}

function keyed(...extra: readonly ErrorCode[]): ErrorCode[] {
  return [...keyChecks('dedicated'), 'INVALID_SCHEMA', ...extra, 'SERVICE_UNAVAILABLE', 'SERVER_ERROR'];
}

const ROUTE_CODES = {
  'nin-basic': charged(['NIN']),
  'nin-premium': charged(['NIN']),
  'nin-slip': charged(['NIN'], 'dedicated', ['VERIFICATION_LOG_NOT_FOUND']),
  'revoke-slip': [
    ...keyChecks('dedicated'),
    'UNSUPPORTED_MEDIA_TYPE',
    'PAYLOAD_TOO_LARGE',
    'INVALID_SCHEMA',
    'VERIFICATION_LOG_NOT_FOUND',
    'SERVICE_UNAVAILABLE',
    'SERVER_ERROR',
  ],
  'bvn-basic': charged(['BVN']),
  'bvn-premium': charged(['BVN']),
  'cac-basic': charged(['CAC']),
  'cac-premium': charged(['CAC']),
  'tin-basic': charged(['TIN']),
  'nuban-basic': charged(['NUBAN']),
  'verify-identity': charged(ID_TYPES, 'gateway'),
  me: keyed(),
  banks: keyed(),
  'wallet-balance': keyed(),
  'wallet-transactions': keyed(),
  'wallet-lots': keyed(),
  'wallet-invoices': keyed(),
  'wallet-invoice': keyed('INVOICE_NOT_FOUND'),
  'start-top-up': [
    ...keyChecks('dedicated'),
    'UNSUPPORTED_MEDIA_TYPE',
    'PAYLOAD_TOO_LARGE',
    'INVALID_SCHEMA',
    'REQUEST_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    'BILLING_INCOMPLETE',
    'SERVICE_UNAVAILABLE',
    'SERVER_ERROR',
  ],
  'top-up': keyed('TOP_UP_NOT_FOUND'),
  verifications: keyed(),
  verification: keyed('VERIFICATION_NOT_FOUND'),
  openapi: [...PUBLIC],
  health: [...PUBLIC, 'SERVICE_UNAVAILABLE'],
  'slip-check': [...PUBLIC],
  'slip-details': [...PUBLIC],
  'paystack-webhook': ['HTTPS_REQUIRED', 'PAYLOAD_TOO_LARGE', 'INVALID_SIGNATURE', 'SERVER_ERROR'],
  'payment-return': [...PUBLIC],
  'unknown-route': ['HTTPS_REQUIRED', 'METHOD_NOT_ALLOWED', 'ROUTE_NOT_FOUND', 'SERVER_ERROR'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

export type RouteName = keyof typeof ROUTE_CODES;
export type DocumentedRoute = Exclude<RouteName, 'unknown-route'>;
export const ROUTE_NAMES = Object.keys(ROUTE_CODES) as RouteName[];

/** Returns the error codes of a route's function, without duplicates. */
export function documentedCodes(route: RouteName): ErrorCode[] {
  return [...ROUTE_CODES[route]];
}

/** Whether callers of the route need an API key. */
export function hasKey(route: RouteName): boolean {
  return documentedCodes(route).includes('RATE_LIMITED');
}

/** The codes that API Gateway itself can return on every route (contract C1). A test compares them with the stacks. */
export const API_GATEWAY_CODES = [
  'ROUTE_NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'TIMEOUT',
] as const satisfies readonly ErrorCode[];

/** Returns the ID type of a dedicated route, or undefined for the gateway and for routes without a number. */
export function routeIdType(route: RouteName): IdType | undefined {
  const [prefix = ''] = route.split('-');
  return ID_TYPES.find((idType) => idType.toLowerCase() === prefix);
}

/** Returns the possible values of `verification_type` in an error (contract C2). */
export function failureTypes(route: RouteName): readonly (IdType | '')[] {
  if (route === 'verify-identity') return [...ID_TYPES, ''];
  return [routeIdType(route) ?? ''];
}

/** The services that return a record. A slip is a PDF, so its response has none. */
export const RECORD_SERVICES: readonly ServiceName[] = SERVICE_NAMES.filter((name) => name !== 'nin-slip');

/** Returns the services whose records a route can return. */
export function routeServices(route: RouteName): readonly ServiceName[] {
  if (route !== 'verify-identity') return RECORD_SERVICES.filter((service) => service === route);
  return RECORD_SERVICES;
}

import type { ErrorCode } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { type ErrorStyle, failureCode, keyCode } from '../../shared/verifications/outcome-codes.ts';
import { GATEWAY_TYPES, type ServiceName } from '../../shared/verifications/services.ts';

/**
 * Which codes each route can answer, in the order of the checks that give them (decisions, "Order of checks").
 * The API document lists exactly these, and the API tests have a row for each.
 */

const PUBLIC = ['HTTPS_REQUIRED', 'SERVER_ERROR'] as const satisfies readonly ErrorCode[];

/** The checks of every keyed route. */
function caller(errorStyle: ErrorStyle): ErrorCode[] {
  return ['HTTPS_REQUIRED', keyCode(errorStyle), 'RATE_LIMITED', 'UNAPPROVED_ORGANIZATION'];
}

function charged(
  idTypes: readonly IdType[],
  errorStyle: ErrorStyle = 'dedicated',
  extra: readonly ErrorCode[] = [],
): ErrorCode[] {
  const kinds = ['not-found', 'failed', 'unreachable', 'timeout'] as const;
  const codes: ErrorCode[] = [
    ...caller(errorStyle),
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
  return [...caller('dedicated'), 'INVALID_SCHEMA', ...extra, 'SERVER_ERROR'];
}

const ROUTE_CODES = {
  'nin-basic': charged(['NIN']),
  'nin-premium': charged(['NIN']),
  'nin-slip': charged(['NIN'], 'dedicated', ['VERIFICATION_LOG_NOT_FOUND']),
  'bvn-basic': charged(['BVN']),
  'bvn-premium': charged(['BVN']),
  'cac-basic': charged(['CAC']),
  'cac-premium': charged(['CAC']),
  'tin-basic': charged(['TIN']),
  'nuban-basic': charged(['NUBAN']),
  'verify-identity': charged(GATEWAY_TYPES, 'gateway'),
  'wallet-balance': keyed(),
  'wallet-transactions': keyed(),
  verification: keyed('VERIFICATION_NOT_FOUND'),
  openapi: [...PUBLIC],
  health: [...PUBLIC, 'SERVICE_UNAVAILABLE'],
  'slip-check': [...PUBLIC],
  'unknown-route': ['HTTPS_REQUIRED', 'ROUTE_NOT_FOUND', 'SERVER_ERROR'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

export type RouteName = keyof typeof ROUTE_CODES;
export const ROUTE_NAMES = Object.keys(ROUTE_CODES) as RouteName[];

/** The codes that a route's function can answer besides its success, each once. */
export function documentedCodes(route: RouteName): ErrorCode[] {
  return [...ROUTE_CODES[route]];
}

/** What API Gateway can answer by itself on every route (decision C1). A test holds it to the stacks' own list. */
export const API_GATEWAY_CODES = [
  'ROUTE_NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'TIMEOUT',
] as const satisfies readonly ErrorCode[];

/** The ID type of a dedicated route; undefined for the gateway and where there is none. */
export function routeIdType(route: RouteName): IdType | undefined {
  const [prefix = ''] = route.split('-');
  return ID_TYPES.find((idType) => idType.toLowerCase() === prefix);
}

/** The services whose records a route answers with; a slip is drawn from one and shows none. */
export function routeServices(route: RouteName): readonly ServiceName[] {
  switch (route) {
    case 'nin-basic':
    case 'nin-premium':
    case 'bvn-basic':
    case 'bvn-premium':
    case 'cac-basic':
    case 'cac-premium':
    case 'tin-basic':
    case 'nuban-basic':
      return [route];
    case 'verify-identity':
      return ['nin-basic', 'nin-premium', 'bvn-basic', 'bvn-premium', 'cac-basic', 'cac-premium'];
    default:
      return [];
  }
}

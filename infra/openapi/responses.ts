import { isDeepStrictEqual } from 'node:util';
import { CATALOGUE, type ErrorCode, RETRY_BY_REASON } from '../../shared/core/errors.ts';
import type { IdType } from '../../shared/core/id-types.ts';
import { GATEWAY_TYPES, SERVICES } from '../../shared/verifications/services.ts';
import {
  apiGatewayFailure,
  failureWith,
  SHORT_ENVELOPES,
  type ShortEnvelopeRoute,
  schemaRef,
  shortEnvelopeName,
  successCode,
  verifiedName,
} from './envelope-schemas.ts';
import {
  apiGatewayExample,
  type ExampleName,
  type Examples,
  exampleGroup,
  exampleName,
  exampleRef,
  exampleRefs,
} from './examples.ts';
import { CACHEABLE, headersOf } from './headers.ts';
import type { JsonSchema } from './json-schemas.ts';
import {
  API_GATEWAY_CODES,
  type DocumentedRoute,
  documentedCodes,
  type RouteName,
  routeIdType,
  routeServices,
} from './route-codes.ts';

/** The responses of each route by status, with exactly the codes that can occur. */

const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid, or there is no usable record.',
  401: 'The API key is not valid, or has no access.',
  402: 'The wallet balance does not cover the request.',
  403: 'The request used plain HTTP.',
  404: 'Not found.',
  405: 'The path does not accept the HTTP method.',
  409: 'The Idempotency-Key is in use, or its free replays are used up or expired.',
  413: 'The request body is too large.',
  415: 'The request body is not UTF-8 JSON.',
  422: 'The Idempotency-Key was used for a different request.',
  429: 'Too many requests.',
  500: 'An internal error.',
  503: 'Temporarily unavailable; see Retry-After.',
  504: 'No response in time.',
};

/** Returns all responses of a route, by status. Routes with the same failures share them. */
export function responses(route: DocumentedRoute): Readonly<Record<string, JsonSchema>> {
  const shared = statusesOf(route).map((status) => [
    status,
    { $ref: `#/components/responses/${failureName(route, status)}` },
  ]);
  const unchanged = { description: 'You have this content already.', headers: headersOf(route, 304) };
  return {
    200: success(route),
    ...(CACHEABLE.includes(route) && { 304: unchanged }),
    ...Object.fromEntries(shared),
  };
}

function statusesOf(route: RouteName): number[] {
  const codes = [...documentedCodes(route), ...API_GATEWAY_CODES];
  return [...new Set(codes.map((code) => CATALOGUE[code].status))].sort((a, b) => a - b);
}

/** Routes with a failure that the other routes of their group do not have. */
const WITH_OWN_FAILURES: readonly RouteName[] = ['nin-slip', 'verification', 'slip-check'];

function failureName(route: RouteName, status: number): string {
  return `${WITH_OWN_FAILURES.includes(route) ? route : exampleGroup(route)}.${status}`;
}

/** Returns the responses of every other method and path (decision A8), which OpenAPI itself cannot describe. */
export function unknownRouteResponses(examples: Examples): JsonSchema {
  // Not every tool follows references in an extension, so this extension contains the examples.
  const inline = (name: ExampleName) => ({ value: examples[name] });
  const entries = statusesOf('unknown-route').map((status) => [
    status,
    failure('unknown-route', status, inline),
  ]);
  return { description: 'Any other method or path.', responses: Object.fromEntries(entries) };
}

/** Returns the shared failures, for `components`. Throws if two routes share a name but differ. */
export function failureResponses(routes: readonly DocumentedRoute[]): Readonly<Record<string, JsonSchema>> {
  const shared = new Map<string, JsonSchema>();
  for (const route of routes) {
    for (const status of statusesOf(route)) {
      const name = failureName(route, status);
      const response = failure(route, status);
      if (!isDeepStrictEqual(shared.get(name) ?? response, response))
        throw new Error(`The response ${name} of ${route} differs from that of another route.`);
      shared.set(name, response);
    }
  }
  return Object.fromEntries(shared);
}

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;

function success(route: DocumentedRoute): JsonSchema {
  const headers = headersOf(route, 200);
  if (route === 'nin-slip')
    return {
      description: 'The slip as a PDF.',
      headers,
      content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
    };
  if (route === 'slip-check')
    return {
      description: 'The code is genuine. The page says whether it is still valid or has expired.',
      headers,
      content: PAGE,
    };
  if (route === 'openapi')
    return {
      description: 'The OpenAPI document.',
      headers,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['openapi', 'info', 'paths'],
            properties: {
              openapi: { const: '3.1.1' },
              info: { type: 'object' },
              paths: { type: 'object' },
            },
          },
        },
      },
    };
  if (Object.hasOwn(SHORT_ENVELOPES, route)) return shortEnvelopeSuccess(route as ShortEnvelopeRoute);
  return verifiedSuccess(route);
}

function shortEnvelopeSuccess(route: ShortEnvelopeRoute): JsonSchema {
  const content = {
    schema: schemaRef(shortEnvelopeName(route)),
    examples: exampleRefs([`${route}.${SHORT_ENVELOPES[route].code}`]),
  };
  return {
    description: 'Success.',
    headers: headersOf(route, 200),
    content: { 'application/json': content },
  };
}

function verifiedSuccess(route: DocumentedRoute): JsonSchema {
  const services = routeServices(route);
  const schemas = services.map((service) => schemaRef(verifiedName(service)));
  const [only] = schemas;
  const names = services.map((service) => `${service}.${successCode(SERVICES[service].idType)}` as const);
  return {
    description: 'Found, and charged unless X-Credits-Charged is 0.',
    headers: headersOf(route, 200),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? only : { anyOf: schemas },
        examples: exampleRefs(names),
      },
    },
  };
}

function failure(route: RouteName, status: number, exampleOf = exampleRef): JsonSchema {
  const hasStatus = (code: ErrorCode) => CATALOGUE[code].status === status;
  const own = documentedCodes(route).filter(hasStatus);
  const apiGateway = API_GATEWAY_CODES.filter(hasStatus);
  const schemas = [
    ...(own.length > 0 ? [failureWith(own, failureTypes(route))] : []),
    ...apiGateway.map(apiGatewayFailure),
  ];
  const [only] = schemas;
  const names = [...own.map((code) => exampleName(route, code)), ...apiGateway.map(apiGatewayExample)];
  return {
    description: STATUS_DESCRIPTIONS[status] ?? '',
    headers: headersOf(route, status),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? only : { oneOf: schemas },
        examples: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
      },
      // For a forged or damaged code, the status is 404 and the body is the page.
      ...(route === 'slip-check' && status === 404 && PAGE),
    },
    ...(own.length > 0 && { 'x-codes': retryAndCharge(own) }),
    ...(apiGateway.length > 0 && { 'x-api-gateway-codes': apiGatewayRetryAndCharge(apiGateway) }),
  };
}

/** Returns the possible values of `verification_type` on a failure (decision C2). */
function failureTypes(route: RouteName): readonly (IdType | '')[] {
  if (route === 'verify-identity') return [...GATEWAY_TYPES, ''];
  return [routeIdType(route) ?? ''];
}

function retryAndCharge(codes: readonly ErrorCode[]): JsonSchema {
  const entries = codes.map((code) => {
    const { retry, charged } = CATALOGUE[code];
    const byReason = RETRY_BY_REASON[code];
    return [
      code,
      { 'x-retry': retry, ...(byReason && { 'x-retry-by-reason': byReason }), 'x-charged': charged },
    ];
  });
  return Object.fromEntries(entries);
}

/** A function may continue after API Gateway has timed out, so a 5xx of API Gateway may have been charged. */
function apiGatewayRetryAndCharge(codes: readonly ErrorCode[]): JsonSchema {
  const entries = codes.map((code) => {
    const { status, retry } = CATALOGUE[code];
    return [code, { 'x-retry': retry, 'x-charged': status >= 500 ? 'unknown' : 'no' }];
  });
  return Object.fromEntries(entries);
}

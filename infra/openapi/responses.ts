import { isDeepStrictEqual } from 'node:util';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import type { IdType } from '../../shared/core/id-types.ts';
import { GATEWAY_TYPES, SERVICES } from '../../shared/verifications/services.ts';
import {
  apiGatewayFailure,
  failureWith,
  INFORMATION,
  type InformationRoute,
  informationName,
  schemaRef,
  successCode,
  verifiedName,
} from './envelope-schemas.ts';
import {
  apiGatewayExample,
  type ExampleName,
  type Examples,
  exampleGroup,
  exampleName,
} from './example-names.ts';
import { headersOf } from './headers.ts';
import type { JsonSchema } from './json-schemas.ts';
import type { DocumentedRoute } from './operations.ts';
import {
  API_GATEWAY_CODES,
  documentedCodes,
  type RouteName,
  routeIdType,
  routeServices,
} from './route-codes.ts';

/** What a route answers, one entry a status: the codes that can occur there, and nothing else. */

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'Refused, or the registry has no usable answer.',
  401: 'No usable key, or no access.',
  402: 'The wallet does not cover the request.',
  403: 'Plain HTTP.',
  404: 'Not found.',
  409: 'The Idempotency-Key is in use or used up.',
  413: 'The body is too large.',
  415: 'The body is not UTF-8 JSON.',
  422: 'The Idempotency-Key belongs to another request.',
  429: 'Too many requests.',
  500: 'A fault on our side.',
  503: 'Not available now; see Retry-After.',
  504: 'No answer in time.',
};

/** All responses of a route, by status. Failures are shared by the routes that answer alike. */
export function responses(route: DocumentedRoute): Readonly<Record<string, JsonSchema>> {
  const shared = statusesOf(route).map((status) => [
    status,
    { $ref: `#/components/responses/${failureName(route, status)}` },
  ]);
  return { 200: success(route), ...Object.fromEntries(shared) };
}

function statusesOf(route: RouteName): number[] {
  const codes = [...documentedCodes(route), ...API_GATEWAY_CODES];
  return [...new Set(codes.map((code) => CATALOGUE[code].status))].sort((a, b) => a - b);
}

/** Routes with a failure that the others of their group do not have. */
const APART: readonly RouteName[] = ['nin-slip', 'verification', 'slip-check'];

function failureName(route: RouteName, status: number): string {
  return `${APART.includes(route) ? route : exampleGroup(route)}.${status}`;
}

/** What every other method and path answers (decision A8), which OpenAPI has no place for. */
export function unknownRouteResponses(examples: Examples): JsonSchema {
  // References in an extension are not followed by every tool, so the examples stand here themselves.
  const written = (name: ExampleName) => ({ value: examples[name] });
  const entries = statusesOf('unknown-route').map((status) => [
    status,
    failure('unknown-route', status, written),
  ]);
  return { description: 'Every other method and path.', responses: Object.fromEntries(entries) };
}

/** For `components`. Throws where two routes would share a response that differs. */
export function failureResponses(routes: readonly DocumentedRoute[]): Readonly<Record<string, JsonSchema>> {
  const shared = new Map<string, JsonSchema>();
  for (const route of routes) {
    for (const status of statusesOf(route)) {
      const name = failureName(route, status);
      const response = failure(route, status);
      const standing = shared.get(name) ?? response;
      if (!isDeepStrictEqual(standing, response)) throw new Error(`${route} differs in ${name}.`);
      shared.set(name, standing);
    }
  }
  return Object.fromEntries(shared);
}

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;

function success(route: DocumentedRoute): JsonSchema {
  const headers = headersOf(route, 200);
  if (route === 'nin-slip')
    return {
      description: 'The slip.',
      headers,
      content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
    };
  if (route === 'slip-check')
    return { description: 'The code is genuine, in force or expired.', headers, content: PAGE };
  if (route === 'openapi')
    return {
      description: 'The document.',
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
  if (Object.hasOwn(INFORMATION, route)) return informationSuccess(route as InformationRoute);
  return verifiedSuccess(route);
}

function informationSuccess(route: InformationRoute): JsonSchema {
  const content = {
    schema: schemaRef(informationName(route)),
    examples: exampleRefs([`${route}.${INFORMATION[route].code}`]),
  };
  return {
    description: 'Answered.',
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
    description: 'Found, and charged unless X-Credits-Charged says 0.',
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
  const here = (code: ErrorCode) => CATALOGUE[code].status === status;
  const own = documentedCodes(route).filter(here);
  const apiGateway = API_GATEWAY_CODES.filter(here);
  const schemas = [
    ...(own.length > 0 ? [failureWith(own, echoedTypes(route))] : []),
    ...apiGateway.map(apiGatewayFailure),
  ];
  const [only] = schemas;
  const names = [...own.map((code) => exampleName(route, code)), ...apiGateway.map(apiGatewayExample)];
  return {
    description: STATUS_WORDS[status] ?? '',
    headers: headersOf(route, status),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? only : { oneOf: schemas },
        examples: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
      },
      // A code that the service did not make gets the page too.
      ...(route === 'slip-check' && status === 404 && PAGE),
    },
    ...(own.length > 0 && { 'x-codes': facts(own) }),
    ...(apiGateway.length > 0 && { 'x-api-gateway-codes': apiGatewayFacts(apiGateway) }),
  };
}

/** What `verification_type` can be on a failure (decision C2). */
function echoedTypes(route: RouteName): readonly (IdType | '')[] {
  if (route === 'verify-identity') return [...GATEWAY_TYPES, ''];
  return [routeIdType(route) ?? ''];
}

function facts(codes: readonly ErrorCode[]): JsonSchema {
  const entries = codes.map((code) => {
    const { retry, charged } = CATALOGUE[code];
    return [code, { 'x-retry': retry, 'x-charged': charged }];
  });
  return Object.fromEntries(entries);
}

/** The function may have worked on after API Gateway gave up, so its 5xx do not promise that nothing was charged. */
function apiGatewayFacts(codes: readonly ErrorCode[]): JsonSchema {
  const entries = codes.map((code) => {
    const { status, retry } = CATALOGUE[code];
    return [code, { 'x-retry': retry, 'x-charged': status >= 500 ? 'unknown' : 'no' }];
  });
  return Object.fromEntries(entries);
}

function exampleRefs(names: readonly ExampleName[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, exampleRef(name)]));
}

function exampleRef(name: ExampleName): JsonSchema {
  return { $ref: `#/components/examples/${name}` };
}

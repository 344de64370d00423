import { CATALOGUE, type ErrorCode, RETRY_BY_REASON } from '../../shared/core/errors.ts';
import { SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { apiGatewayExample, type Examples, shownExamples } from './examples.ts';
import { CACHEABLE, failureHeaders, successHeaders } from './headers.ts';
import { type JsonSchema, schemaRef } from './json-schemas.ts';
import {
  API_GATEWAY_CODES,
  type DocumentedRoute,
  documentedCodes,
  failureTypes,
  RECORD_SERVICES,
  ROUTE_NAMES,
  type RouteName,
  routeServices,
} from './route-codes.ts';
import {
  SHORT_ENVELOPES,
  type ShortEnvelopeRoute,
  shortEnvelopeName,
  successCode,
  verifiedName,
} from './schemas.ts';

/** By status. Routes share one response for each error status, unless it is a page. */

interface Failure {
  /** The name of the shared response. */
  readonly name: string;
  readonly description: string;
}

const FAILURES: Readonly<Record<number, Failure>> = {
  400: { name: 'BadRequest', description: 'The request is invalid, or there is no usable record.' },
  401: {
    name: 'Unauthorized',
    description:
      'The API key is not valid, or has no access. The unified gateway returns `AUTH_FAILURE` instead of `INVALID_API_KEY`. Only the webhook returns `INVALID_SIGNATURE`.',
  },
  402: { name: 'PaymentRequired', description: 'The wallet balance does not cover the request.' },
  403: { name: 'Forbidden', description: 'The request used plain HTTP.' },
  404: { name: 'NotFound', description: 'Not found.' },
  405: { name: 'MethodNotAllowed', description: 'The path does not accept the HTTP method.' },
  409: {
    name: 'Conflict',
    description:
      'The Idempotency-Key is in use, its request cannot be repeated, or credits cannot be bought yet.',
  },
  413: { name: 'PayloadTooLarge', description: 'The request body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The request body is not UTF-8 JSON, or is compressed.' },
  422: {
    name: 'UnprocessableEntity',
    description: 'The Idempotency-Key was used for a different request.',
  },
  429: { name: 'TooManyRequests', description: 'Too many requests.' },
  500: { name: 'InternalServerError', description: 'An internal error.' },
  503: {
    name: 'ServiceUnavailable',
    description: 'Temporarily unavailable; see Retry-After. Only charged routes return `OUTCOME_UNKNOWN`.',
  },
  504: { name: 'GatewayTimeout', description: 'No response in time.' },
};

function failureOf(status: number): Failure {
  const failure = FAILURES[status];
  if (!failure) throw new Error(`Add the status ${status} to FAILURES in infra/openapi/responses.ts.`);
  return failure;
}

function isOfStatus(status: number): (code: ErrorCode) => boolean {
  return (code) => CATALOGUE[code].status === status;
}

/** API Gateway returns other errors only for unusual requests. */
const EXPECTED = ['RATE_LIMITED', 'SERVER_ERROR', 'TIMEOUT'] as const satisfies readonly ErrorCode[];

function statusesOf(route: RouteName): number[] {
  const codes = [...documentedCodes(route), ...EXPECTED];
  return [...new Set(codes.map((code) => CATALOGUE[code].status))].sort((a, b) => a - b);
}

export function responses(route: DocumentedRoute, examples: Examples): Readonly<Record<string, JsonSchema>> {
  const unchanged = { description: 'You already have this content.', headers: successHeaders(route) };
  return {
    200: success(route, examples),
    ...(CACHEABLE.includes(route) && { 304: unchanged }),
    ...(route === 'slip-check' && {
      404: { description: 'The code is forged or damaged.', content: PAGE },
      503: { description: DETAILS_PROBLEMS[503], content: PAGE },
    }),
    ...(route === 'payment-return' && {
      303: { description: 'A member of an organisation returns to the console.' },
      404: { description: 'No such payment.', content: PAGE },
    }),
    ...failures(route),
    431: { $ref: `#/components/responses/${HEADERS_TOO_LARGE}` },
    ...(route === 'slip-details' && detailsProblems()),
  };
}

const HEADERS_TOO_LARGE = 'HeadersTooLarge';

/** Details that were not compared. */
const DETAILS_PROBLEMS: Readonly<Record<number, string>> = {
  400: 'A field is missing or cannot be read.',
  403: 'The request came from another website, or used plain HTTP.',
  404: 'The code is forged or damaged.',
  409: 'The slip has expired, or was issued before this check was introduced.',
  413: 'The body is larger than 16 KB.',
  415: 'The body is not a form in UTF-8.',
  429: 'Too many details that do not match, or too many requests.',
  503: 'Temporarily unavailable.',
};

function detailsProblems(): Readonly<Record<string, JsonSchema>> {
  const page = { $ref: '#/components/responses/CheckPage' };
  const pages = Object.entries(DETAILS_PROBLEMS).map(([status, description]) => [
    status,
    { ...page, description },
  ]);
  return Object.fromEntries(pages);
}

/** For `components`. Checks before the page return JSON. */
export function checkPageResponse(): JsonSchema {
  const headers = { 'Retry-After': { $ref: '#/components/headers/OptionalRetry-After' } };
  const content = { ...PAGE, 'application/json': { schema: schemaRef('Error') } };
  return { description: 'The check page, which shows the problem.', headers, content };
}

/** Each route's response lists its own codes. */
const WITH_OWN_CODES: readonly number[] = [400, 404];

/** Some have the codes of the route. */
function failures(route: RouteName): Readonly<Record<string, JsonSchema>> {
  const entries = statusesOf(route).map((status) => {
    const reference = { $ref: `#/components/responses/${failureOf(status).name}` };
    const codes = documentedCodes(route).filter(isOfStatus(status));
    const isDescribed = codes.length > 0 && WITH_OWN_CODES.includes(status);
    return [status, isDescribed ? { ...reference, description: listed(codes) } : reference];
  });
  return Object.fromEntries(entries);
}

function listed(codes: readonly ErrorCode[]): string {
  return `${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

/**
 * With the values of `verification_type` (contract C2) if it is not always empty. The shared responses cannot express
 * this.
 */
export function errorRules(route: RouteName): JsonSchema {
  const types = failureTypes(route);
  return {
    'x-error-codes': documentedCodes(route),
    ...(types.some((type) => type !== '') && { 'x-error-verification-types': types }),
  };
}

/** Contract A8. OpenAPI itself cannot describe them. */
export function unknownRoute(examples: Examples): JsonSchema {
  const route = 'unknown-route';
  const own = statusesOf(route).filter((status) => !isShared(status));
  return {
    description: 'Any other method or path.',
    // Tools ignore references from an extension, so a response of this route alone is inline.
    responses: {
      ...failures(route),
      ...Object.fromEntries(own.map((status) => [status, failure(status, examples)])),
    },
    ...errorRules(route),
  };
}

/** Whether a documented operation returns the status. */
function isShared(status: number): boolean {
  return ROUTE_NAMES.some((route) => route !== 'unknown-route' && statusesOf(route).includes(status));
}

/** For `components`. */
export function failureResponses(examples: Examples): Readonly<Record<string, JsonSchema>> {
  const entries = Object.entries(FAILURES)
    .map(([status, { name }]) => [name, Number(status)] as const)
    .filter(([, status]) => isShared(status));
  return {
    ...Object.fromEntries(entries.map(([name, status]) => [name, failure(status, examples)])),
    // It has no type of gateway response, so we cannot change its body.
    [HEADERS_TOO_LARGE]: {
      description:
        'The headers are larger than 10,240 bytes together. This response of API Gateway has no envelope and no `X-Request-Id`.',
    },
  };
}

function codesOf(status: number): ErrorCode[] {
  return [...new Set(ROUTE_NAMES.flatMap(documentedCodes))].filter(isOfStatus(status));
}

/** Their bodies have the same form, so one example is enough. */
function failure(status: number, examples: Examples): JsonSchema {
  const [example] = codesOf(status);
  // It shows the form of all.
  const apiGateway = API_GATEWAY_CODES.filter((code) => code === 'TIMEOUT').filter(isOfStatus(status));
  const own = example && isShared(status) ? [example] : [];
  const names = [...own, ...apiGateway.map(apiGatewayExample)];
  return {
    description: `${failureOf(status).description} Codes: ${listed(codesOf(status))}`,
    headers: failureHeaders(status),
    content: {
      'application/json': {
        schema: schemaRef('Error'),
        ...(names.length > 0 && { examples: shownExamples(names, examples) }),
      },
    },
  };
}

const PDF = { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } as const;
const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;

function success(route: DocumentedRoute, examples: Examples): JsonSchema {
  const headers = successHeaders(route);
  if (route === 'nin-slip')
    return {
      description: 'The slip as a PDF.',
      headers,
      content: PDF,
    };
  if (route === 'slip-check')
    return {
      description:
        'The code is genuine. The page says whether it is still valid, has expired or was withdrawn.',
      headers,
      content: PAGE,
    };
  if (route === 'slip-details')
    return {
      description: 'The page says whether the details match, or that the slip was withdrawn.',
      headers,
      content: PAGE,
    };
  if (route === 'payment-return')
    return { description: 'The page, even if the payment failed.', headers, content: PAGE };
  if (route === 'paystack-webhook')
    return {
      description: 'Received.',
      headers,
      content: { 'application/json': { schema: { type: 'object' } } },
    };
  if (route === 'openapi')
    return {
      description: 'The OpenAPI document.',
      headers,
      content: { 'application/json': { schema: { type: 'object' } } },
    };
  if (Object.hasOwn(SHORT_ENVELOPES, route))
    return shortEnvelopeSuccess(route as ShortEnvelopeRoute, examples);
  return verifiedSuccess(route, examples);
}

function shortEnvelopeSuccess(route: ShortEnvelopeRoute, examples: Examples): JsonSchema {
  const content = {
    schema: schemaRef(shortEnvelopeName(route)),
    ...(route !== 'top-up' && {
      examples: shownExamples([`${route}.${SHORT_ENVELOPES[route].code}`], examples),
    }),
  };
  return {
    description: 'Success.',
    headers: successHeaders(route),
    content: { 'application/json': content, ...(route === 'wallet-invoice' && PDF) },
  };
}

function verifiedSuccess(route: DocumentedRoute, examples: Examples): JsonSchema {
  const services = routeServices(route);
  const [service = 'nin-basic'] = services;
  const name = `${service}.${successCode(SERVICES[service].idType)}` as const;
  return {
    description: 'Found, and charged unless X-Credits-Charged is 0.',
    headers: successHeaders(route),
    content: {
      'application/json': {
        // A Premium record shows the fields of the Basic one. NIN, which most callers start with, has both.
        ...(services.length === 1 && !isShownByPremium(service)
          ? { schema: schemaRef(verifiedName(service)), examples: shownExamples([name], examples) }
          : { schema: schemaRef(services.length === 1 ? verifiedName(service) : 'IdentityResponse') }),
      },
    },
  };
}

function isShownByPremium(service: ServiceName): boolean {
  const { idType, level } = SERVICES[service];
  const hasPremium = RECORD_SERVICES.some(
    (other) => SERVICES[other].idType === idType && SERVICES[other].level === 'premium',
  );
  return idType !== 'NIN' && level === 'basic' && hasPremium;
}

export function codeMeanings(): JsonSchema {
  const entries = Object.entries(CATALOGUE).map(([code, { status, retry, charged }]) => {
    const byReason = RETRY_BY_REASON[code as ErrorCode];
    return [
      code,
      {
        status,
        ...(retry !== 'no' && { retry }),
        ...(byReason && { retryByReason: byReason }),
        ...(charged !== 'no' && { charged }),
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** A function may continue after a timeout, so a request may have been charged from status 500 on. */
export function apiGatewayCodes(): JsonSchema {
  const entries = API_GATEWAY_CODES.map((code) => {
    const { status } = CATALOGUE[code];
    return [status, { code, charged: status >= 500 ? 'unknown' : 'no' }];
  });
  return Object.fromEntries(entries);
}

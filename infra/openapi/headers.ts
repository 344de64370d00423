import { CATALOGUE } from '../../shared/core/errors.ts';
import type { JsonSchema } from './json-schemas.ts';
import { API_GATEWAY_CODES, documentedCodes, type RouteName, routeIdType } from './route-codes.ts';

/** The response headers (decisions B5, C10, E3, F1). */

const COUNT = { type: 'string', pattern: '^[0-9]+$' } as const;

export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': {
    description: 'The same as `meta.request_id`.',
    schema: { type: 'string', minLength: 16 },
  },
  'X-Credits-Charged': {
    description: 'The whole credits charged for this request, or `unknown` with the code OUTCOME_UNKNOWN.',
    schema: { type: 'string', pattern: '^([0-9]+|unknown)$' },
  },
  'Cache-Control': { description: 'Identity data must not be cached.', schema: { const: 'no-store' } },
  'Cache-Control-Hour': {
    description: 'The content may be kept for an hour.',
    schema: { type: 'string', pattern: '^(?:public|private), max-age=3600$' },
  },
  ETag: {
    description: 'The version of the content, for If-None-Match.',
    schema: { type: 'string', pattern: '^W/"[\\w-]+"$' },
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess another content type.',
    schema: { const: 'nosniff' },
  },
  'Retry-After': { description: 'The whole seconds to wait before you retry.', schema: COUNT },
  RateLimit: {
    description:
      'The requests left now, and the seconds until the full quota is available (draft-ietf-httpapi-ratelimit-headers-09).',
    schema: { type: 'string', pattern: '^"requests";r=[0-9]+;t=[0-9]+$' },
  },
  'RateLimit-Policy': {
    description: 'The quota and its window in seconds (draft-ietf-httpapi-ratelimit-headers-09).',
    schema: { type: 'string', pattern: '^"requests";q=[0-9]+;w=[0-9]+$' },
  },
  'Idempotent-Replayed': {
    description: 'Present on a free replay of a request that was charged before.',
    schema: { const: 'true' },
  },
  'x-amzn-Remapped-WWW-Authenticate': {
    description: 'API Gateway sends WWW-Authenticate under this name. Do not rely on it.',
    schema: { const: 'Bearer' },
  },
  'Content-Disposition': {
    description: 'The file name, made from the slip type and the NIN.',
    schema: {
      type: 'string',
      pattern: '^attachment; filename="(?:regular|improved|premium)_[0-9]{11}_slip\\.pdf"$',
    },
  },
};

/** Only unknown routes have it. Tools do not follow references from their extension, so it is no component. */
const ALLOW: JsonSchema = {
  description: 'The methods that the path accepts.',
  required: true,
  schema: { type: 'string', pattern: '^[A-Z]+(?:, [A-Z]+)*$' },
};

const ALWAYS = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'] as const;
const RATE = ['RateLimit', 'RateLimit-Policy'] as const;
/** Statuses that only checks after the rate limiter return, so its headers are always present. */
const AFTER_RATE_LIMIT: readonly number[] = [200, 304, 400, 402, 409, 415, 422];
/** Statuses that a free replay can have. */
const REPLAY: readonly number[] = [200, 400, 404, 500, 503, 504];

/** The routes whose content clients may keep, and the statuses with which they send it. */
export const CACHEABLE: readonly RouteName[] = ['banks', 'openapi'];
const CACHED: readonly number[] = [200, 304];

/** Returns the headers of a route's responses with this status. A header is required if every such response has it. */
export function headersOf(route: RouteName, status: number): JsonSchema {
  const isKeyed = documentedCodes(route).includes('RATE_LIMITED');
  const isCharged = routeIdType(route) !== undefined || route === 'verify-identity';
  const isOwn = !API_GATEWAY_CODES.some((code) => CATALOGUE[code].status === status);
  const isAfterRateLimit = AFTER_RATE_LIMIT.includes(status);
  const names: [string, boolean][] = ALWAYS.map((name) => [name, true]);
  if (isKeyed) {
    names.push(['X-Credits-Charged', isOwn]);
    if (status !== 403) names.push(...RATE.map((name): [string, boolean] => [name, isAfterRateLimit]));
  }
  if (status === 429 || status === 503) names.push(['Retry-After', true]);
  // With INSUFFICIENT_FUNDS, only if other requests hold the credits.
  if (status === 402 || status === 409) names.push(['Retry-After', false]);
  if (status === 401) names.push(['x-amzn-Remapped-WWW-Authenticate', false]);
  if (isCharged && REPLAY.includes(status)) names.push(['Idempotent-Replayed', false]);
  if (route === 'nin-slip' && status === 200) names.push(['Content-Disposition', true]);
  const headers = Object.fromEntries(names.map(([name, required]) => [name, reference(name, required)]));
  if (status === 405) return { ...headers, Allow: ALLOW };
  if (!CACHEABLE.includes(route) || !CACHED.includes(status)) return headers;
  return {
    ...headers,
    'Cache-Control': reference('Cache-Control-Hour', true),
    ETag: reference('ETag', true),
  };
}

/** A `$ref` cannot have `required` next to it, so each shared header has a required and an optional form. */
function reference(name: string, required: boolean): JsonSchema {
  return { $ref: `#/components/headers/${required ? name : `Maybe-${name}`}` };
}

/** Returns the shared headers that `users` refers to, for `components`. */
export function headerComponents(users: unknown): Readonly<Record<string, JsonSchema>> {
  const text = JSON.stringify(users);
  const entries = Object.entries(HEADERS).flatMap(([name, header]): [string, JsonSchema][] => [
    [name, { ...header, required: true }],
    [`Maybe-${name}`, header],
  ]);
  return Object.fromEntries(entries.filter(([name]) => text.includes(`#/components/headers/${name}"`)));
}

import { CATALOGUE } from '../../shared/core/errors.ts';
import type { JsonSchema } from './json-schemas.ts';
import { API_GATEWAY_CODES, documentedCodes, type RouteName, routeIdType } from './route-codes.ts';

/** The headers of answers (decisions B5, C10, E3, F1). */

const COUNT = { type: 'string', pattern: '^[0-9]+$' } as const;

export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': {
    description: 'The same as `meta.request_id`.',
    schema: { type: 'string', minLength: 16 },
  },
  'X-Credits-Charged': {
    description: 'Whole credits that this request took; `unknown` with OUTCOME_UNKNOWN.',
    schema: { type: 'string', pattern: '^([0-9]+|unknown)$' },
  },
  'Cache-Control': { description: 'Identity data is never cached.', schema: { const: 'no-store' } },
  'X-Content-Type-Options': {
    description: 'Read the answer as what it says it is.',
    schema: { const: 'nosniff' },
  },
  'Retry-After': { description: 'Whole seconds to wait before the next try.', schema: COUNT },
  RateLimit: {
    description:
      'Requests left now and seconds until the full quota (draft-ietf-httpapi-ratelimit-headers-09).',
    schema: { type: 'string', pattern: '^"requests";r=[0-9]+;t=[0-9]+$' },
  },
  'RateLimit-Policy': {
    description: 'Quota and its window in seconds (draft-ietf-httpapi-ratelimit-headers-09).',
    schema: { type: 'string', pattern: '^"requests";q=[0-9]+;w=[0-9]+$' },
  },
  'Idempotent-Replayed': {
    description: 'Present on a free repeat of a request that was charged before.',
    schema: { const: 'true' },
  },
  'x-amzn-Remapped-WWW-Authenticate': {
    description: 'WWW-Authenticate under the name that API Gateway gives it. Do not rely on it.',
    schema: { const: 'Bearer' },
  },
  'Content-Disposition': {
    description: 'The file name: slip type and NIN.',
    schema: {
      type: 'string',
      pattern: '^attachment; filename="(?:regular|improved|premium)_[0-9]{11}_slip\\.pdf"$',
    },
  },
};

const ALWAYS = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'] as const;
const RATE = ['RateLimit', 'RateLimit-Policy'] as const;
/** Checks after the limiter, so the limiter's headers are always there. */
const BEHIND_THE_LIMITER: readonly number[] = [200, 400, 402, 409, 415, 422, 503];
/** What a free repeat can come to. */
const REPLAY: readonly number[] = [200, 400, 404, 500, 503, 504];

/** The headers of one status of a route; required where every answer with that status has it. */
export function headersOf(route: RouteName, status: number): JsonSchema {
  const isKeyed = documentedCodes(route).includes('RATE_LIMITED');
  const isCharged = routeIdType(route) !== undefined || route === 'verify-identity';
  const isOwn = !API_GATEWAY_CODES.some((code) => CATALOGUE[code].status === status);
  const isBehindTheLimiter = BEHIND_THE_LIMITER.includes(status);
  const names: [string, boolean][] = ALWAYS.map((name) => [name, true]);
  if (isKeyed) {
    names.push(['X-Credits-Charged', isOwn]);
    if (status !== 403) names.push(...RATE.map((name): [string, boolean] => [name, isBehindTheLimiter]));
  }
  if (status === 429 || status === 503) names.push(['Retry-After', true]);
  if (status === 409) names.push(['Retry-After', false]);
  if (status === 401) names.push(['x-amzn-Remapped-WWW-Authenticate', false]);
  if (isCharged && REPLAY.includes(status)) names.push(['Idempotent-Replayed', false]);
  if (route === 'nin-slip' && status === 200) names.push(['Content-Disposition', true]);
  return Object.fromEntries(names.map(([name, required]) => [name, reference(name, required)]));
}

/** A reference cannot say `required`, so each shared header stands in both forms. */
function reference(name: string, required: boolean): JsonSchema {
  return { $ref: `#/components/headers/${required ? name : `Maybe-${name}`}` };
}

/** Those of the shared headers that a part of the document refers to. */
export function headerComponents(users: unknown): Readonly<Record<string, JsonSchema>> {
  const text = JSON.stringify(users);
  const entries = Object.entries(HEADERS).flatMap(([name, header]): [string, JsonSchema][] => [
    [name, { ...header, required: true }],
    [`Maybe-${name}`, header],
  ]);
  return Object.fromEntries(entries.filter(([name]) => text.includes(`#/components/headers/${name}"`)));
}

import type { JsonSchema } from './json-schemas.ts';
import { documentedCodes, hasKey, type RouteName } from './route-codes.ts';

/** The response headers (contract C10, E3, F1). */

const COUNT = { type: 'string', pattern: '^[0-9]+$' } as const;

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': {
    description: 'The same as `meta.request_id`.',
    schema: { type: 'string', minLength: 16 },
  },
  'X-Credits-Charged': {
    description:
      'The number of credits charged for this request, or `unknown` with the code OUTCOME_UNKNOWN. Present on every response of a route with a key, except those of API Gateway.',
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
    description: 'Browsers must not guess the content type.',
    schema: { const: 'nosniff' },
  },
  'Retry-After': { description: 'The number of seconds to wait before you retry.', schema: COUNT },
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
    description:
      'Present on a free replay of a charged request, and on an order that had already been opened.',
    schema: { const: 'true' },
  },
  'X-Replay-Of': {
    description: 'The same as `meta.replay_of`.',
    schema: { type: 'string', minLength: 16 },
  },
  'Idempotency-Key': {
    description:
      'The `Idempotency-Key` of the request, if it carried a valid one. Compare the two: a response with a different key belongs to a different request. Responses of API Gateway do not have it.',
    schema: { type: 'string', minLength: 8, maxLength: 255 },
  },
  'Idempotency-Key-Charged': {
    description:
      'Whether a request was charged under the `Idempotency-Key`, this one or an earlier one. Absent if that is not known: for example, because the request was rejected before the key was checked.',
    schema: { enum: ['true', 'false'] },
  },
  'Content-Disposition': {
    description: 'The file name: the slip type and the NIN, or the number of the document.',
    schema: { type: 'string', pattern: '^attachment; filename="[\\w-]+\\.pdf"$' },
  },
};

/** The Allow header, which only unknown routes return. */
const ALLOW: JsonSchema = {
  description: 'The methods that the path accepts.',
  required: true,
  schema: { type: 'string', pattern: '^[A-Z]+(?:, [A-Z]+)*$' },
};

/** The routes whose content clients may cache. */
export const CACHEABLE: readonly RouteName[] = ['banks', 'openapi'];

/** A header, and whether every response has it. */
type Presence = readonly [name: string, isRequired: boolean];

/**
 * Returns the headers that the document lists once, in `x-headers`: the headers of every response, and the rate limit
 * headers, which a route with a key sends once it has checked the key.
 */
export function commonHeaders(): JsonSchema {
  const always = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
  const entries = [
    ...always.map((name) => [name, { ...HEADERS[name], required: true }]),
    ...['RateLimit', 'RateLimit-Policy'].map((name) => [name, HEADERS[name]]),
  ];
  return Object.fromEntries(entries);
}

/** The error statuses that a free replay can return. */
const REPLAY: readonly number[] = [400, 404, 500, 503, 504];

/** Returns the additional headers of an error response. */
export function failureHeaders(status: number): JsonSchema {
  const names: Presence[] = [
    ['X-Credits-Charged', false],
    ['Idempotency-Key', false],
    ['Idempotency-Key-Charged', false],
  ];
  if (REPLAY.includes(status)) names.push(['Idempotent-Replayed', false], ['X-Replay-Of', false]);
  if (status === 429 || status === 503) names.push(['Retry-After', true]);
  // Of the codes with these statuses, REQUEST_IN_PROGRESS always has the header, and INSUFFICIENT_FUNDS only if other
  // requests hold the credits.
  if (status === 402 || status === 409) names.push(['Retry-After', false]);
  return { ...references(names), ...(status === 405 && { Allow: ALLOW }) };
}

/** Returns the additional headers of a route's 200 and 304 responses. */
export function successHeaders(route: RouteName): JsonSchema {
  const names: Presence[] = [];
  if (hasKey(route)) names.push(['X-Credits-Charged', true]);
  if (documentedCodes(route).includes('IDEMPOTENCY_KEY_REUSED'))
    names.push(
      ['Idempotency-Key', false],
      ['Idempotency-Key-Charged', false],
      ['Idempotent-Replayed', false],
    );
  if (documentedCodes(route).includes('REPLAY_EXHAUSTED')) names.push(['X-Replay-Of', false]);
  if (route === 'wallet-invoice') names.push(['Content-Disposition', false]);
  if (route === 'nin-slip') names.push(['Content-Disposition', true]);
  if (!CACHEABLE.includes(route)) return references(names);
  return {
    ...references([...names, ['ETag', true]]),
    'Cache-Control': reference('Cache-Control-Hour', true),
  };
}

function references(names: readonly Presence[]): JsonSchema {
  return Object.fromEntries(names.map(([name, isRequired]) => [name, reference(name, isRequired)]));
}

/** A `$ref` cannot have `required` next to it, so each shared header has a required and an optional form. */
function reference(name: string, isRequired: boolean): JsonSchema {
  return { $ref: `#/components/headers/${isRequired ? name : `Optional${name}`}` };
}

/** Returns the shared headers that `users` refers to, for `components`. */
export function headerComponents(users: unknown): Readonly<Record<string, JsonSchema>> {
  const text = JSON.stringify(users);
  const entries = Object.entries(HEADERS).flatMap(([name, header]): [string, JsonSchema][] => [
    [name, { ...header, required: true }],
    [`Optional${name}`, header],
  ]);
  return Object.fromEntries(entries.filter(([name]) => text.includes(`#/components/headers/${name}"`)));
}

import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  documentedCodes,
  ROUTE_NAMES,
  type RouteName,
  routeIdType,
} from '../../infra/openapi/route-codes.ts';
import { CATALOGUE, type ErrorCode, type ErrorReason } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import type { Balance } from '../../shared/ledger/rows/wallet.ts';
import {
  type Attempt,
  actOnAll,
  pathOf,
  prepare,
  prepareReading,
  verifyWithTimeout,
} from '../openapi/provoke.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { type ApiResponse, organisation, registryCalls } from '../support/service.ts';

/**
 * The documented errors of every route, provoked over HTTP (specification "Errors", contract C5 to C9). Checks the
 * status, the code and the envelope, that nothing is charged, and whether there was a look-up. `npm test` provokes a
 * random sample with every route and every code.
 */

/** The statuses of the specification and of contract C5 to C9, independent of the catalogue in the code. */
const STATUSES: Readonly<Record<number, RegExp>> = {
  400: /^(INVALID_SCHEMA|(?!RECORD|ROUTE|VERIFICATION|INVOICE|TOP_UP)[A-Z]+_NOT_FOUND|([A-Z]+_)?VERIFICATION_FAILED)$/,
  401: /^(INVALID_API_KEY|INVALID_SIGNATURE|AUTH_FAILURE|UNAPPROVED_ORGANIZATION|SUBSCRIPTION_REQUIRED)$/,
  402: /^INSUFFICIENT_FUNDS$/,
  403: /^HTTPS_REQUIRED$/,
  404: /^(RECORD|ROUTE|VERIFICATION|VERIFICATION_LOG|INVOICE|TOP_UP)_NOT_FOUND$/,
  405: /^METHOD_NOT_ALLOWED$/,
  409: /^(REQUEST_IN_PROGRESS|REPLAY_EXHAUSTED|BILLING_INCOMPLETE)$/,
  413: /^PAYLOAD_TOO_LARGE$/,
  415: /^UNSUPPORTED_MEDIA_TYPE$/,
  422: /^IDEMPOTENCY_KEY_REUSED$/,
  429: /^RATE_LIMITED$/,
  500: /^SERVER_ERROR$/,
  503: /^(SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN)$/,
  504: /^TIMEOUT$/,
};

/** The tables of the specification. Decisions add more codes. */
const SPECIFIED: readonly (readonly [RouteName, string])[] = [
  [
    'nin-basic',
    'NIN_VERIFICATION_FAILED NIN_NOT_FOUND INVALID_API_KEY UNAPPROVED_ORGANIZATION SUBSCRIPTION_REQUIRED INSUFFICIENT_FUNDS SERVICE_UNAVAILABLE TIMEOUT SERVER_ERROR',
  ],
  [
    'nin-premium',
    'NIN_VERIFICATION_FAILED NIN_NOT_FOUND INVALID_API_KEY UNAPPROVED_ORGANIZATION SUBSCRIPTION_REQUIRED INSUFFICIENT_FUNDS SERVICE_UNAVAILABLE TIMEOUT SERVER_ERROR',
  ],
  [
    'verify-identity',
    'INVALID_SCHEMA VERIFICATION_FAILED AUTH_FAILURE UNAPPROVED_ORGANIZATION SUBSCRIPTION_REQUIRED INSUFFICIENT_FUNDS RECORD_NOT_FOUND SERVICE_UNAVAILABLE SERVER_ERROR',
  ],
  [
    'nin-slip',
    'INVALID_SCHEMA INVALID_API_KEY VERIFICATION_LOG_NOT_FOUND UNSUPPORTED_MEDIA_TYPE SERVER_ERROR',
  ],
];

interface Row {
  readonly route: RouteName;
  readonly idType: IdType | '';
  readonly code: ErrorCode;
}

const rows: Row[] = ROUTE_NAMES.flatMap((route) => {
  const idTypes: readonly (IdType | '')[] =
    route === 'verify-identity' ? ID_TYPES : [routeIdType(route) ?? ''];
  return idTypes.flatMap((idType) => documentedCodes(route).map((code) => ({ route, idType, code })));
});

const isCharged = ({ route }: Row) => documentedCodes(route).includes('INSUFFICIENT_FUNDS');
/** Errors that no client can provoke: they need an unavailable database, or a fault in a route without an API key. */
const needsInternalFault = (row: Row) =>
  row.code === 'OUTCOME_UNKNOWN' ||
  (!isCharged(row) && row.code === 'SERVICE_UNAVAILABLE') ||
  (!documentedCodes(row.route).includes('RATE_LIMITED') && row.code === 'SERVER_ERROR');
const possible = rows.filter((row) => !needsInternalFault(row));

const ROWS_OF_EACH = 1;
const counted = new Map<string, number>();
const provoked = isComplete
  ? possible
  : randomCases(possible, possible.length).filter(({ route, code }) => {
      const counts = [route, code].map((name) => counted.get(name) ?? 0);
      const isNeeded = counts.some((count) => count < ROWS_OF_EACH);
      if (isNeeded) for (const name of [route, code]) counted.set(name, (counted.get(name) ?? 0) + 1);
      return isNeeded;
    });

const BY_REGISTRY =
  /^((?!VERIFICATION_|ROUTE_)[A-Z]+_NOT_FOUND|([A-Z]+_)?VERIFICATION_FAILED|SERVICE_UNAVAILABLE|TIMEOUT|SERVER_ERROR)$/;
/** The gateway returns these before it reads the body, so the response cannot contain an ID type (contract C2). */
const BEFORE_THE_BODY =
  /^(HTTPS_REQUIRED|AUTH_FAILURE|RATE_LIMITED|UNAPPROVED_ORGANIZATION|UNSUPPORTED_MEDIA_TYPE|PAYLOAD_TOO_LARGE)$/;

/** Returns the reason for an error about the key, the account or what was sent (contract B5 and C7), if it has one. */
function reasonOf(row: Row): ErrorReason | undefined {
  const { route, code } = row;
  const hasBody = documentedCodes(route).includes('UNSUPPORTED_MEDIA_TYPE');
  // GET requests are sent without a key, and others with a malformed one.
  if (code === 'INVALID_API_KEY' && !hasBody) return 'missing_key';
  const ofEveryRoute = EVERYWHERE[code];
  if (ofEveryRoute) return ofEveryRoute;
  if (!hasBody) return code === 'INVALID_SCHEMA' ? 'unknown_field' : undefined;
  return REASONS.find(([pattern]) => pattern.test(code))?.[1];
}

const EVERYWHERE: Readonly<Partial<Record<ErrorCode, ErrorReason>>> = {
  INVALID_API_KEY: 'malformed_key',
  AUTH_FAILURE: 'malformed_key',
  INVALID_SIGNATURE: 'wrong_signature',
  UNAPPROVED_ORGANIZATION: 'not_approved',
  SUBSCRIPTION_REQUIRED: 'not_enabled',
  RATE_LIMITED: 'rate_limit',
  REQUEST_IN_PROGRESS: 'in_progress',
  REPLAY_EXHAUSTED: 'replay_exhausted',
  IDEMPOTENCY_KEY_REUSED: 'different_request',
  INSUFFICIENT_FUNDS: 'insufficient_credits',
  BILLING_INCOMPLETE: 'billing_incomplete',
};

const REASONS: readonly (readonly [RegExp, ErrorReason])[] = [
  [/^INVALID_SCHEMA$/, 'missing_field'],
  [/^UNSUPPORTED_MEDIA_TYPE$/, 'wrong_content_type'],
  [/^PAYLOAD_TOO_LARGE$/, 'too_large'],
  [/^VERIFICATION_LOG_NOT_FOUND$/, 'not_verified'],
  [/_NOT_FOUND$/, 'no_record'],
];

interface Ready {
  readonly row: Row;
  readonly attempt: Attempt;
}
const responses = new Map<Row, ApiResponse>();
const before = new Map<Attempt['who'], Balance>();
const attempts: Ready[] = [];

beforeAll(async () => {
  const codeOf = ({ code }: Row) => code;
  await actOnAll(provoked, codeOf, async (row) => {
    const { route, code, idType } = row;
    const attempt = await (isCharged(row)
      ? prepare(route, code, idType || 'NIN')
      : prepareReading(route, code));
    if (attempt) attempts.push({ row, attempt });
  });
  for (const { attempt } of attempts) before.set(attempt.who, await attempt.who.balance());
  await actOnAll(
    attempts,
    ({ row }) => row.code,
    async ({ row, attempt }) => responses.set(row, await attempt.act()),
  );
}, 300_000);

describe.each(provoked.map((row) => [`${pathOf(row.route)} ${row.idType}`, row.code, row] as const))(
  '%s: %s',
  (_, code, row) => {
    const isLookedUp = isCharged(row) && BY_REGISTRY.test(code);

    test(`is as documented, not charged, and looked up ${isLookedUp ? 'once' : 'never'}`, () => {
      const response = responses.get(row);
      const isUnread = row.route === 'verify-identity' && BEFORE_THE_BODY.test(code);
      const type = isUnread ? '' : row.idType;
      const reason = reasonOf(row);

      expect(response?.json).toEqual({
        success: false,
        code,
        message: expect.stringMatching(/^[A-Z].*\.$/),
        verification_type: type,
        summary: {
          verified: false,
          verification_type: type,
          provider: isLookedUp && code !== 'SERVER_ERROR' ? 'Sandbox' : '',
          confidence_score: 0,
        },
        data: null,
        ...(reason && {
          error: { reason, field: expect.any(String), hint: expect.stringMatching(/^[A-Z].*\.$/) },
        }),
        meta: {
          request_id: expect.stringMatching(/^req_[0-9a-f]{12}$/),
          timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        },
      });
      expect(STATUSES[response?.status ?? 0]?.test(code)).toBe(true);
      expect(response?.text).toContain('"confidence_score":0.0');
      expect(response?.headers.get('x-credits-charged') ?? '0').toBe('0');
      expect(response?.headers.get('x-request-id')).toBe(response?.json?.meta.request_id);
      const hasRetryAfter = [429, 503].includes(response?.status ?? 0) || code === 'REQUEST_IN_PROGRESS';
      expect(response?.headers.get('retry-after') !== null).toBe(hasRetryAfter);
      expect(registryCalls(response?.json?.meta.request_id ?? '')).toBe(isLookedUp ? 1 : 0);
    });
  },
);

test('no failure is charged or leaves a hold', async () => {
  for (const [customer, { available, held }] of before) {
    const charged = attempts
      .filter(({ attempt }) => attempt.who === customer)
      .reduce((sum, { attempt }) => sum + attempt.alsoCharged, 0);
    const after = await customer.balance();
    expect(after.available).toBe(available - charged);
    // The hold of a charged request may remain until its instance serves another request.
    expect(after.held).toBeLessThanOrEqual(held + charged);
  }
});

test('after a registry timeout, the gateway returns 503, because it documents no timeout', async () => {
  const customer = await organisation();
  const before = await customer.balance();
  const timedOut = await Promise.all(ID_TYPES.map((idType) => verifyWithTimeout(idType, customer.live)));

  for (const { status, json, headers } of timedOut) {
    expect([status, json?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers.get('x-credits-charged')).toBe('0');
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(await customer.balance()).toEqual(before);
});

test.each(SPECIFIED)('%s documents every code of the specification', (route, codes) => {
  expect(documentedCodes(route)).toEqual(expect.arrayContaining(codes.split(' ')));
});

test('NIN Basic does not document RECORD_NOT_FOUND, and the gateway documents no TIMEOUT and no code for a single ID type', () => {
  expect(documentedCodes('nin-basic')).not.toContain('RECORD_NOT_FOUND');
  for (const code of documentedCodes('verify-identity'))
    expect(code).not.toMatch(/^(NIN|BVN|CAC)_|^TIMEOUT$/);
});

test('every code in the catalogue is provoked, except the one that needs an unavailable database', () => {
  const codes = new Set(provoked.map(({ code }) => code));
  expect(Object.keys(CATALOGUE).filter((code) => !codes.has(code as ErrorCode))).toEqual(['OUTCOME_UNKNOWN']);
});

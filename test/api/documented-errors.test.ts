import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  documentedCodes,
  ROUTE_NAMES,
  type RouteName,
  routeIdType,
} from '../../infra/openapi/route-codes.ts';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import type { IdType } from '../../shared/core/id-types.ts';
import type { Balance } from '../../shared/ledger/rows/wallet.ts';
import { GATEWAY_TYPES } from '../../shared/verifications/services.ts';
import {
  type Attempt,
  actOnAll,
  pathOf,
  prepare,
  prepareReading,
  verifyWithTimeout,
} from '../openapi/provoke.ts';
import { type Answer, organisation, registryCalls } from '../support/service.ts';

/**
 * Each pair of route and documented error, provoked over HTTP (specification "Errors", decisions C5 to C9): status,
 * code, the envelope of a failure, no charge, the wallet unchanged, and whether the registry was asked.
 */

/** The statuses of the specification and of decisions C5 to C9, apart from the catalogue that the service runs on. */
const STATUSES: Readonly<Record<number, RegExp>> = {
  400: /^(INVALID_SCHEMA|(?!RECORD|ROUTE|VERIFICATION)[A-Z]+_NOT_FOUND|([A-Z]+_)?VERIFICATION_FAILED)$/,
  401: /^(INVALID_API_KEY|AUTH_FAILURE|UNAPPROVED_ORGANIZATION|SUBSCRIPTION_REQUIRED)$/,
  402: /^INSUFFICIENT_FUNDS$/,
  403: /^HTTPS_REQUIRED$/,
  404: /^(RECORD|ROUTE|VERIFICATION|VERIFICATION_LOG)_NOT_FOUND$/,
  409: /^(REQUEST_IN_PROGRESS|REPLAY_EXHAUSTED)$/,
  413: /^PAYLOAD_TOO_LARGE$/,
  415: /^UNSUPPORTED_MEDIA_TYPE$/,
  422: /^IDEMPOTENCY_KEY_REUSED$/,
  429: /^RATE_LIMITED$/,
  500: /^SERVER_ERROR$/,
  503: /^(SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN)$/,
  504: /^TIMEOUT$/,
};

/** The specification's own tables; the codes that decisions add come on top. */
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
    route === 'verify-identity' ? GATEWAY_TYPES : [routeIdType(route) ?? ''];
  return idTypes.flatMap((idType) => documentedCodes(route).map((code) => ({ route, idType, code })));
});

const isCharged = ({ route }: Row) => documentedCodes(route).includes('INSUFFICIENT_FUNDS');
/** Nothing outside the machine provokes a database that is silent, or a fault where nothing is asked. */
const takesABrokenMachine = (row: Row) =>
  row.code === 'OUTCOME_UNKNOWN' ||
  (!documentedCodes(row.route).includes('RATE_LIMITED') &&
    /^(SERVER_ERROR|SERVICE_UNAVAILABLE)$/.test(row.code));
const provoked = rows.filter((row) => !takesABrokenMachine(row));

/** What the registry itself answers, or fails to. */
const BY_REGISTRY =
  /^((?!VERIFICATION_|ROUTE_)[A-Z]+_NOT_FOUND|([A-Z]+_)?VERIFICATION_FAILED|SERVICE_UNAVAILABLE|TIMEOUT|SERVER_ERROR)$/;
/** The gateway refuses these before it has read the body, so it cannot echo a type (decision C2). */
const BEFORE_THE_BODY =
  /^(HTTPS_REQUIRED|AUTH_FAILURE|RATE_LIMITED|UNAPPROVED_ORGANIZATION|UNSUPPORTED_MEDIA_TYPE|PAYLOAD_TOO_LARGE)$/;

interface Ready {
  readonly row: Row;
  readonly attempt: Attempt;
}
const answers = new Map<Row, Answer>();
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
    async ({ row, attempt }) => answers.set(row, await attempt.act()),
  );
}, 180_000);

describe.each(provoked.map((row) => [`${pathOf(row.route)} ${row.idType}`, row.code, row] as const))(
  '%s: %s',
  (_, code, row) => {
    const isAsked = isCharged(row) && BY_REGISTRY.test(code);

    test(`is answered as documented, uncharged, and the registry is ${isAsked ? 'asked once' : 'not asked'}`, () => {
      const answer = answers.get(row);
      const isUnread = row.route === 'verify-identity' && BEFORE_THE_BODY.test(code);
      const type = isUnread ? '' : row.idType;

      expect(answer?.json).toEqual({
        success: false,
        code,
        message: expect.stringMatching(/^[A-Z].*\.$/),
        verification_type: type,
        summary: {
          verified: false,
          verification_type: type,
          provider: isAsked && code !== 'SERVER_ERROR' ? 'Sandbox' : '',
          confidence_score: 0,
        },
        data: null,
        meta: {
          request_id: expect.stringMatching(/^req_[0-9a-f]{12}$/),
          timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        },
      });
      expect(STATUSES[answer?.status ?? 0]?.test(code)).toBe(true);
      expect(answer?.text).toContain('"confidence_score":0.0');
      expect(answer?.headers.get('x-credits-charged') ?? '0').toBe('0');
      expect(answer?.headers.get('x-request-id')).toBe(answer?.json?.meta.request_id);
      const waits = [429, 503].includes(answer?.status ?? 0) || code === 'REQUEST_IN_PROGRESS';
      expect(answer?.headers.get('retry-after') !== null).toBe(waits);
      expect(registryCalls(answer?.json?.meta.request_id ?? '')).toBe(isAsked ? 1 : 0);
    });
  },
);

test('no wallet has changed, and no credit of a failure is held', async () => {
  for (const [who, { available, held }] of before) {
    const charged = attempts
      .filter(({ attempt }) => attempt.who === who)
      .reduce((sum, { attempt }) => sum + attempt.alsoCharged, 0);
    const after = await who.balance();
    expect(after.available).toBe(available - charged);
    // Charged holds settle when their instance serves again.
    expect(after.held).toBeLessThanOrEqual(held + charged);
  }
});

test('a registry that is silent is 503 on the gateway, which documents no time-out', async () => {
  const who = await organisation();
  const before = await who.balance();
  const silent = await Promise.all(GATEWAY_TYPES.map((idType) => verifyWithTimeout(idType, who.live)));

  for (const { status, json, headers } of silent) {
    expect([status, json?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers.get('x-credits-charged')).toBe('0');
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(await who.balance()).toEqual(before);
});

test.each(SPECIFIED)('%s documents every code of the specification', (route, codes) => {
  expect(documentedCodes(route)).toEqual(expect.arrayContaining(codes.split(' ')));
});

test('the same missing record is 400 on a dedicated route and 404 on the gateway', () => {
  expect(documentedCodes('nin-basic')).not.toContain('RECORD_NOT_FOUND');
  for (const code of documentedCodes('verify-identity'))
    expect(code).not.toMatch(/^(NIN|BVN|CAC)_|^TIMEOUT$/);
});

test('every code of the catalogue is provoked but the one that takes a silent database', () => {
  const codes = new Set(provoked.map(({ code }) => code));
  expect(Object.keys(CATALOGUE).filter((code) => !codes.has(code as ErrorCode))).toEqual(['OUTCOME_UNKNOWN']);
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { type Answer, number, organisation, post, registryCalls, unknownKey } from '../support/service.ts';

/**
 * Each pair of route and documented error, provoked over HTTP (specification "Errors"): status, code, the envelope of
 * a failure, the wallet unchanged, and how often the registry was asked.
 */

interface Case {
  readonly route: string;
  readonly idType: IdType;
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly registryCalls: number;
  readonly provider: string;
  /** The gateway knows the type only once it has read the body (decision C2). */
  readonly echoed: IdType | '';
  readonly act: () => Promise<Answer>;
  readonly wallet: () => Promise<unknown>;
}

const ROUTES: readonly { readonly route: string; readonly idType: IdType; readonly isGateway: boolean }[] = [
  { route: '/api/v1/ng/nin-basic/', idType: 'NIN', isGateway: false },
  { route: '/api/v1/ng/nin-premium/', idType: 'NIN', isGateway: false },
  { route: '/api/v1/ng/bvn-basic/', idType: 'BVN', isGateway: false },
  { route: '/api/v1/ng/bvn-premium/', idType: 'BVN', isGateway: false },
  { route: '/api/v1/ng/cac-basic/', idType: 'CAC', isGateway: false },
  { route: '/api/v1/ng/cac-premium/', idType: 'CAC', isGateway: false },
  { route: '/api/v1/ng/tin-basic/', idType: 'TIN', isGateway: false },
  { route: '/api/v1/ng/nuban-basic/', idType: 'NUBAN', isGateway: false },
  { route: '/api/v1/identities/verify/', idType: 'NIN', isGateway: true },
  { route: '/api/v1/identities/verify/', idType: 'BVN', isGateway: true },
  { route: '/api/v1/identities/verify/', idType: 'CAC', isGateway: true },
];

/** A well-formed number of the type with these last four digits. */
function numberOf(idType: IdType, ending: string): string {
  if (idType === 'CAC') return `RC${number(ending, 8)}`;
  if (idType === 'TIN') return `${number('1', 8)}-${ending}`;
  return number(ending, idType === 'NUBAN' ? 10 : 11);
}

const ok = await organisation({ credits: 500 });
const pending = await organisation({ status: 'PENDING' });
const suspended = await organisation({ status: 'SUSPENDED' });
const bare = await organisation({ services: [] });
const poor = await organisation({ credits: 0 });

function casesOf({ route, idType, isGateway }: (typeof ROUTES)[number]): Case[] {
  const body = (ending: string) =>
    isGateway
      ? { country: 'NG', id_type: idType, params: { id_number: numberOf(idType, ending) } }
      : { id_number: numberOf(idType, ending) };
  const row = (
    name: string,
    [status, code]: readonly [number, string],
    who: typeof ok,
    ending: string,
    options: { readonly key?: string; readonly calls?: number } = {},
  ): Case => ({
    route,
    idType,
    name,
    status,
    code,
    registryCalls: options.calls ?? 0,
    echoed: isGateway && (code === 'AUTH_FAILURE' || code === 'UNAPPROVED_ORGANIZATION') ? '' : idType,
    provider: options.calls && code !== 'SERVER_ERROR' ? 'Sandbox' : '',
    act: () => post(route, body(ending), { key: options.key ?? who.live }),
    wallet: () => who.balance(),
  });
  const notFound = isGateway ? ([404, 'RECORD_NOT_FOUND'] as const) : ([400, `${idType}_NOT_FOUND`] as const);
  const failed = isGateway ? 'VERIFICATION_FAILED' : `${idType}_VERIFICATION_FAILED`;
  const keyCode = isGateway ? 'AUTH_FAILURE' : 'INVALID_API_KEY';
  const timeout = isGateway ? ([503, 'SERVICE_UNAVAILABLE'] as const) : ([504, 'TIMEOUT'] as const);
  return [
    row('no record', notFound, ok, '0404', { calls: 1 }),
    row('the registry returns an error', [400, failed], ok, '0400', { calls: 1 }),
    row('an unknown key', [401, keyCode], ok, '0001', { key: unknownKey(ok.id) }),
    row('a malformed key', [401, keyCode], ok, '0001', { key: 'nonsense' }),
    row('an organisation that is not approved', [401, 'UNAPPROVED_ORGANIZATION'], pending, '0001'),
    row('a suspended organisation', [401, 'UNAPPROVED_ORGANIZATION'], suspended, '0001'),
    row('a service that is not enabled', [401, 'SUBSCRIPTION_REQUIRED'], bare, '0001'),
    row('an empty wallet', [402, 'INSUFFICIENT_FUNDS'], poor, '0001'),
    row('a registry that cannot be reached', [503, 'SERVICE_UNAVAILABLE'], ok, '0503', { calls: 1 }),
    row('a registry that does not answer in time', timeout, ok, '0504', { calls: 1 }),
    row('an internal fault', [500, 'SERVER_ERROR'], ok, '0500', { calls: 1 }),
  ];
}

const cases = ROUTES.flatMap(casesOf);
const answers = new Map<Case, Answer>();
const before = new Map<typeof ok, unknown>();

beforeAll(async () => {
  for (const who of [ok, pending, suspended, bare, poor]) before.set(who, await who.balance());
  // All at once: those that wait for the registry's silence wait together.
  await Promise.all(cases.map(async (one) => answers.set(one, await one.act())));
}, 120_000);

describe.each(cases.map((one) => [`${one.idType} ${one.route}: ${one.name}`, one] as const))(
  '%s',
  (_, one) => {
    test(`answers ${one.status} ${one.code}, and the registry is asked ${one.registryCalls} times`, () => {
      const answer = answers.get(one);

      expect(answer?.status).toBe(one.status);
      expect(answer?.json).toEqual({
        success: false,
        code: one.code,
        message: expect.stringMatching(/^[A-Z].*\.$/),
        verification_type: one.echoed,
        summary: {
          verified: false,
          verification_type: one.echoed,
          provider: one.provider,
          confidence_score: 0,
        },
        data: null,
        meta: {
          request_id: expect.stringMatching(/^req_[0-9a-f]{12}$/),
          timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        },
      });
      expect(answer?.text).toContain('"confidence_score":0.0');
      expect(answer?.headers.get('x-credits-charged')).toBe('0');
      expect(answer?.headers.get('x-request-id')).toBe(answer?.json?.meta.request_id);
      expect(answer?.headers.get('retry-after') !== null).toBe(one.status === 503);
      expect(registryCalls(answer?.json?.meta.request_id ?? '')).toBe(one.registryCalls);
    });
  },
);

describe('after all of them', () => {
  test('no wallet has changed and no credit is held', async () => {
    for (const who of [ok, pending, suspended, bare, poor])
      expect(await who.balance()).toEqual(before.get(who));
  });
});

test('every ID type has its routes in the table', () => {
  expect(new Set(ROUTES.map(({ idType }) => idType))).toEqual(new Set(ID_TYPES));
});

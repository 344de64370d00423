import { type ErrorCode, ServiceError } from '../../shared/core/errors.ts';
import { type IdType, numberFormat } from '../../shared/core/id-types.ts';
import { type RouteName, routeIdType } from '../../shared/http/api-document/route-codes.ts';
import { failureEnvelope } from '../../shared/verifications/envelope.ts';
import { type Answer, get, organisation, post } from '../support/service.ts';

/** Each documented outcome, provoked over HTTP at the running service. */

const ok = await organisation({ credits: 1000 });
const pending = await organisation({ status: 'PENDING' });
const bare = await organisation({ services: [] });
const poor = await organisation({ credits: 0 });
const slow = await organisation({ rateLimit: { perSecond: 0.01, burst: 1 } });

const PATHS: Readonly<Partial<Record<RouteName, string>>> = {
  'nin-slip': '/ng/nin/slip/download',
  'verify-identity': '/identities/verify',
  'wallet-balance': '/wallet/balance',
  'wallet-transactions': '/wallet/transactions',
  verification: '/verifications/req_000000000000',
  'unknown-route': '/nothing',
};

export function pathOf(route: RouteName): string {
  return `/v1${PATHS[route] ?? `/ng/${route}`}`;
}

/** The example number of a type with other last four digits. */
function numberOf(idType: IdType, ending: string): string {
  return numberFormat(idType).example.slice(0, -4) + ending;
}

function bodyOf(route: RouteName, ending = '0001'): Readonly<Record<string, unknown>> {
  const idType = routeIdType(route) ?? 'NIN';
  const number = numberOf(idType, ending);
  if (route === 'verify-identity') return { country: 'NG', id_type: idType, params: { id_number: number } };
  return route === 'nin-slip' ? { nin: number, slip_type: 'regular' } : { id_number: number };
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?!VERIFICATION_)[A-Z]+_NOT_FOUND$/, '0404'],
  [/VERIFICATION_FAILED$/, '0400'],
  [/^SERVICE_UNAVAILABLE$/, '0503'],
  [/^TIMEOUT$/, '0504'],
  [/^SERVER_ERROR$/, '0500'],
];

let drawn = 0;
function freshKey(): Readonly<Record<string, string>> {
  drawn += 1;
  return { 'Idempotency-Key': `example-${process.pid}-${drawn}-of-a-run` };
}

/** Sends what makes a charged route answer with the code. */
export async function provoke(route: RouteName, code: ErrorCode): Promise<Answer> {
  const path = pathOf(route);
  const send = (body: unknown, headers: Readonly<Record<string, string>> = {}, key = ok.live) =>
    post(path, body, { key, headers });
  const ending = ENDINGS.find(([pattern]) => pattern.test(code))?.[1];
  if (ending) return send(bodyOf(route, ending));
  const headers = freshKey();
  switch (code) {
    case 'HTTPS_REQUIRED':
      return send(bodyOf(route), { 'X-Forwarded-Proto': 'http' });
    case 'INVALID_API_KEY':
    case 'AUTH_FAILURE':
      return send(bodyOf(route), {}, 'nonsense');
    case 'RATE_LIMITED':
      await send({}, {}, slow.live);
      return send({}, {}, slow.live);
    case 'UNAPPROVED_ORGANIZATION':
      return send(bodyOf(route), {}, pending.live);
    case 'UNSUPPORTED_MEDIA_TYPE':
      return send(bodyOf(route), { 'Content-Type': 'text/plain' });
    case 'PAYLOAD_TOO_LARGE':
      return send(' '.repeat(4097));
    case 'INVALID_SCHEMA':
      return send(route === 'verify-identity' ? { ...bodyOf(route), params: {} } : {});
    case 'SUBSCRIPTION_REQUIRED':
      return send(bodyOf(route), {}, bare.live);
    case 'INSUFFICIENT_FUNDS':
      return send(bodyOf(route), {}, poor.live);
    case 'VERIFICATION_LOG_NOT_FOUND':
      return send(bodyOf(route, '9999'));
    case 'REQUEST_IN_PROGRESS':
      return whileOneRuns(() => send(bodyOf(route, '0299'), headers));
    case 'REPLAY_EXHAUSTED':
      for (let repeat = 0; repeat < 4; repeat += 1) await send(bodyOf(route), headers);
      return send(bodyOf(route), headers);
    case 'IDEMPOTENCY_KEY_REUSED':
      await send(bodyOf(route, '0002'), headers);
      return send(bodyOf(route, '0003'), headers);
    default:
      throw new Error(`Nobody knows how to provoke ${code}.`);
  }
}

/** Sends twice under one key; the first takes 3 s, so whichever answer comes first is that of the second. */
async function whileOneRuns(sendOnce: () => Promise<Answer>): Promise<Answer> {
  const both = [sendOnce(), sendOnce()];
  const first = await Promise.race(both);
  await Promise.all(both);
  return first;
}

/** Sends what makes a reading route answer with the code; undefined where only a broken machine does. */
export async function provokeReading(route: RouteName, code: ErrorCode): Promise<Answer | undefined> {
  const path = pathOf(route);
  switch (code) {
    case 'HTTPS_REQUIRED':
      return get(path, { key: ok.live, headers: { 'X-Forwarded-Proto': 'http' } });
    case 'INVALID_API_KEY':
      return get(path);
    case 'RATE_LIMITED':
      await get(path, { key: slow.live });
      return get(path, { key: slow.live });
    case 'UNAPPROVED_ORGANIZATION':
      return get(path, { key: pending.live });
    case 'INVALID_SCHEMA':
      return get(`${path}?page=2`, { key: ok.live });
    case 'VERIFICATION_NOT_FOUND':
    case 'ROUTE_NOT_FOUND':
      return get(path, { key: ok.live });
    default:
      return undefined;
  }
}

/** The successes of the reading routes, after one charged request of a wallet of its own. */
export async function readings(): Promise<Readonly<Record<string, Answer>>> {
  const { live } = await organisation({ credits: 100 });
  const verified = await post('/v1/ng/nin-basic', bodyOf('nin-basic'), { key: live });
  const requestId = verified.json?.meta.request_id ?? '';
  return {
    'wallet-balance.WALLET_BALANCE': await get('/v1/wallet/balance', { key: live }),
    'wallet-transactions.WALLET_TRANSACTIONS': await get('/v1/wallet/transactions', { key: live }),
    'verification.VERIFICATION': await get(`/v1/verifications/${requestId}`, { key: live }),
  };
}

/** A slip, and the page of a code that the service did not make. */
export async function slipAnswers(): Promise<{ readonly slip: Answer; readonly page: Answer }> {
  await verify('nin-basic');
  const body = { nin: numberFormat('NIN').example, slip_type: 'premium' };
  const slip = await post(pathOf('nin-slip'), body, { key: ok.live });
  return { slip, page: await get('/v1/slips/check/AAAA') };
}

export function verify(route: RouteName): Promise<Answer> {
  const idType = routeIdType(route) ?? 'NIN';
  return post(pathOf(route), { id_number: numberFormat(idType).example }, { key: ok.live });
}

/** What only a broken machine answers, made as the answer middleware makes it. */
export function unprovoked(code: ErrorCode, idType: IdType | ''): unknown {
  const { message } = new ServiceError(code);
  return failureEnvelope(code, idType, '', { request_id: '', timestamp: '' }, message);
}

import { type RouteName, routeIdType } from '../../infra/openapi/route-codes.ts';
import { ROUTES } from '../../infra/routes.ts';
import { ALL_SCOPES } from '../../shared/accounts/key-limits.ts';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { IdType } from '../../shared/core/id-types.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import { failureEnvelope } from '../../shared/http/envelope.ts';
import { priceOf } from '../../shared/payments/naira.ts';
import { keyedName } from '../../shared/payments/orders/open-once.ts';
import { withEnding } from '../../shared/registries/sandbox/protocol.ts';
import {
  type ApiResponse,
  apiKeys,
  endApiKey,
  get,
  organisation,
  paymentTables,
  post,
  type TestOrganisation,
  transferCredits,
} from '../support/service.ts';
import { recordVerified } from '../support/verification-log.ts';

/** Provokes the documented responses of the running service over HTTP, except for those that no request can provoke. */

const ok = await organisation({ credits: 1000 });
const spent = await organisation({ credits: 1000 });
const pending = await organisation({ status: 'PENDING' });
const bare = await organisation({ services: [] });
const poor = await organisation({ credits: 0 });
const slow = await organisation({ rateLimit: { perSecond: 0.001, burst: 1 } });
const broken = await organisation();
const payer = await organisation({ scopes: ALL_SCOPES, hasBilling: true });
const withoutBilling = await organisation({ scopes: ALL_SCOPES });
// An invalid row, which the operator CLI cannot write, causes an internal error.
for (const key of await apiKeys.listApiKeys(broken.id)) await endApiKey(key, 5);

/** A request that is ready to be sent and returns one error code. */
export interface Attempt {
  /** The caller. The attempt costs it exactly `alsoCharged` credits, for the second request that some errors need. */
  readonly who: TestOrganisation;
  readonly alsoCharged: number;
  readonly act: () => Promise<ApiResponse>;
}

/** Values of path parameters for which nothing exists. */
const PARAMETERS = {
  '{request_id}': 'req_000000000000',
  '{token}': 'AAAA',
  '{number}': 'IDV-2000-000000',
  '{reference}': 'TOPUP-00000000000000000000000000',
} as const;

export function pathOf(route: RouteName): string {
  const path = ROUTES.find(({ name }) => name === route)?.path ?? '/nothing';
  return `/v1${Object.entries(PARAMETERS).reduce((text, [name, value]) => text.replace(name, value), path)}`;
}

function numberOf(idType: IdType, ending: string): string {
  return withEnding(numberFormat(idType).example, ending);
}

type Body = Readonly<Record<string, unknown>>;

function bodyOf(route: RouteName, idType: IdType, ending = '0001'): Body {
  const number = numberOf(idType, ending);
  if (route === 'verify-identity') return { country: 'NG', id_type: idType, params: { id_number: number } };
  return route === 'nin-slip' ? { nin: number, slip_type: 'regular' } : { id_number: number };
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?!VERIFICATION_|INVOICE_|TOP_UP_)[A-Z]+_NOT_FOUND$/, '0404'],
  [/VERIFICATION_FAILED$/, '0400'],
  [/^SERVICE_UNAVAILABLE$/, '0503'],
  [/^TIMEOUT$/, '0504'],
  [/^SERVER_ERROR$/, '0500'],
];

// Slips need a verified number. The sandbox does not verify numbers whose endings select a failure, so the rows of
// these verifications are written here.
const slipEndings = ['0001', '0003', '0299', ...ENDINGS.map(([, ending]) => ending)];
for (const { id } of [ok, spent, poor])
  await recordVerified(
    id,
    slipEndings.map((ending) => numberOf('NIN', ending)),
  );

let keyCount = 0;
function freshKey(): Readonly<Record<string, string>> {
  keyCount += 1;
  return { 'Idempotency-Key': `example-${process.pid}-${keyCount}-of-a-run` };
}

const BATCH = 12;
/** Calls `act` on a few attempts at a time. Those that wait 20 s for a timeout run alongside the others. */
export async function actOnAll<T>(
  all: readonly T[],
  codeOf: (one: T) => ErrorCode,
  act: (one: T) => Promise<unknown>,
): Promise<void> {
  const waiting = Promise.all(all.filter((one) => codeOf(one) === 'TIMEOUT').map(act));
  const others = all.filter((one) => codeOf(one) !== 'TIMEOUT');
  for (let first = 0; first < others.length; first += BATCH)
    await Promise.all(others.slice(first, first + BATCH).map(act));
  await waiting;
}

/** Prepares a request to a charged route that returns the code. Returns undefined if no request can provoke it. */
export async function prepare(
  route: RouteName,
  code: ErrorCode,
  idType: IdType = routeIdType(route) ?? 'NIN',
): Promise<Attempt | undefined> {
  const path = pathOf(route);
  const body = (ending?: string) => bodyOf(route, idType, ending);
  const send = (content: unknown, headers: Readonly<Record<string, string>> = {}, key = ok.live) =>
    post(path, content, { key, headers });
  const attempt = (act: () => Promise<ApiResponse>, who = ok, alsoCharged = 0): Attempt => ({
    who,
    alsoCharged,
    act,
  });
  const by = (who: TestOrganisation) => attempt(() => send(body(), {}, who.live), who);
  const ending = ENDINGS.find(([pattern]) => pattern.test(code))?.[1];
  if (ending) return attempt(() => send(body(ending)));
  const headers = freshKey();
  switch (code) {
    case 'HTTPS_REQUIRED':
      return attempt(() => send(body(), { 'X-Forwarded-Proto': 'http' }));
    case 'INVALID_API_KEY':
    case 'AUTH_FAILURE':
      return attempt(() => send(body(), {}, 'nonsense'));
    case 'RATE_LIMITED':
      await send({}, {}, slow.live);
      return by(slow);
    case 'UNAPPROVED_ORGANIZATION':
      return by(pending);
    case 'UNSUPPORTED_MEDIA_TYPE':
      return attempt(() => send(JSON.stringify(body()), { 'Content-Type': 'text/plain' }));
    case 'PAYLOAD_TOO_LARGE':
      return attempt(() => send(' '.repeat(4097)));
    case 'INVALID_SCHEMA':
      return attempt(() => send(route === 'verify-identity' ? { ...body(), params: {} } : {}));
    case 'SUBSCRIPTION_REQUIRED':
      return by(bare);
    case 'INSUFFICIENT_FUNDS':
      return by(poor);
    case 'VERIFICATION_LOG_NOT_FOUND':
      return attempt(() => send(body('9999')));
    case 'REQUEST_IN_PROGRESS':
      return attempt(() => whileAnotherRuns(() => send(body('0299'), headers)), ok, 1);
    case 'REPLAY_EXHAUSTED':
      for (let repeat = 0; repeat < 4; repeat += 1) await send(body(), headers, spent.live);
      return attempt(() => send(body(), headers, spent.live), spent);
    case 'IDEMPOTENCY_KEY_REUSED':
      await send(body('0404'), headers);
      return attempt(() => send(body('0003'), headers));
    default:
      return undefined;
  }
}

/** Sends two requests under one key at once. One takes 3 s, so the first response is the rejection of the other. */
async function whileAnotherRuns(sendOnce: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const both = [sendOnce(), sendOnce()];
  const first = await Promise.race(both);
  await Promise.all(both);
  return first;
}

/** Verifies, through the unified gateway, a number for which the registry does not respond. */
export function verifyWithTimeout(idType: IdType, key: string): Promise<ApiResponse> {
  return post(pathOf('verify-identity'), bodyOf('verify-identity', idType, '0504'), { key });
}

/** Prepares an order for credits that returns the code. Returns undefined if no request can provoke it. */
async function prepareOrder(code: ErrorCode): Promise<Attempt | undefined> {
  const path = pathOf('start-top-up');
  const send = (content: unknown, headers: Readonly<Record<string, string>> = {}, key = payer.live) =>
    post(path, content, { key, headers });
  const attempt = (act: () => Promise<ApiResponse>, who = payer): Attempt => ({ who, alsoCharged: 0, act });
  const order = { credits: 1_000 };
  const by = (who: TestOrganisation) => attempt(() => send(order, {}, who.live), who);
  const headers = freshKey();
  switch (code) {
    case 'HTTPS_REQUIRED':
      return attempt(() => send(order, { 'X-Forwarded-Proto': 'http' }));
    case 'INVALID_API_KEY':
      return attempt(() => send(order, {}, 'nonsense'));
    case 'RATE_LIMITED':
      await send({}, {}, slow.live);
      return by(slow);
    case 'UNAPPROVED_ORGANIZATION':
      return by(pending);
    case 'UNSUPPORTED_MEDIA_TYPE':
      return attempt(() => send(JSON.stringify(order), { 'Content-Type': 'text/plain' }));
    case 'PAYLOAD_TOO_LARGE':
      return attempt(() => send(' '.repeat(4097)));
    case 'INVALID_SCHEMA':
      return attempt(() => send({}));
    case 'IDEMPOTENCY_KEY_REUSED':
      await insertOpenOrder(headers['Idempotency-Key'], 2_000);
      return attempt(() => send(order, headers));
    case 'REQUEST_IN_PROGRESS':
      await insertOpenOrder(headers['Idempotency-Key'], 1_000);
      return attempt(() => send(order, headers));
    case 'BILLING_INCOMPLETE':
      return by(withoutBilling);
    case 'SERVER_ERROR':
      return by(broken);
    default:
      return undefined;
  }
}

/** Prepares the withdrawal of a slip that returns the code. Returns undefined if no request can provoke it. */
async function prepareWithdrawal(code: ErrorCode): Promise<Attempt | undefined> {
  const path = pathOf('revoke-slip');
  const unknown = { request_id: 'req_000000000000' };
  const send = (content: unknown, headers: Readonly<Record<string, string>> = {}, key = ok.live) =>
    post(path, content, { key, headers });
  const attempt = (act: () => Promise<ApiResponse>, who = ok): Attempt => ({ who, alsoCharged: 0, act });
  const by = (who: TestOrganisation) => attempt(() => send(unknown, {}, who.live), who);
  switch (code) {
    case 'HTTPS_REQUIRED':
      return attempt(() => send(unknown, { 'X-Forwarded-Proto': 'http' }));
    case 'INVALID_API_KEY':
      return attempt(() => send(unknown, {}, 'nonsense'));
    case 'RATE_LIMITED':
      await send(unknown, {}, slow.live);
      return by(slow);
    case 'UNAPPROVED_ORGANIZATION':
      return by(pending);
    case 'UNSUPPORTED_MEDIA_TYPE':
      return attempt(() => send(JSON.stringify(unknown), { 'Content-Type': 'text/plain' }));
    case 'PAYLOAD_TOO_LARGE':
      return attempt(() => send(' '.repeat(4097)));
    case 'INVALID_SCHEMA':
      return attempt(() => send({}));
    case 'VERIFICATION_LOG_NOT_FOUND':
      return by(ok);
    case 'SERVER_ERROR':
      return by(broken);
    default:
      return undefined;
  }
}

/** Inserts an order in the state that it has while a request waits for Paystack. */
async function insertOpenOrder(idempotencyKey = '', credits = 0): Promise<void> {
  const wallet = { env: 'live', organisationId: payer.id } as const;
  // In the future, because the request that finds it may be sent a minute later.
  const openedAt = new Date(Date.now() + 600_000).toISOString();
  await paymentTables.orders.insertOrder({
    ...wallet,
    reference: keyedName(wallet, idempotencyKey, 0),
    method: 'PAYSTACK',
    state: 'OPENED',
    credits,
    koboPerCredit: 5_000,
    ...priceOf(credits, 5_000, 750),
    vatBasisPoints: 750,
    currency: 'NGN',
    openedAt,
    openedBy: 'test',
    expiresAt: openedAt,
    version: 1,
  });
}

/** Prepares a request to a free route that returns the code. Returns undefined if no request can provoke it. */
export async function prepareReading(route: RouteName, code: ErrorCode): Promise<Attempt | undefined> {
  if (route === 'start-top-up') return prepareOrder(code);
  if (route === 'revoke-slip') return prepareWithdrawal(code);
  const path = pathOf(route);
  const isPublic = route === 'unknown-route' || /^\/v1\/(openapi|health|slips|payments)/.test(path);
  const by = (who: TestOrganisation, headers = {}, query = ''): Attempt => ({
    who,
    alsoCharged: 0,
    act: () => get(`${path}${query}`, { key: who.live, headers }),
  });
  switch (code) {
    case 'HTTPS_REQUIRED':
      return by(ok, { 'X-Forwarded-Proto': 'http' });
    case 'INVALID_API_KEY':
      return { ...by(ok), act: () => get(path) };
    case 'RATE_LIMITED':
      await get(path, { key: slow.live });
      return by(slow);
    case 'UNAPPROVED_ORGANIZATION':
      return by(pending);
    case 'INVALID_SCHEMA':
      return by(ok, {}, '?page=2');
    case 'METHOD_NOT_ALLOWED':
      return { ...by(ok), act: () => get(pathOf('nin-basic'), { key: ok.live }) };
    case 'PAYLOAD_TOO_LARGE':
      return { ...by(ok), act: () => post(path, ' '.repeat(65_537)) };
    case 'INVALID_SIGNATURE':
      return { ...by(ok), act: () => post(path, {}) };
    case 'VERIFICATION_NOT_FOUND':
    case 'INVOICE_NOT_FOUND':
    case 'TOP_UP_NOT_FOUND':
    case 'ROUTE_NOT_FOUND':
      return by(ok);
    case 'SERVER_ERROR':
      return isPublic ? undefined : by(broken);
    default:
      return undefined;
  }
}

/** Returns a key of an organisation that has paid for credits, and the number of its invoice. */
export async function buyer(): Promise<{ readonly key: string; readonly number: string }> {
  const { id, test: key } = await organisation({ credits: 0, scopes: ALL_SCOPES, hasBilling: true });
  const transfer = { wallet: { env: 'test', organisationId: id }, credits: 1_000 } as const;
  const { order } = await transferCredits({ ...transfer, reference: `transfer-${id}`, reason: 'test' });
  return { key, number: order.invoice ?? '' };
}

/** Returns the successful responses of the free routes, after a charged request and a purchase by new organisations. */
export async function readings(): Promise<Readonly<Record<string, ApiResponse>>> {
  const { live } = await organisation({ credits: 100 });
  const body = { ...bodyOf('nin-basic', 'NIN'), reference: 'customer-4711' };
  const verified = await post('/v1/ng/nin-basic', body, { key: live });
  await post('/v1/ng/nin-basic', { ...body, id_number: '' }, { key: live });
  const requestId = verified.json?.meta.request_id ?? '';
  const { key, number } = await buyer();
  const maker = (await organisation()).live;
  await post('/v1/ng/nin-basic', body, { key: maker });
  const slip = await post(pathOf('nin-slip'), bodyOf('nin-slip', 'NIN'), { key: maker });
  const withdrawal = { request_id: slip.headers.get('x-request-id') };
  return {
    'revoke-slip.SLIP_WITHDRAWN': await post(pathOf('revoke-slip'), withdrawal, { key: maker }),
    'banks.BANKS': await get('/v1/banks', { key: live }),
    'me.ME': await get('/v1/me', { key: live }),
    'wallet-balance.WALLET_BALANCE': await get('/v1/wallet/balance', { key: live }),
    'wallet-transactions.WALLET_TRANSACTIONS': await get('/v1/wallet/transactions', { key: live }),
    'wallet-lots.WALLET_LOTS': await get('/v1/wallet/lots', { key }),
    'wallet-invoices.WALLET_INVOICES': await get('/v1/wallet/invoices?kind=INVOICE', { key }),
    'wallet-invoice.WALLET_INVOICE': await get(`/v1/wallet/invoices/${number}`, { key }),
    'start-top-up.WALLET_TOP_UP': await post('/v1/wallet/top-ups', { credits: 1_000 }, { key }),
    'verifications.VERIFICATIONS': await get('/v1/verifications', { key: live }),
    'verification.VERIFICATION': await get(`/v1/verifications/${requestId}`, { key: live }),
    'health.HEALTH': await get('/v1/health'),
  };
}

/** Returns a slip, and the check page for an invalid code. */
export async function slipResponses(): Promise<{ readonly slip: ApiResponse; readonly page: ApiResponse }> {
  await verify('nin-basic');
  const body = { nin: numberFormat('NIN').example, slip_type: 'premium' };
  const slip = await post(pathOf('nin-slip'), body, { key: ok.live });
  return { slip, page: await get('/v1/slips/check/AAAA') };
}

export function verify(route: RouteName): Promise<ApiResponse> {
  const idType = routeIdType(route) ?? 'NIN';
  return post(pathOf(route), { id_number: numberFormat(idType).example }, { key: ok.live });
}

/** Builds the body of a failure that no request can provoke. */
export function unprovoked(code: ErrorCode, idType: IdType | ''): unknown {
  return failureEnvelope(code, idType, '', { request_id: '', timestamp: '' });
}

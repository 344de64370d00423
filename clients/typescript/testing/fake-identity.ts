import { CATALOGUE, type ErrorCode, type ErrorDetails, ServiceError } from '../../../shared/core/errors.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import { envelopeText, failureEnvelope } from '../../../shared/http/envelope.ts';
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY } from '../../../shared/http/idempotency-key.ts';
import { parseJsonStrictly } from '../../../shared/http/strict-json.ts';
import {
  endingOf,
  SIMULATED_ENDINGS,
  SIMULATED_RETRY_AFTER_SECONDS,
} from '../../../shared/registries/sandbox/protocol.ts';
import {
  type Command,
  dedicatedBody,
  gatewayBody,
  slipBody,
} from '../../../shared/verifications/requests.ts';
import { SERVICES, type ServiceName } from '../../../shared/verifications/services.ts';
import type { FakeCharge, FakeIdentity as FakeIdentityType, FakeRequest } from '../src/testing.ts';
import { checkKey, FakeAccount, type FakeResult, FREE_REPLAYS } from './fake-account.ts';
import { invented } from './invented.ts';

const MAX_BYTES = 4096;
const JSON_TYPE = /^application\/json *(?:;(?!.*charset=(?!"?utf-?8)).*)?$/i;
/** The seconds after which a real request is usually free of the fault. */
const RETRY_AFTER: Readonly<Record<string, number>> = {
  RATE_LIMITED: 1,
  REQUEST_IN_PROGRESS: 1,
  SERVICE_UNAVAILABLE: 5,
  OUTCOME_UNKNOWN: 2,
};

interface Failure {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
}

interface UsedKey {
  readonly fingerprint: string;
  /** The ID of the charged request. */
  chargedId: string | undefined;
  replays: number;
}

interface Context {
  readonly requestId: string;
  readonly headers: Record<string, string>;
  idType: IdType | '';
}

export class FakeIdentity implements FakeIdentityType {
  readonly apiKey = 'idv_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEF000000';
  readonly baseUrl = 'https://identity.example';
  readonly charges: FakeCharge[] = [];
  readonly requests: FakeRequest[] = [];
  readonly verified = new Set<string>();
  credits: number;
  readonly #failures: (Failure | 'cut')[] = [];
  readonly #keys = new Map<string, UsedKey>();
  readonly #account: FakeAccount;

  constructor({ credits = 1000 }: { credits?: number } = {}) {
    this.credits = credits;
    this.#account = new FakeAccount(this);
  }

  get options(): FakeIdentityType['options'] {
    const { apiKey, baseUrl, fetch } = this;
    return { apiKey, baseUrl, fetch };
  }

  failNext(
    code: ErrorCode,
    { times = 1, retryAfterSeconds }: { times?: number; retryAfterSeconds?: number } = {},
  ) {
    if (!Object.hasOwn(CATALOGUE, code)) throw new TypeError(`There is no error code ${code}.`);
    for (let count = 0; count < times; count += 1) this.#failures.push({ code, retryAfterSeconds });
  }

  cutNext(times = 1): void {
    for (let count = 0; count < times; count += 1) this.#failures.push('cut');
  }

  payTopUp(reference: string): void {
    this.#account.pay(reference);
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    const url = new URL(request.url);
    const path = url.pathname.replace(/\/+$/, '');
    const { method, headers } = request;
    this.requests.push({ method, path, headers, body: parsed(text) });
    const failure = this.#failures.shift();
    const response = this.#respond(request, url, text, failure === 'cut' ? undefined : failure);
    if (failure === 'cut') throw new TypeError('fetch failed');
    return response;
  };

  #respond(request: Request, url: URL, text: string, failure?: Failure): Response {
    const key = request.headers.get(IDEMPOTENCY_HEADER);
    const requestId = `req_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
      'X-Credits-Charged': '0',
      'RateLimit-Policy': '"requests";q=20;w=2',
      RateLimit: '"requests";r=19;t=1',
      ...(key !== null && IDEMPOTENCY_KEY.test(key) && { [IDEMPOTENCY_HEADER]: key }),
    };
    const context: Context = { requestId, headers, idType: '' };
    try {
      const result = this.#handle(request, url, text, context, failure);
      const replayOf = context.headers['X-Replay-Of'];
      const about = { request_id: requestId, timestamp: new Date().toISOString() };
      const meta = { ...about, ...(replayOf && { replay_of: replayOf }) };
      const body = result.pdf ?? envelopeText({ ...result.json, meta } as never);
      if (result.pdf) headers['Content-Type'] = 'application/pdf';
      return new Response(body, { headers });
    } catch (error) {
      return failed(
        error instanceof ServiceError ? error : new ServiceError('SERVER_ERROR'),
        context,
        failure,
      );
    }
  }

  #handle(request: Request, url: URL, text: string, context: Context, failure?: Failure): FakeResult {
    if (failure && !isOfLookUp(failure.code)) throw new ServiceError(failure.code);
    if (request.headers.get('Authorization') !== `Bearer ${this.apiKey}`)
      throw new ServiceError('INVALID_API_KEY');
    const route = url.pathname.replace(/^\/(?:api\/)?v1\/|\/+$/g, '');
    if (request.method === 'GET') {
      if (failure) throw new ServiceError(failure.code);
      return this.#account.read(route, url.searchParams);
    }
    if (!JSON_TYPE.test(request.headers.get('Content-Type') ?? ''))
      throw rejected('UNSUPPORTED_MEDIA_TYPE', 'wrong_content_type', 'Content-Type');
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MAX_BYTES) throw rejected('PAYLOAD_TOO_LARGE', 'too_large', '');
    const json = parseJsonStrictly(bytes);
    const key = request.headers.get(IDEMPOTENCY_HEADER) ?? undefined;
    if (route === 'wallet/top-ups') return this.#account.startTopUp(json, key, context.headers);
    return this.#lookUp(route, json, key, context, failure?.code);
  }

  #lookUp(
    route: string,
    json: unknown,
    key: string | undefined,
    context: Context,
    code?: ErrorCode,
  ): FakeResult {
    const isGateway = route === 'identities/verify';
    const command = readCommand(route, json, context);
    context.idType = command.idType;
    const { service, number } = command;
    simulateError(command, 'RATE_LIMITED');
    simulateError(command, 'SUBSCRIPTION_REQUIRED');
    if (key !== undefined) checkKey(key, number);
    simulateError(command, 'REQUEST_IN_PROGRESS');
    if (service === 'nin-slip' && !this.verified.has(number))
      throw new ServiceError('VERIFICATION_LOG_NOT_FOUND', {
        details: { reason: 'not_verified', field: 'nin', hint: 'Verify this NIN first.' },
      });
    const used = key === undefined ? undefined : this.#claim(route, key, command, context.headers);
    const replayOf = used?.chargedId ?? null;
    const isReplay = replayOf !== null;
    simulateError(command, 'INSUFFICIENT_FUNDS');
    if (!isReplay && this.credits < 1) throw new ServiceError('INSUFFICIENT_FUNDS');
    const entry = this.#account.begin(context.requestId, command, replayOf, {
      route: isGateway ? 'verify-identity' : service,
      key,
    });
    try {
      if (code) throw new ServiceError(code);
      const result = invented(command, isGateway ? 'gateway' : 'dedicated');
      if (used && isReplay) used.replays += 1;
      if (!isReplay) {
        this.credits -= 1;
        this.charges.push({ idempotencyKey: key ?? '', service });
        context.headers['X-Credits-Charged'] = '1';
        if (used) {
          used.chargedId = context.requestId;
          context.headers['Idempotency-Key-Charged'] = 'true';
        }
      }
      if (command.idType === 'NIN') this.verified.add(number);
      if (result.fileName)
        context.headers['Content-Disposition'] = `attachment; filename="${result.fileName}"`;
      this.#account.end(entry, isReplay ? 0 : 1);
      if (!isReplay) simulateError(command, 'OUTCOME_UNKNOWN');
      return result;
    } catch (error) {
      if (entry.credits_charged > 0) throw error;
      this.#account.end(entry, 0, error);
      throw error;
    }
  }

  /** As the service's check of the key does. */
  #claim(route: string, key: string, command: Command, headers: Context['headers']): UsedKey {
    // The service accepts the number under each of its names.
    const fingerprint = JSON.stringify({ ...command, numberField: '' });
    const name = `${route}\n${key}`;
    const used = this.#keys.get(name) ?? { fingerprint, chargedId: undefined, replays: 0 };
    this.#keys.set(name, used);
    if (used.fingerprint !== fingerprint) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    headers['Idempotency-Key-Charged'] = String(used.chargedId !== undefined);
    if (used.replays >= FREE_REPLAYS) throw new ServiceError('REPLAY_EXHAUSTED');
    if (used.chargedId === undefined) return used;
    headers['Idempotent-Replayed'] = 'true';
    headers['X-Replay-Of'] = used.chargedId;
    return used;
  }
}

/** As in the sandbox. */
function simulateError({ number }: Command, code: keyof typeof SIMULATED_ENDINGS): void {
  if (endingOf(number) !== SIMULATED_ENDINGS[code]) return;
  const waits = code === 'RATE_LIMITED' || code === 'REQUEST_IN_PROGRESS';
  throw new ServiceError(code, waits ? { retryAfterSeconds: SIMULATED_RETRY_AFTER_SECONDS } : {});
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function rejected(code: ErrorCode, reason: ErrorDetails['reason'], field: string): ServiceError {
  return new ServiceError(code, { details: { reason, field, hint: CATALOGUE[code].message } });
}

/** Whether the service sends the code only after its other checks. */
function isOfLookUp(code: ErrorCode): boolean {
  return CATALOGUE[code].status >= 500 || /_NOT_FOUND$|VERIFICATION_FAILED$/.test(code);
}

function readCommand(route: string, json: unknown, context: Context): Command {
  if (route === 'identities/verify') return gatewayBody.read(json);
  if (route === 'ng/nin/slip/download') {
    context.idType = 'NIN';
    return slipBody.read(json);
  }
  const service = route.replace(/^ng\//, '') as ServiceName;
  if (!route.startsWith('ng/') || !Object.hasOwn(SERVICES, service))
    throw new ServiceError('ROUTE_NOT_FOUND');
  context.idType = SERVICES[service].idType;
  return dedicatedBody(service).read(json);
}

function failed(error: ServiceError, { requestId, headers, idType }: Context, failure?: Failure): Response {
  const { code, message, details } = error;
  const retryAfter = failure?.retryAfterSeconds ?? error.retryAfterSeconds ?? RETRY_AFTER[code];
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  if (code === 'OUTCOME_UNKNOWN') {
    headers['X-Credits-Charged'] = 'unknown';
    delete headers['Idempotency-Key-Charged'];
  }
  const meta = { request_id: requestId, timestamp: new Date().toISOString() };
  const envelope = failureEnvelope(code, idType, '', meta, { message, details });
  return new Response(envelopeText(envelope), { status: CATALOGUE[code].status, headers });
}

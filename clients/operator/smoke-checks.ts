import { randomInt, randomUUID } from 'node:crypto';

/** The requests of the smoke test. They use the sandbox and cost one test credit. */

/** Functions behind the API time out after 28 s. */
const TIMEOUT_MS = 35_000;
const MB = 1024 * 1024;
/** API Gateway accepts at most 10 MB, and Lambda 6 MB with the body in base64. */
const TOO_LARGE = [
  ['above 10 MB', 10 * MB + 1],
  ['of 5 MB', 5 * MB],
] as const;

interface Target {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** A test key. */
  readonly apiKey: string;
}

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Envelope;
}

/** The parts of a response that the checks read. The API document describes the other fields. */
interface Envelope {
  readonly code?: unknown;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly error?: { readonly reason?: unknown };
  readonly meta?: { readonly request_id?: unknown };
}

/** The required properties of a response. Others do not matter. */
interface Expected {
  readonly status: number;
  readonly code: string;
  /** The X-Credits-Charged header. Null if it must be absent. */
  readonly charged: '0' | '1' | null;
}

export interface Check {
  readonly name: string;
  /** Throws an error that says what was expected and what was received. */
  readonly run: () => Promise<void>;
}

/** Returns the checks, in the order in which they must run. */
export function smokeChecks(target: Target): readonly Check[] {
  return [...publicChecks(target), ...keyedChecks(target)];
}

function publicChecks({ url }: Target): readonly Check[] {
  const expectHealth = async (path: string) =>
    expectResponse(await send(url, { path }), { status: 200, code: 'HEALTH', charged: null });
  return [
    { name: 'health, with a trailing slash', run: () => expectHealth('/api/v1/health/') },
    { name: 'health, without a trailing slash', run: () => expectHealth('/api/v1/health') },
    {
      name: 'unknown route',
      run: async () => {
        const response = await send(url, { path: '/api/v1/smoke-test' });
        expectResponse(response, { status: 404, code: 'ROUTE_NOT_FOUND', charged: null });
      },
    },
    ...TOO_LARGE.map(([size, bytes]) => ({
      name: `API Gateway's own response to a body ${size}`,
      run: async () => {
        const body = ' '.repeat(bytes);
        const response = await send(url, { method: 'POST', path: '/api/v1/ng/nin-basic/', body });
        expectResponse(response, { status: 413, code: 'PAYLOAD_TOO_LARGE', charged: null });
      },
    })),
    {
      name: 'request without a key',
      run: async () => {
        const response = await send(url, verification(newNumber('0001')));
        expectResponse(response, { status: 401, code: 'INVALID_API_KEY', charged: '0' });
      },
    },
  ];
}

function keyedChecks({ url, apiKey }: Target): readonly Check[] {
  const authorisation = { Authorization: `Bearer ${apiKey}` };
  const sendKeyed = (call: Call) => send(url, { ...call, headers: { ...authorisation, ...call.headers } });
  const readAvailable = async (): Promise<number> => {
    const response = await sendKeyed({ path: '/api/v1/wallet/balance/' });
    expectResponse(response, { status: 200, code: 'WALLET_BALANCE', charged: '0' });
    return Number(response.body.data?.['available']);
  };
  const number = newNumber('0001');
  const paid = { ...verification(number), headers: { 'Idempotency-Key': `smoke-${randomUUID()}` } };
  let before = Number.NaN;
  let record: unknown;
  return [
    {
      name: 'balance',
      run: async () => {
        before = await readAvailable();
      },
    },
    {
      name: 'verification',
      run: async () => {
        const response = await sendKeyed(paid);
        expectResponse(response, { status: 200, code: 'NIN_VERIFIED', charged: '1' });
        expectEqual('data.nin', response.body.data?.['nin'], number);
        record = response.body.data;
      },
    },
    {
      name: 'replay of the verification',
      run: async () => {
        const response = await sendKeyed(paid);
        expectResponse(response, { status: 200, code: 'NIN_VERIFIED', charged: '0' });
        expectEqual('Idempotent-Replayed', response.headers.get('Idempotent-Replayed'), 'true');
        expectEqual('data', JSON.stringify(response.body.data), JSON.stringify(record));
      },
    },
    {
      name: 'number without a record',
      run: async () => {
        const response = await sendKeyed(verification(newNumber('0404')));
        expectResponse(response, { status: 400, code: 'NIN_NOT_FOUND', charged: '0' });
        expectEqual('error.reason', response.body.error?.reason, 'no_record');
      },
    },
    {
      name: 'balance, one credit lower',
      run: async () => expectEqual('data.available', await readAvailable(), before - 1),
    },
  ];
}

/** Returns a random number. Its ending selects the outcome in the sandbox (docs/guides/sandbox.md). */
function newNumber(ending: string): string {
  return `7${String(randomInt(1_000_000)).padStart(6, '0')}${ending}`;
}

function verification(idNumber: string): Call {
  return { method: 'POST', path: '/api/v1/ng/nin-basic/', body: JSON.stringify({ id_number: idNumber }) };
}

async function send(url: string, { path, method = 'GET', headers, body }: Call): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Throws if a response differs from `expected`, or if the request IDs in its header and body differ: callers quote this
 * ID when they report a problem.
 */
function expectResponse({ status, headers, body }: Response, expected: Expected): void {
  const received = `${status} ${String(body.code ?? 'without a code')}`;
  expectEqual('the response', received, `${expected.status} ${expected.code}`);
  const requestId = headers.get('X-Request-Id');
  if (!requestId) throw new Error('the header X-Request-Id is missing');
  expectEqual('meta.request_id', body.meta?.request_id, requestId);
  expectEqual('X-Credits-Charged', headers.get('X-Credits-Charged'), expected.charged);
}

function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (received === expected) return;
  throw new Error(`${what} is ${String(received)}, but ${String(expected)} was expected`);
}

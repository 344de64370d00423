import { setTimeout as pause } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import { secretsManager } from '../core/secrets.ts';

/** Over HTTP: the SDK's Lambda client needs event streams, which bundles leave out. */

interface AwsCall {
  readonly service: 'codedeploy' | 'lambda';
  /** For error messages, for example `GetDeployment`. */
  readonly action: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface AwsResponse {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Signed POST. Throws the action, status and type of the error. */
export type CallAws = (call: AwsCall) => Promise<AwsResponse>;

const ATTEMPTS = 5;
/** More than any function behind the API may take. */
const TIMEOUT_MS = 35_000;
const THROTTLED = /Throttling|TooManyRequests|RequestLimitExceeded/;

/** With the function's credentials. `endpoint` replaces the public ones in tests. */
export function awsApi(endpoint?: string, waitMs: (ms: number) => Promise<unknown> = pause): CallAws {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await send(call, endpoint).catch((cause: unknown) => unreachable(call, cause));
      if (response.ok) return { headers: response.headers, body: parse(await response.text()) };
      const type = typeOf(response, parse(await response.text()));
      const isTemporary = response.status === 429 || response.status >= 500 || THROTTLED.test(type);
      if (!isTemporary || attempt === ATTEMPTS)
        throw new Error(`${call.action} failed with ${response.status} ${type}.`);
      // All functions are deployed at once.
      await waitMs(200 * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  };
}

async function send({ service, path, query = {}, headers, body }: AwsCall, endpoint?: string) {
  // The Secrets Manager client already reads them.
  const { credentials, region, sha256 } = secretsManager().config;
  const url = new URL(path, endpoint ?? `https://${service}.${await region()}.amazonaws.com`);
  const text = JSON.stringify(body);
  const signer = new SignatureV4({ service, credentials, region, sha256 });
  const signed = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: { ...query },
    headers: { ...headers, host: url.host },
    body: text,
  });
  // Node adds this header itself.
  const { host: _host, ...sent } = signed.headers;
  url.search = new URLSearchParams(query).toString();
  return fetch(url, { method: 'POST', headers: sent, body: text, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function unreachable({ action }: AwsCall, cause: unknown): never {
  throw new Error(`${action} got no response.`, { cause });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In a header (Lambda) or the body (CodeDeploy). Messages may quote input. */
function typeOf({ headers }: Response, body: unknown): string {
  const { __type: type } = Object(body) as { __type?: string };
  return headers.get('x-amzn-errortype') ?? type ?? 'error';
}

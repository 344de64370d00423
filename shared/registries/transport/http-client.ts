import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { publicLookup } from '../../core/public-address.ts';
import { beginSubsegment, type SubsegmentEnd } from '../../core/trace.ts';
import { type HttpResult, readResponse } from './http-response.ts';
import { reportResponse } from './observe-responses.ts';

/**
 * One JSON request to a provider. A request is never repeated once a byte of it may have reached the provider. The
 * client uses node:http, because fetch takes twice the CPU time.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Checked by `checkBaseUrl`. It may contain an identity number and is never logged. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly maxBytes?: number;
}

const MAX_BYTES = 2 * 1024 * 1024;
/**
 * Shorter than the usual keep-alive time of servers, so that we do not write into a socket that a provider is closing.
 */
const IDLE_MS = 4_000;

const agentOptions = { keepAlive: true, timeout: IDLE_MS, maxSockets: 64, maxFreeSockets: 8 };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);
let lastUseMs = 0;

/** Sends the request. */
export async function requestJson(request: HttpRequest): Promise<HttpResult> {
  const end = beginSubsegment(request.url.host);
  const result = await send(request);
  if (result.kind === 'response')
    reportResponse({ url: request.url, status: result.status, json: result.json });
  void end?.(subsegmentEnd(request, result));
  return result;
}

/** Includes only the host of the URL, because the path and the query may contain the number. */
function subsegmentEnd({ method, url }: HttpRequest, result: HttpResult): SubsegmentEnd {
  const request = { method, url: `${url.origin}/` };
  const namespace = 'remote';
  if (result.kind !== 'response')
    return { errorName: `${result.kind}: ${result.detail}`, fields: { namespace, http: { request } } };
  const { status } = result;
  return { status, fields: { namespace, http: { request, response: { status } } } };
}

async function send(request: HttpRequest): Promise<HttpResult> {
  dropFrozenSockets();
  const first = await attempt(request);
  if (first.kind !== 'unreachable' || first.sent || Date.now() >= request.deadlineMs) return first;
  return attempt(request);
}

/**
 * Drops sockets that were idle for too long. Their timers do not fire while Lambda freezes the instance between calls.
 */
function dropFrozenSockets(): void {
  const now = Date.now();
  if (now - lastUseMs > IDLE_MS) {
    for (const agent of [httpAgent, httpsAgent]) {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
  }
  lastUseMs = now;
}

function attempt(request: HttpRequest): Promise<HttpResult> {
  const remainingMs = request.deadlineMs - Date.now();
  if (remainingMs <= 0) return Promise.resolve({ kind: 'timeout', sent: false, detail: 'no-time-left' });

  return new Promise((resolve) => {
    let sent = false;
    const outgoing = open(request);
    const settle = (result: HttpResult) => {
      clearTimeout(timer);
      resolve(result);
      if (result.kind !== 'response') outgoing.destroy();
    };
    const timer = setTimeout(
      () => settle({ kind: 'timeout', sent, detail: sent ? 'after-sending' : 'before-sending' }),
      remainingMs,
    );
    outgoing.on('socket', (socket) =>
      whenConnected(socket, request.url, () => {
        sent = true;
      }),
    );
    outgoing.on('error', (error) => settle(networkError(error, sent)));
    outgoing.on('response', (incoming) => readResponse(incoming, request.maxBytes ?? MAX_BYTES, settle));
  });
}

/** Calls `connected` when bytes can reach the provider: once the socket is connected (for TLS, after the handshake). */
function whenConnected(socket: Socket, url: URL, connected: () => void): void {
  if (!socket.connecting && !isHandshaking(socket)) connected();
  else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
}

function isHandshaking(socket: Socket & { readonly secureConnecting?: boolean }): boolean {
  return socket.secureConnecting === true;
}

function open(request: HttpRequest): ReturnType<typeof httpRequest> {
  const { method, url } = request;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    ...request.headers,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'identity-verification-service',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
  // checkBaseUrl permits plain http only for loopback addresses, so their resolved address needs no check.
  const outgoing =
    url.protocol === 'https:'
      ? httpsRequest(url, { method, headers, agent: httpsAgent, lookup: publicLookup })
      : httpRequest(url, { method, headers, agent: httpAgent });
  outgoing.end(body);
  return outgoing;
}

/** Only the error's code is kept, such as ECONNREFUSED, because its message may quote the address. */
function networkError(error: Error & { readonly code?: string }, sent: boolean): HttpResult {
  const code = error.code ?? error.name;
  // HPE codes come from the HTTP parser: something responded, but not with HTTP.
  if (code.startsWith('HPE_')) return { kind: 'invalid', detail: 'not-http' };
  return { kind: 'unreachable', sent, detail: code };
}

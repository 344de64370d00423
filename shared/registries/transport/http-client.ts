import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { beginSubsegment, type SubsegmentEnd } from '../../core/trace.ts';
import { publicLookup } from './address.ts';
import { type HttpResponse, receive } from './http-response.ts';

/**
 * One JSON call to a registry, as data: network trouble is an answer, not an exception. node:http over keep-alive
 * agents (a fetch costs twice the CPU), one deadline over everything from the name look-up to the last byte, a size
 * cap, no redirects, no decompression, no cookies. Nothing is sent twice once a byte may have reached the registry.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** From checkBaseUrl; identity numbers in it are never logged. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly maxBytes?: number;
}

const MAX_BYTES = 2 * 1024 * 1024;
/** Shorter than any registry's keep-alive, so that we do not write into a socket that it is just closing. */
const IDLE_MS = 4_000;

const agentOptions = { keepAlive: true, timeout: IDLE_MS, maxSockets: 64, maxFreeSockets: 8 };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);
let lastUseMs = 0;

/** Sends the request; once more where the first try provably never left this machine and time remains. */
export async function requestJson(request: HttpRequest): Promise<HttpResponse> {
  const end = beginSubsegment(request.url.host);
  const answer = await send(request);
  void end?.(endOf(request, answer));
  return answer;
}

/** Of the address only the host: path and query may carry the number. */
function endOf({ method, url }: HttpRequest, answer: HttpResponse): SubsegmentEnd {
  const request = { method, url: `${url.origin}/` };
  const namespace = 'remote';
  if (answer.kind !== 'response')
    return { trouble: `${answer.kind}: ${answer.detail}`, fields: { namespace, http: { request } } };
  const { status } = answer;
  return { status, fields: { namespace, http: { request, response: { status } } } };
}

async function send(request: HttpRequest): Promise<HttpResponse> {
  dropFrozenSockets();
  const first = await attempt(request);
  if (first.kind !== 'unreachable' || first.sent || Date.now() >= request.deadlineMs) return first;
  return attempt(request);
}

/** Lambda freezes between calls and its timers with it: sockets that slept through their idle time are dead. */
function dropFrozenSockets(): void {
  const now = Date.now();
  if (now - lastUseMs > IDLE_MS) {
    for (const agent of [httpAgent, httpsAgent]) {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
  }
  lastUseMs = now;
}

function attempt(request: HttpRequest): Promise<HttpResponse> {
  const remainingMs = request.deadlineMs - Date.now();
  if (remainingMs <= 0) return Promise.resolve({ kind: 'timeout', sent: false, detail: 'no-time-left' });

  return new Promise((resolve) => {
    let sent = false;
    const outgoing = open(request);
    const settle = (answer: HttpResponse) => {
      clearTimeout(timer);
      resolve(answer);
      if (answer.kind !== 'response') outgoing.destroy();
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
    outgoing.on('error', (error) => settle(networkTrouble(error, sent)));
    outgoing.on('response', (incoming) => receive(incoming, request.maxBytes ?? MAX_BYTES, settle));
  });
}

/** Bytes can reach the registry once its socket stands (for TLS: once the handshake is done), not before. */
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
  // Plain http passes checkBaseUrl on the local stage only, where private addresses are meant.
  const outgoing =
    url.protocol === 'https:'
      ? httpsRequest(url, { method, headers, agent: httpsAgent, lookup: publicLookup })
      : httpRequest(url, { method, headers, agent: httpAgent });
  outgoing.end(body);
  return outgoing;
}

/** Only the code of an error is told, such as ECONNREFUSED; its message may quote the address and stays out. */
function networkTrouble(error: Error & { readonly code?: string }, sent: boolean): HttpResponse {
  const code = error.code ?? error.name;
  // HPE: the parser's refusals. Something answered, though not HTTP.
  if (code.startsWith('HPE_')) return { kind: 'invalid', detail: 'not-http' };
  return { kind: 'unreachable', sent, detail: code };
}

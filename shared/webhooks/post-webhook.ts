import { lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { checkedLookup, isLoopbackHost, ONLY_IPV6, PRIVATE_ADDRESS } from '../core/public-address.ts';
import { type AddressRules, parseAddress } from './address.ts';
import type { FailureReason } from './delivery.ts';
import { responseText } from './response-text.ts';

/** One attempt to send an event. */
export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** From the DNS look-up to the end. */
  readonly timeoutMs: number;
}

export type PostResult =
  | { readonly kind: 'delivered'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly status?: number;
      /** The first 2 KB of the response's body, if they are text, without long numbers. */
      readonly text?: string | undefined;
    };

export type PostWebhook = (post: WebhookPost) => Promise<PostResult>;

const REASONS: Readonly<Record<string, FailureReason>> = {
  [PRIVATE_ADDRESS]: 'ADDRESS_NOT_PERMITTED',
  [ONLY_IPV6]: 'ADDRESS_NOT_PERMITTED',
  ENOTFOUND: 'NAME_NOT_FOUND',
  EAI_AGAIN: 'NAME_NOT_FOUND',
  ENODATA: 'NAME_NOT_FOUND',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'CONNECTION_REFUSED',
  ENETUNREACH: 'CONNECTION_REFUSED',
  ETIMEDOUT: 'CONNECTION_REFUSED',
  // The connection ended in the middle of a status.
  HPE_INVALID_EOF_STATE: 'CONNECTION_LOST',
  EPROTO: 'TLS_FAILED',
};

const CERTIFICATE_REASONS: Readonly<Record<string, FailureReason>> = {
  CERT_NOT_YET_VALID: 'CERTIFICATE_NOT_YET_VALID',
  CERT_HAS_EXPIRED: 'CERTIFICATE_EXPIRED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CERTIFICATE_WRONG_NAME',
};

const STATUS = /^\s*HTTP\/\d(?:\.\d)? +(\d{3})(?!\d)/i;
const END_OF_HEADERS = /\r?\n\r?\n/;
/** How long the body is waited for after the status of a failure. It explains the failure, but changes nothing. */
const BODY_MS = 1_000;
/** Of a status and what precedes it. Each byte may arrive alone, and all are then read again. */
const MOST_CHARACTERS = 8 * 1024;

/**
 * Each attempt has its own connection, whose own DNS look-up checks the IP address: a separate look-up could differ.
 * Redirects are not followed.
 */
export function webhookPoster(rules: AddressRules): PostWebhook {
  return (post) => {
    const url = parseAddress(post.url, rules);
    // The rules may have changed since.
    if (typeof url === 'string') return Promise.resolve({ kind: 'failed', reason: 'ADDRESS_NOT_PERMITTED' });
    return new Promise((resolve) => {
      const outgoing = open(url, post, rules);
      const text = responseText(outgoing, () => end());
      let decided: PostResult | undefined;
      /** What happens after the status decides nothing. */
      const end = (result: PostResult = { kind: 'failed', reason: 'CONNECTION_LOST' }) => {
        for (const timer of timers) clearTimeout(timer);
        const known = decided ?? result;
        resolve(known.kind === 'failed' && known.status !== undefined ? { ...known, text: text() } : known);
        outgoing.destroy();
      };
      const timers = [setTimeout(() => end({ kind: 'failed', reason: 'TIMEOUT' }), post.timeoutMs)];
      const decide = (status: number) => {
        decided = resultOf(status);
        if (decided.kind === 'delivered') end();
        else timers.push(setTimeout(end, BODY_MS));
      };
      outgoing.on('socket', (socket) => readStatus(socket, decide));
      outgoing.on('error', (error) => end({ kind: 'failed', reason: reasonOf(error, outgoing.socket) }));
      outgoing.end(post.body);
    });
  };
}

function open(url: URL, { headers, body }: WebhookPost, { resolve = lookup }: AddressRules) {
  const options = {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'identity-verification-webhooks',
    },
    agent: false,
  };
  // Loopback only, which needs no check.
  if (url.protocol === 'http:') return httpRequest(url, options);
  return httpsRequest(
    url,
    isLoopbackHost(url.hostname) ? options : { ...options, lookup: checkedLookup(resolve) },
  );
}

/**
 * The status decides, whatever follows: a receiver that has accepted an event must not receive it again because Node.js
 * rejects its headers.
 */
function readStatus(socket: Socket, decide: (status: number) => void): void {
  let head = '';
  // Before Node's parser, which destroys the socket if it rejects the response.
  const read = (data: Buffer) => {
    head = `${head}${data.toString('latin1')}`.slice(0, MOST_CHARACTERS);
    const status = statusIn(head);
    if (status !== undefined || head.length === MOST_CHARACTERS) socket.off('data', read);
    if (status !== undefined) decide(status);
  };
  socket.prependListener('data', read);
}

/** Skips interim responses, such as 100 and 103. */
function statusIn(head: string): number | undefined {
  const status = STATUS.exec(head)?.[1];
  if (status === undefined) return undefined;
  if (!status.startsWith('1') || status === '101') return Number(status);
  const end = END_OF_HEADERS.exec(head);
  return end ? statusIn(head.slice(end.index + end[0].length)) : undefined;
}

function resultOf(status: number): PostResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status >= 300 && status < 400) return { kind: 'failed', reason: 'REDIRECT', status };
  return { kind: 'failed', reason: status === 410 ? 'GONE' : 'HTTP_STATUS', status };
}

/** A message may quote the address. */
function reasonOf(error: Error & { readonly code?: string }, socket: Socket | null): FailureReason {
  const code = error.code ?? '';
  if (socket instanceof TLSSocket && socket.authorizationError)
    return CERTIFICATE_REASONS[code] ?? 'CERTIFICATE_NOT_TRUSTED';
  const reason = REASONS[code];
  if (reason) return reason;
  if (code.startsWith('HPE_')) return 'NOT_HTTP';
  return code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') ? 'TLS_FAILED' : 'CONNECTION_LOST';
}

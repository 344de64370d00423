import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { checkedLookup, isLoopbackHost, PRIVATE_ADDRESS } from '../core/public-address.ts';
import { type AddressRules, parseAddress } from './address.ts';
import type { FailureReason } from './delivery.ts';

/** One attempt to send an event. */
export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** From the DNS look-up to the response's status. */
  readonly timeoutMs: number;
}

/** The body of a response is neither read nor stored. */
export type PostResult =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status?: number };

export type PostWebhook = (post: WebhookPost) => Promise<PostResult>;

const REASONS: Readonly<Record<string, FailureReason>> = {
  [PRIVATE_ADDRESS]: 'ADDRESS_NOT_PERMITTED',
  ENOTFOUND: 'NAME_NOT_FOUND',
  EAI_AGAIN: 'NAME_NOT_FOUND',
  ENODATA: 'NAME_NOT_FOUND',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS_FAILED',
  EPROTO: 'TLS_FAILED',
  CERT_HAS_EXPIRED: 'TLS_FAILED',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS_FAILED',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS_FAILED',
};

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
      const end = (result: PostResult) => {
        clearTimeout(timer);
        resolve(result);
        outgoing.destroy();
      };
      const timer = setTimeout(() => end({ kind: 'failed', reason: 'TIMEOUT' }), post.timeoutMs);
      outgoing.on('response', (incoming) => end(resultOf(incoming)));
      outgoing.on('error', (error) => end({ kind: 'failed', reason: reasonOf(error) }));
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

function resultOf({ statusCode: status = 0 }: IncomingMessage): PostResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status >= 300 && status < 400) return { kind: 'failed', reason: 'REDIRECT', status };
  return { kind: 'failed', reason: status === 410 ? 'GONE' : 'HTTP_STATUS', status };
}

/** A message may quote the address. */
function reasonOf(error: Error & { readonly code?: string }): FailureReason {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return 'NOT_HTTP';
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.startsWith('UNABLE_TO_'))
    return 'TLS_FAILED';
  return REASONS[code] ?? 'CONNECTION_LOST';
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import type { Customer } from './customers.ts';
import type { Journal, RequestLine } from './journal.ts';

/** A verification that a customer wants and pays for once. */
export interface Verification {
  readonly customer: Customer;
  readonly route: string;
  readonly body: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
  /** Label of the API key to use until it is rejected, instead of the customer's current one. */
  readonly oldKeyLabel?: string;
  /**
   * Unless it gives up, the client sends at least one more request than this. Those after the one that returned the
   * record are free replays.
   */
  readonly repeats: number;
}

export type ClientResponse = Pick<
  RequestLine,
  'status' | 'code' | 'reason' | 'charged' | 'requestId' | 'provider' | 'isReplay' | 'retryAfterSeconds'
>;

/** Longer than the service ever takes (docs/guides/outages.md). */
const TIMEOUT_MS = 60_000;

/** A client that follows docs/guides/idempotency.md: an Idempotency-Key, Retry-After, exponential backoff, and a limit on retries. */
export class Client {
  readonly #baseUrl: string;
  readonly #journal: Journal;
  readonly #random: Random;
  readonly #pending = new Set<Promise<ClientResponse>>();

  constructor(baseUrl: string, journal: Journal, random: Random) {
    this.#baseUrl = baseUrl;
    this.#journal = journal;
    this.#random = random;
  }

  /** The number of verifications without a final response. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a verification and retries it. Returns the final response. */
  verify(verification: Verification): Promise<ClientResponse> {
    const verifying = this.#verify(verification);
    this.#pending.add(verifying);
    return verifying.finally(() => this.#pending.delete(verifying));
  }

  async #verify(verification: Verification): Promise<ClientResponse> {
    const { customer, oldKeyLabel, repeats } = verification;
    let label = oldKeyLabel ?? customer.keyLabel;
    let isOpen = false;
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(verification, label);
      isOpen = isStillOpen(isOpen, response.code);
      if (response.status === 200 && attempt > repeats) return response;
      const isRejectedKey = response.code === 'INVALID_API_KEY' && label !== customer.keyLabel;
      if (isRejectedKey || !oldKeyLabel) label = customer.keyLabel;
      if (isRejectedKey || response.status === 200) continue;
      const pauseMs = pauseAfter(response, attempt, this.#random.next(), isOpen);
      if (pauseMs === undefined) return response;
      await sleep(pauseMs);
    }
  }

  async #send(verification: Verification, keyLabel: string): Promise<ClientResponse> {
    const { customer, route, idempotencyKey } = verification;
    const { phase } = this.#journal;
    const sentAtMs = Date.now();
    const apiKey = customer.keys.get(keyLabel) ?? '';
    const response = await send(`${this.#baseUrl}/v1/ng/${route}`, verification, apiKey);
    this.#journal.request({
      phase,
      wallet: customer.wallet,
      keyLabel,
      idempotencyKey,
      route,
      cost: customer.prices[route] ?? 1,
      sentAtMs,
      ...response,
    });
    return response;
  }
}

const NO_RESPONSE: ClientResponse = {
  status: 0,
  code: 'cut',
  reason: '',
  charged: '',
  requestId: '',
  provider: '',
  isReplay: false,
  retryAfterSeconds: null,
};

async function send(
  url: string,
  { body, idempotencyKey }: Verification,
  apiKey: string,
): Promise<ClientResponse> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return read(response, (await response.json()) as Envelope);
  } catch {
    return NO_RESPONSE;
  }
}

interface Envelope {
  readonly code: string;
  readonly error: { readonly reason?: string } | null;
  readonly summary: { readonly provider: string };
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}

function read({ status, headers }: Response, { code, error, summary, meta }: Envelope): ClientResponse {
  const retryAfter = headers.get('retry-after');
  // If a process is killed, the gateway responds instead, without a timestamp (contract C1).
  const isCut = status >= 500 && meta.timestamp === '';
  return {
    status,
    code: isCut ? 'cut' : code,
    reason: error?.reason ?? '',
    charged: headers.get('x-credits-charged') ?? '',
    requestId: meta.request_id,
    provider: summary.provider,
    isReplay: headers.get('idempotent-replayed') === 'true',
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  };
}

/**
 * Codes after which the client does not know whether it was charged. It retries until it knows: the idempotency key of
 * a killed request is in progress for 40 s, and the retry may be killed too.
 */
const UNKNOWN = ['cut', 'REQUEST_IN_PROGRESS', 'OUTCOME_UNKNOWN'];
const UNKNOWN_ATTEMPTS = 40;
const BUSY = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE'];
const BUSY_ATTEMPTS = 5;
const MAX_PAUSE_MS = 8_000;

/**
 * Returns whether the client still does not know if its verification was charged. A rejection before the idempotency
 * key is read says nothing about an earlier attempt.
 */
export function isStillOpen(wasOpen: boolean, code: string): boolean {
  return UNKNOWN.includes(code) || (wasOpen && BUSY.includes(code));
}

/** Returns the milliseconds until the next attempt; undefined if this response is final. `random` is from 0 up to 1. */
export function pauseAfter(
  { code, retryAfterSeconds }: Pick<ClientResponse, 'code' | 'retryAfterSeconds'>,
  attempt: number,
  random: number,
  isOpen = UNKNOWN.includes(code),
): number | undefined {
  if (attempt >= (isOpen ? UNKNOWN_ATTEMPTS : attemptsAfter(code))) return undefined;
  const backoffMs = Math.min(1_000 * 2 ** (attempt - 1), MAX_PAUSE_MS) * (0.5 + random / 2);
  return Math.max(backoffMs, (retryAfterSeconds ?? 0) * 1_000);
}

function attemptsAfter(code: string): number {
  if (BUSY.includes(code)) return BUSY_ATTEMPTS;
  return code === 'TIMEOUT' || code.endsWith('VERIFICATION_FAILED') ? 2 : 1;
}

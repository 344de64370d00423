import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import type { Customer } from './customers.ts';
import type { Journal, RequestLine } from './journal.ts';

/** Something that a customer wants to know, and pays for once. */
export interface Wish {
  readonly customer: Customer;
  readonly route: string;
  readonly body: Readonly<Record<string, string>>;
  /** The Idempotency-Key. */
  readonly key: string;
  /** Uses this key whatever the customer's servers use, until it is refused. */
  readonly forgetfulOf?: string;
  /** Sends again after the data, as a client whose own memory failed: free. */
  readonly repeats: number;
}

/** One answer as its client sees it. */
export type Seen = Pick<
  RequestLine,
  'status' | 'code' | 'charged' | 'requestId' | 'provider' | 'isReplay' | 'retryAfterSeconds'
>;

const COST = 1;
/** Longer than the service ever takes (docs/api.md, "Idempotency and charging"). */
const PATIENCE_MS = 60_000;

/** A customer's client as docs/api.md wants it: a key for each wish, Retry-After, doubling pauses, an end. */
export class Client {
  readonly #baseUrl: string;
  readonly #journal: Journal;
  readonly #random: Random;
  readonly #open = new Set<Promise<Seen>>();

  constructor(baseUrl: string, journal: Journal, random: Random) {
    this.#baseUrl = baseUrl;
    this.#journal = journal;
    this.#random = random;
  }

  /** Wishes that have no last answer yet. */
  get open(): number {
    return this.#open.size;
  }

  /** Sends and repeats until there is a last answer: that. */
  fulfil(wish: Wish): Promise<Seen> {
    const fulfilling = this.#fulfil(wish);
    this.#open.add(fulfilling);
    return fulfilling.finally(() => this.#open.delete(fulfilling));
  }

  async #fulfil(wish: Wish): Promise<Seen> {
    let label = wish.forgetfulOf ?? wish.customer.keyLabel;
    for (let attempt = 1; ; attempt += 1) {
      const seen = await this.#send(wish, label);
      if (seen.status === 200 && attempt > wish.repeats) return seen;
      const isRefusedKey = seen.code === 'INVALID_API_KEY' && label !== wish.customer.keyLabel;
      label = isRefusedKey || !wish.forgetfulOf ? wish.customer.keyLabel : label;
      const pauseMs =
        isRefusedKey || seen.status === 200 ? 0 : pauseAfter(seen, attempt, this.#random.next());
      if (pauseMs === undefined) return seen;
      await sleep(pauseMs);
    }
  }

  async #send(wish: Wish, keyLabel: string): Promise<Seen> {
    const { customer, route, key } = wish;
    const { phase } = this.#journal;
    const sentAtMs = Date.now();
    const seen = await ask(`${this.#baseUrl}/v1/ng/${route}`, wish, customer.keys.get(keyLabel) ?? '');
    const who = { wallet: customer.wallet, keyLabel, wish: key, route, cost: COST };
    this.#journal.request({ phase, ...who, sentAtMs, ...seen });
    return seen;
  }
}

const LOST: Seen = {
  ...{ status: 0, code: 'cut', charged: '', requestId: '', provider: '' },
  ...{ isReplay: false, retryAfterSeconds: null },
};

async function ask(url: string, { body, key }: Wish, apiKey: string): Promise<Seen> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return read(response, (await response.json()) as Envelope);
  } catch {
    return LOST;
  }
}

interface Envelope {
  readonly code: string;
  readonly summary: { readonly provider: string };
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}

function read({ status, headers }: Response, { code, summary, meta }: Envelope): Seen {
  const retryAfter = headers.get('retry-after');
  // The gateway's own answer for a process that died has no time (decision C1).
  const isCut = status >= 500 && meta.timestamp === '';
  return {
    status,
    code: isCut ? 'cut' : code,
    charged: headers.get('x-credits-charged') ?? '',
    requestId: meta.request_id,
    provider: summary.provider,
    isReplay: headers.get('idempotent-replayed') === 'true',
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  };
}

/**
 * What may have been charged, or is still under way: a client goes on until it knows. A cut request keeps its key for
 * 40 s, and the next one may be cut too.
 */
const UNSURE = ['cut', 'REQUEST_IN_PROGRESS', 'OUTCOME_UNKNOWN'];
const UNSURE_TRIES = 40;
const BUSY = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE'];
const BUSY_TRIES = 5;
const LONGEST_PAUSE_MS = 8_000;

/** Milliseconds until the next try; undefined where this answer is the last. `draw` is from 0 up to 1. */
export function pauseAfter(
  { code, retryAfterSeconds }: Pick<Seen, 'code' | 'retryAfterSeconds'>,
  attempt: number,
  draw: number,
): number | undefined {
  const tries = UNSURE.includes(code) ? UNSURE_TRIES : BUSY.includes(code) ? BUSY_TRIES : onceMore(code);
  if (attempt >= tries) return undefined;
  const doubled = Math.min(1_000 * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.5 + draw / 2);
  return Math.max(doubled, (retryAfterSeconds ?? 0) * 1_000);
}

function onceMore(code: string): number {
  return code === 'TIMEOUT' || code.endsWith('VERIFICATION_FAILED') ? 2 : 1;
}

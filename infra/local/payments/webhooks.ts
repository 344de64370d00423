import { createHmac } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import type { Environment } from '../../../shared/core/environment.ts';

/** Retries on Paystack's documented schedule until the receiver responds with 200. */

/** Paystack waits 30 s for a response. */
const TIMEOUT_MS = 30_000;
const LAST_RETRY_MS: Readonly<Record<Environment, number>> = { live: 72 * HOUR_MS, test: 10 * HOUR_MS };
const QUICK_RETRIES = 4;

export type Signature = 'good' | 'bad' | 'none';

interface Message {
  readonly mode: Environment;
  readonly reference: string;
  readonly event: string;
  readonly body: string;
  readonly signature: Signature;
}

/** `status` is 0 if there was no response. */
export interface Delivery {
  readonly reference: string;
  readonly event: string;
  readonly attempt: number;
  readonly at: string;
  readonly status: number;
}

interface WebhookOptions {
  readonly url: string;
  readonly keys: Readonly<Record<Environment, string>>;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

interface Waiting {
  readonly message: Message;
  readonly firstMs: number;
  readonly attempt: number;
  readonly dueMs: number;
}

/**
 * Live: 3 minutes for the first four retries, then an hour, until 72 hours. Test: an hour, until 10 hours. Undefined if
 * there are no more.
 */
export function retryAfterMs(mode: Environment, attempt: number, sinceFirstMs: number): number | undefined {
  const wait = mode === 'live' && attempt <= QUICK_RETRIES ? 3 * MINUTE_MS : HOUR_MS;
  return sinceFirstMs + wait > LAST_RETRY_MS[mode] ? undefined : wait;
}

export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #deliveries: Delivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #waiting: Waiting[] = [];
  #held: Message[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #closed = new AbortController();

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  send(message: Message): void {
    this.#start({ message, firstMs: this.#options.nowMs(), attempt: 1, dueMs: 0 });
  }

  /** Keeps a message until `release` sends it. */
  hold(message: Message): void {
    this.#held.push(message);
  }

  /** Returns how many it sent. */
  release(reference: string): number {
    const released = this.#held.filter((message) => message.reference === reference);
    this.#held = this.#held.filter((message) => message.reference !== reference);
    for (const message of released) this.send(message);
    return released.length;
  }

  /** Waits for the responses. */
  async sendDue(): Promise<void> {
    const nowMs = this.#options.nowMs();
    const due = this.#waiting.filter(({ dueMs }) => dueMs <= nowMs);
    this.#waiting = this.#waiting.filter(({ dueMs }) => dueMs > nowMs);
    for (const waiting of due) this.#start(waiting);
    await this.idle();
  }

  /** Does not wait for retries. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async deliveries(reference: string): Promise<readonly Delivery[]> {
    await this.idle();
    return this.#deliveries.filter((delivery) => delivery.reference === reference);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
  }

  #start(waiting: Waiting): void {
    const attempt = this.#attempt(waiting).finally(() => this.#underWay.delete(attempt));
    this.#underWay.add(attempt);
  }

  async #attempt({ message, firstMs, attempt }: Waiting): Promise<void> {
    const status = await this.#post(message);
    if (this.#closed.signal.aborted) return;
    const nowMs = this.#options.nowMs();
    const { reference, event, mode } = message;
    this.#deliveries.push({ reference, event, attempt, at: new Date(nowMs).toISOString(), status });
    const waitMs = status === 200 ? undefined : retryAfterMs(mode, attempt, nowMs - firstMs);
    if (waitMs === undefined) return;
    this.#waiting.push({ message, firstMs, attempt: attempt + 1, dueMs: nowMs + waitMs });
    this.#wakeUp();
  }

  /** Never rejects. */
  async #post({ mode, body, signature }: Message): Promise<number> {
    const key = signature === 'bad' ? `${this.#options.keys[mode]}-other` : this.#options.keys[mode];
    const signed = createHmac('sha512', key).update(body).digest('hex');
    try {
      const response = await fetch(this.#options.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature !== 'none' && { 'x-paystack-signature': signed }),
        },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closed.signal]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  #wakeUp(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...this.#waiting.map(({ dueMs }) => dueMs));
    if (!Number.isFinite(next)) return;
    const waitMs = Math.max(0, next - this.#options.nowMs());
    this.#timer = setTimeout(() => void this.sendDue().then(() => this.#wakeUp()), waitMs).unref();
  }
}

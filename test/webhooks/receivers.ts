import type { PostResult, WebhookPost } from '../../shared/webhooks/post-webhook.ts';
import type { Process } from '../ledger/simulation/process.ts';
import type { Random } from '../ledger/simulation/random.ts';
import type { SeenPost } from './checker/evidence.ts';
import type { Behaviour } from './plan.ts';

export interface ReceiverOptions {
  readonly random: Random;
  readonly behaviourAt: (url: string, nowMs: number) => Behaviour;
  /** The probability that the sender is killed while its request is on its way. */
  readonly killed: number;
  /** How long a 200 response takes. @default 40 to 400 ms */
  readonly okMs?: number;
}

/**
 * The result of a request, and the range of milliseconds after which it arrives. If the receiver hangs, the sender
 * reaches its time limit.
 */
const OUTCOMES: Readonly<
  Record<Behaviour, { readonly result: PostResult; readonly afterMs: readonly [number, number] }>
> = {
  ok: { result: { kind: 'delivered', status: 200 }, afterMs: [40, 400] },
  slow: { result: { kind: 'delivered', status: 202 }, afterMs: [5_000, 14_000] },
  hang: { result: { kind: 'failed', reason: 'TIMEOUT' }, afterMs: [15_000, 15_000] },
  reset: { result: { kind: 'failed', reason: 'CONNECTION_LOST' }, afterMs: [10, 100] },
  error: { result: { kind: 'failed', reason: 'HTTP_STATUS', status: 500 }, afterMs: [40, 400] },
  gone: { result: { kind: 'failed', reason: 'GONE', status: 410 }, afterMs: [40, 400] },
  redirect: { result: { kind: 'failed', reason: 'REDIRECT', status: 302 }, afterMs: [40, 400] },
};

export class Receivers {
  readonly posts: SeenPost[] = [];
  readonly #options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Sends a request from a process, which may be killed before the response arrives. */
  send(process: Process, { url, headers, body, timeoutMs }: WebhookPost): Promise<PostResult> {
    const { random, behaviourAt, killed, okMs } = this.#options;
    const { world } = process;
    const atMs = world.nowMs;
    const behaviour = behaviourAt(url, atMs);
    const { result, afterMs } = OUTCOMES[behaviour];
    const planned = behaviour === 'ok' ? okMs : undefined;
    const tookMs = Math.min(timeoutMs, planned ?? random.between(...afterMs));
    const seen = result.kind === 'delivered' ? 'ok' : result.reason === 'GONE' ? 'gone' : 'failed';
    this.posts.push({ atMs, endMs: atMs + tookMs, url, headers, body, result: seen });
    if (random.chance(killed)) world.at(atMs + random.between(0, tookMs), () => process.kill());
    return new Promise((done) => process.resume(atMs + tookMs, () => done(result)));
  }
}

import { HOUR_MS } from '../../shared/core/clock.ts';
import type { DeliveryMessage } from '../../shared/webhooks/delivery.ts';
import type { QueueEvent, QueueResponse } from '../../shared/webhooks/handle-messages.ts';
import type { Random } from '../ledger/simulation/random.ts';
import type { World } from '../ledger/simulation/world.ts';

/**
 * The delivery queue and its event source mapping in virtual time. Messages may be delivered twice. A function that is
 * killed never responds, and its messages become visible again.
 */

interface Message {
  readonly id: string;
  readonly body: string;
  visibleAtMs: number;
  receivedAtMs: number;
  receives: number;
  handle: string;
  isDeleted: boolean;
}

export interface QueueOptions {
  readonly world: World;
  readonly random: Random;
  /** The largest number of concurrent runs of the function. */
  readonly instances: number;
  /** The largest number of messages in a run. */
  readonly batch: number;
  readonly duplicates: number;
  /** Runs the function. The promise never settles if its process is killed. */
  readonly run: (event: QueueEvent) => Promise<QueueResponse>;
}

const VISIBILITY_MS = 168_000;
const FUNCTION_TIMEOUT_MS = 28_000;
const LONGEST_HIDE_MS = 12 * HOUR_MS;
const MOST_RECEIVES = 1_000;

export class SimulatedQueue {
  readonly deadLetters: Message[] = [];
  readonly #options: QueueOptions;
  readonly #byHandle = new Map<string, Message>();
  readonly #visible: Message[] = [];
  #running = 0;
  #count = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  send(message: DeliveryMessage): void {
    this.sendBody(JSON.stringify(message));
  }

  sendBody(body: string, delayMs = 0): void {
    this.#count += 1;
    const visibleAtMs = this.#options.world.nowMs + delayMs;
    const message = { id: `m${this.#count}`, body, visibleAtMs };
    this.#hideUntil({ ...message, receivedAtMs: 0, receives: 0, handle: '', isDeleted: false }, visibleAtMs);
  }

  /** As the function sends a message to the dead-letter queue. */
  setAside(body: string): void {
    const times = { visibleAtMs: 0, receivedAtMs: 0, receives: 0 };
    this.deadLetters.push({ id: '', body, ...times, handle: '', isDeleted: false });
  }

  /** Hides a message that was received. Rejects what SQS rejects. */
  hide(handle: string, seconds: number): void {
    const message = this.#byHandle.get(handle);
    // The message was received again, or deleted: SQS accepts the call, which has no effect.
    if (!message || message.isDeleted || message.handle !== handle) return;
    const { nowMs } = this.#options.world;
    if (!Number.isInteger(seconds) || seconds < 0)
      throw new Error('The time is not a whole number of seconds.');
    const visibleAtMs = nowMs + seconds * 1000;
    if (visibleAtMs - message.receivedAtMs > LONGEST_HIDE_MS)
      throw new Error('The time is longer than 12 hours.');
    this.#hideUntil(message, visibleAtMs);
  }

  #hideUntil(message: Message, visibleAtMs: number): void {
    message.visibleAtMs = visibleAtMs;
    this.#options.world.at(visibleAtMs, () => {
      if (!message.isDeleted && message.visibleAtMs === visibleAtMs) this.#show(message);
    });
  }

  #show(message: Message): void {
    this.#visible.push(message);
    // Runs after everything that happens at this moment, so that a batch can have several messages.
    this.#options.world.at(this.#options.world.nowMs, () => this.#pump());
  }

  #pump(): void {
    const { instances } = this.#options;
    while (this.#running < instances && this.#visible.length > 0) this.#start(this.#receive());
  }

  #receive(): Message[] {
    const { batch, world, random, duplicates } = this.#options;
    const received: Message[] = [];
    while (received.length < batch && this.#visible.length > 0) {
      const message = this.#visible.shift();
      if (!message || message.isDeleted || received.includes(message)) continue;
      message.receives += 1;
      if (message.receives > MOST_RECEIVES) {
        message.isDeleted = true;
        this.deadLetters.push(message);
        continue;
      }
      message.receivedAtMs = world.nowMs;
      this.#count += 1;
      message.handle = `${message.id}-${this.#count}`;
      this.#byHandle.set(message.handle, message);
      this.#hideUntil(message, world.nowMs + VISIBILITY_MS);
      received.push(message);
      // Another SQS server may still deliver the message.
      if (duplicates > 0 && random.chance(duplicates))
        world.at(world.nowMs + random.between(0, 2_000), () => {
          if (!message.isDeleted) this.#show(message);
        });
    }
    return received;
  }

  #start(messages: readonly Message[]): void {
    if (messages.length === 0) return;
    const { world, run } = this.#options;
    this.#running += 1;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      this.#pump();
    };
    world.at(world.nowMs + FUNCTION_TIMEOUT_MS, end);
    const handles = new Map(messages.map((message) => [message.id, message.handle]));
    const Records = messages.map(({ id, body, handle }) => ({ messageId: id, receiptHandle: handle, body }));
    void run({ Records }).then(({ batchItemFailures }) => {
      const kept = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const message of messages)
        if (!isOver && !kept.has(message.id)) {
          message.isDeleted = true;
          this.#byHandle.delete(handles.get(message.id) ?? '');
        }
      end();
    });
  }
}

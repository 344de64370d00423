import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import { TimeHeap } from './time-heap.ts';

/** A standard SQS queue, in memory. */

export interface QueueSettings {
  readonly name: string;
  readonly arn: string;
  readonly visibilityTimeoutMs: number;
  readonly retentionMs: number;
  readonly delayMs: number;
  /** The dead-letter queue, to which a message moves instead of being received more than `maxReceives` times. */
  readonly redrive?: { readonly arn: string; readonly maxReceives: number } | undefined;
}

/** A message as it is received. */
export interface ReceivedMessage {
  readonly id: string;
  readonly body: string;
  readonly receiptHandle: string;
  readonly group: string | undefined;
  readonly sentAtMs: number;
  readonly firstReceivedAtMs: number;
  /** How many times the message was received, including this time. */
  readonly receives: number;
}

export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

interface Message {
  readonly id: string;
  readonly body: string;
  readonly group: string | undefined;
  readonly sentAtMs: number;
  state: 'delayed' | 'visible' | 'in-flight' | 'deleted';
  visibleAtMs: number;
  receives: number;
  receivedAtMs: number;
  firstReceivedAtMs: number;
  receiptHandle: string;
}

interface Group {
  readonly visible: Message[];
  inFlight: number;
}

/** The maximum time for which SQS hides a message after it was received. */
const MAX_HIDDEN_MS = 12 * HOUR_MS;

export class Queue {
  readonly settings: QueueSettings;
  readonly #nowMs: () => number;
  readonly #deadLetters: Queue | undefined;
  readonly #groups = new Map<string, Group>();
  /** Messages that are not visible, by the time at which they become visible. */
  readonly #hidden = new TimeHeap<Message>();
  readonly #byHandle = new Map<string, Message>();
  readonly #listeners = new Set<() => void>();
  #delayed = 0;

  constructor(settings: QueueSettings, deadLetters?: Queue, nowMs: () => number = Date.now) {
    this.settings = settings;
    this.#deadLetters = deadLetters;
    this.#nowMs = nowMs;
  }

  /** Adds a message and returns its ID. */
  send(
    body: string,
    { group, delayMs }: { group?: string | undefined; delayMs?: number | undefined } = {},
  ): string {
    const id = randomUUID();
    this.#add({ id, body, group, sentAtMs: this.#nowMs() }, delayMs ?? this.settings.delayMs);
    return id;
  }

  /** Receives up to `most` messages and hides them. Groups with fewer messages in flight come first. */
  receive(most: number, visibilityTimeoutMs = this.settings.visibilityTimeoutMs): ReceivedMessage[] {
    this.#show();
    const received: ReceivedMessage[] = [];
    while (received.length < most) {
      const message = this.#takeVisible();
      if (!message) break;
      received.push(this.#hide(message, visibilityTimeoutMs));
    }
    return received;
  }

  /** Deletes a message. The handle of an earlier receive has no effect. Returns false if the handle is not valid. */
  delete(receiptHandle: string): boolean {
    this.#show();
    const message = this.#byHandle.get(receiptHandle);
    if (message) this.#remove(message);
    return message !== undefined || isHandle(receiptHandle);
  }

  /** Hides a received message for `forMs` from now. 0 makes it visible at once. */
  changeVisibility(receiptHandle: string, forMs: number): 'changed' | 'not-in-flight' | 'too-long' {
    this.#show();
    const message = this.#byHandle.get(receiptHandle);
    if (message?.state !== 'in-flight') return 'not-in-flight';
    const visibleAtMs = this.#nowMs() + forMs;
    if (visibleAtMs - message.receivedAtMs > MAX_HIDDEN_MS) return 'too-long';
    message.visibleAtMs = visibleAtMs;
    this.#hidden.add(visibleAtMs, message);
    this.#changed();
    return 'changed';
  }

  counts(): QueueCounts {
    this.#show();
    const groups = [...this.#groups.values()];
    const sum = (numberOf: (group: Group) => number) =>
      groups.reduce((total, group) => total + numberOf(group), 0);
    return {
      visible: sum(({ visible }) => visible.length),
      inFlight: sum(({ inFlight }) => inFlight),
      delayed: this.#delayed,
    };
  }

  /** Returns when the next hidden message becomes visible, or undefined if none is hidden. */
  nextVisibleAtMs(): number | undefined {
    return this.#hidden.firstAtMs(isHidden);
  }

  /**
   * Calls the listener when a message may have become visible earlier than expected. Returns a function that stops
   * the calls.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(message: Pick<Message, 'id' | 'body' | 'group' | 'sentAtMs'>, delayMs: number): void {
    const visibleAtMs = this.#nowMs() + delayMs;
    const never = { receives: 0, receivedAtMs: 0, firstReceivedAtMs: 0, receiptHandle: '' };
    const added: Message = { ...message, ...never, state: 'delayed', visibleAtMs };
    this.#delayed += 1;
    if (delayMs > 0) this.#hidden.add(visibleAtMs, added);
    else this.#makeVisible(added);
    this.#changed();
  }

  /** Makes visible all messages whose time has come. */
  #show(): void {
    const nowMs = this.#nowMs();
    for (let due = this.#hidden.take(nowMs, isHidden); due; due = this.#hidden.take(nowMs, isHidden))
      this.#makeVisible(due);
  }

  #makeVisible(message: Message): void {
    const group = this.#groupOf(message);
    if (message.state === 'in-flight') group.inFlight -= 1;
    if (message.state === 'delayed') this.#delayed -= 1;
    message.state = 'visible';
    group.visible.push(message);
  }

  /**
   * Takes the oldest message of the group with the fewest messages in flight. Drops expired messages, and moves
   * messages that were received too often to the dead-letter queue.
   */
  #takeVisible(): Message | undefined {
    const nowMs = this.#nowMs();
    for (;;) {
      let next: Group | undefined;
      for (const group of this.#groups.values())
        if (group.visible.length > 0 && (!next || group.inFlight < next.inFlight)) next = group;
      const message = next?.visible.shift();
      if (!message) return undefined;
      const { redrive, retentionMs } = this.settings;
      const isDead = redrive !== undefined && message.receives >= redrive.maxReceives;
      if (!isDead && nowMs - message.sentAtMs < retentionMs) return message;
      this.#remove(message);
      if (isDead && this.#deadLetters) this.#deadLetters.#add(message, 0);
    }
  }

  #hide(message: Message, forMs: number): ReceivedMessage {
    const nowMs = this.#nowMs();
    this.#byHandle.delete(message.receiptHandle);
    message.receiptHandle = `${message.id}/${randomUUID()}`;
    this.#byHandle.set(message.receiptHandle, message);
    message.receives += 1;
    message.receivedAtMs = nowMs;
    if (message.receives === 1) message.firstReceivedAtMs = nowMs;
    message.state = 'in-flight';
    message.visibleAtMs = nowMs + forMs;
    this.#groupOf(message).inFlight += 1;
    this.#hidden.add(message.visibleAtMs, message);
    const { id, body, receiptHandle, group, sentAtMs, firstReceivedAtMs, receives } = message;
    return { id, body, receiptHandle, group, sentAtMs, firstReceivedAtMs, receives };
  }

  #remove(message: Message): void {
    const group = this.#groupOf(message);
    if (message.state === 'in-flight') group.inFlight -= 1;
    const index = message.state === 'visible' ? group.visible.indexOf(message) : -1;
    if (index >= 0) group.visible.splice(index, 1);
    message.state = 'deleted';
    this.#byHandle.delete(message.receiptHandle);
    if (group.inFlight === 0 && group.visible.length === 0) this.#groups.delete(message.group ?? '');
    this.#changed();
  }

  #groupOf({ group = '' }: Message): Group {
    const found = this.#groups.get(group) ?? { visible: [], inFlight: 0 };
    this.#groups.set(group, found);
    return found;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the message will still become visible at `atMs`. Its time may have changed since `atMs` was added. */
function isHidden({ state, visibleAtMs }: Message, atMs: number): boolean {
  return (state === 'delayed' || state === 'in-flight') && visibleAtMs === atMs;
}

const isHandle = (text: string) => /^[\da-f-]{36}\/[\da-f-]{36}$/.test(text);

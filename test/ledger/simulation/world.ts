/** A discrete-event simulation: the clock jumps from event to event, in an order that the seed determines. */

/** A scheduled event. Setting `action` to undefined cancels it. */
export interface ScheduledEvent {
  readonly atMs: number;
  readonly order: number;
  action: (() => unknown) | undefined;
}

/** Waits until all settled promises have run their callbacks. */
const runCallbacks = () => new Promise<void>((done) => setImmediate(done));

export class World {
  nowMs: number;
  /** A binary heap with the next event first. */
  private readonly heap: ScheduledEvent[] = [];
  private order = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  at(atMs: number, action: () => unknown): ScheduledEvent {
    this.order += 1;
    const event = { atMs: Math.max(atMs, this.nowMs), order: this.order, action };
    this.heap.push(event);
    this.rise(this.heap.length - 1);
    return event;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((done) => this.at(this.nowMs + ms, done));
  }

  /** Runs all events up to the given time, and sets the clock to it. */
  async run(untilMs: number): Promise<void> {
    await runCallbacks();
    for (let next = this.heap[0]; next && next.atMs <= untilMs; next = this.heap[0]) {
      this.removeFirst();
      if (!next.action) continue;
      this.nowMs = next.atMs;
      await next.action();
      await runCallbacks();
    }
    this.nowMs = untilMs;
  }

  /** Returns the time of the last scheduled event, or now if nothing is scheduled. */
  lastMs(): number {
    return this.heap.reduce(
      (latest, { action, atMs }) => (action ? Math.max(latest, atMs) : latest),
      this.nowMs,
    );
  }

  private rise(position: number): void {
    let at = position;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.isOrdered(parent, at)) return;
      this.swap(parent, at);
      at = parent;
    }
  }

  private removeFirst(): void {
    const last = this.heap.pop();
    if (!last || this.heap.length === 0) return;
    this.heap[0] = last;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = right < this.heap.length && this.isOrdered(right, left) ? right : left;
      if (child >= this.heap.length || this.isOrdered(at, child)) return;
      this.swap(at, child);
      at = child;
    }
  }

  private isOrdered(first: number, second: number): boolean {
    const [a, b] = [this.heap[first], this.heap[second]];
    if (!a || !b) return true;
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }

  private swap(first: number, second: number): void {
    const [a, b] = [this.heap[first], this.heap[second]];
    if (a && b) [this.heap[first], this.heap[second]] = [b, a];
  }
}

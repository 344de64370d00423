/** A clock that jumps from event to event. Everything in a history happens in it, in an order that the seed fixes. */

/** Something that will happen; cancelled by taking `act` away. */
export interface Happening {
  readonly atMs: number;
  readonly order: number;
  act: (() => unknown) | undefined;
}

/** Lets every promise that can go on go on. */
const settle = () => new Promise<void>((done) => setImmediate(done));

export class World {
  nowMs: number;
  /** A binary heap, the next event in front. */
  private readonly heap: Happening[] = [];
  private order = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  at(atMs: number, act: () => unknown): Happening {
    this.order += 1;
    const happening = { atMs: Math.max(atMs, this.nowMs), order: this.order, act };
    this.heap.push(happening);
    this.rise(this.heap.length - 1);
    return happening;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((done) => this.at(this.nowMs + ms, done));
  }

  /** Runs all events up to that instant, and leaves the clock there. */
  async run(untilMs: number): Promise<void> {
    await settle();
    for (let next = this.heap[0]; next && next.atMs <= untilMs; next = this.heap[0]) {
      this.removeFirst();
      if (!next.act) continue;
      this.nowMs = next.atMs;
      await next.act();
      await settle();
    }
    this.nowMs = untilMs;
  }

  /** The instant of the last event, or now. */
  lastMs(): number {
    return this.heap.reduce((latest, { act, atMs }) => (act ? Math.max(latest, atMs) : latest), this.nowMs);
  }

  private rise(place: number): void {
    let at = place;
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

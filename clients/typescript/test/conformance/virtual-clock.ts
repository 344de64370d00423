import { clock } from '../../src/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Time that only the test moves. Replaces the clock of the client until it is disposed. */
export class VirtualClock implements Disposable {
  readonly #real = { ...clock };
  readonly #timers = new Set<Timer>();
  nowMs = 0;
  /** The waits between attempts. */
  readonly waitsMs: number[] = [];

  constructor() {
    Object.assign(clock, {
      nowMs: () => this.nowMs,
      timer: (delayMs: number, callback: () => void) => {
        const timer = { atMs: this.nowMs + delayMs, callback };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
      sleep: async (delayMs: number) => {
        this.waitsMs.push(delayMs);
        this.advance(delayMs);
      },
    });
  }

  /** Moves the time forward. Stops at a timer that is due on the way: the client then gives up. */
  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
    if (!due) this.nowMs = endMs;
    else this.#fire(due);
  }

  /** Moves the time to the moment at which the client gives up. */
  advanceToTimer(): void {
    const [first] = [...this.#timers].sort((a, b) => a.atMs - b.atMs);
    if (first) this.#fire(first);
  }

  #fire(timer: Timer): void {
    this.nowMs = Math.max(this.nowMs, timer.atMs);
    this.#timers.delete(timer);
    timer.callback();
  }

  [Symbol.dispose](): void {
    Object.assign(clock, this.#real);
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { LedgerTools } from '../../../shared/ledger/dependencies.ts';
import type { Random } from './random.ts';
import type { Happening, World } from './world.ts';

/** A function instance: it can be frozen for a while, and killed, at every instant at which it waits. */
export class Process {
  isAlive = true;
  readonly tools: LedgerTools;
  readonly world: World;
  private thawMs = 0;

  constructor(world: World, random: Random, skewMs = 0) {
    this.world = world;
    this.tools = {
      nowMs: () => world.nowMs + skewMs,
      pause: (ms) => new Promise((done) => this.resume(world.nowMs + ms, done)),
      random: random.next,
    };
  }

  kill(): void {
    this.isAlive = false;
  }

  freeze(ms: number): void {
    this.thawMs = Math.max(this.thawMs, this.world.nowMs + ms);
  }

  /** Goes on at that instant; later where it is frozen then, and never where it is dead. */
  resume(atMs: number, act: () => unknown): Happening {
    return this.world.at(atMs, () => {
      if (!this.isAlive) return;
      if (this.thawMs > this.world.nowMs) this.resume(this.thawMs, act);
      else act();
    });
  }

  /** Runs code as this process, so that timers set in it are timers of the world. */
  run<T>(act: () => T): T {
    return running.run(this, act);
  }
}

const running = new AsyncLocalStorage<Process>();

class Timer {
  readonly happening: Happening;
  constructor(happening: Happening) {
    this.happening = happening;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

/** From here on `setTimeout` inside a process follows the world's clock; elsewhere it is the real one. */
export function installTimers(): void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const set = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const process = running.getStore();
    if (!process) return real.setTimeout(act, ms, ...args);
    return new Timer(process.resume(process.world.nowMs + ms, () => act(...args)));
  };
  const clear = (timer: unknown) => {
    if (timer instanceof Timer) timer.happening.act = undefined;
    else real.clearTimeout(timer as NodeJS.Timeout | undefined);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
}

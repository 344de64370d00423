import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import promised from 'node:timers/promises';
import type { Clock } from '../../../shared/core/clock.ts';
import type { Random } from './random.ts';
import type { ScheduledEvent, World } from './world.ts';

/** A process, such as a function instance. Whenever it waits, it can be killed, or frozen for a while. */
export class Process {
  isAlive = true;
  readonly clock: Clock;
  readonly world: World;
  /** The index of the function instance; undefined for other processes. */
  readonly instance: number | undefined;
  private thawMs = 0;

  constructor(world: World, random: Random, skewMs = 0, instance?: number) {
    this.world = world;
    this.instance = instance;
    this.clock = {
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

  /** Runs the action at the given time, or later if the process is frozen then, but never if it was killed. */
  resume(atMs: number, action: () => unknown): ScheduledEvent {
    return this.world.at(atMs, () => {
      if (!this.isAlive) return;
      if (this.thawMs > this.world.nowMs) this.resume(this.thawMs, action);
      else action();
    });
  }

  /** Runs code as this process, so that its timers follow the simulated clock. */
  run<T>(action: () => T): T {
    return running.run(this, action);
  }
}

const running = new AsyncLocalStorage<Process>();

class Timer {
  readonly event: ScheduledEvent;
  constructor(event: ScheduledEvent) {
    this.event = event;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

/**
 * Makes `setTimeout` inside a simulated process follow the simulated clock, as do the pauses of table modules, which are
 * promises. Elsewhere it stays the real one.
 */
export function installTimers(): void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const set = (action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const process = running.getStore();
    if (!process) return real.setTimeout(action, ms, ...args);
    return new Timer(process.resume(process.world.nowMs + ms, () => action(...args)));
  };
  const clear = (timer: unknown) => {
    if (timer instanceof Timer) timer.event.action = undefined;
    else real.clearTimeout(timer as NodeJS.Timeout | undefined);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  Object.assign(promised, { setTimeout: (ms: number) => new Promise((done) => set(done, ms)) });
  syncBuiltinESMExports();
}

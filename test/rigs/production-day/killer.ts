import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import type { DayService } from './day-service.ts';
import type { Journal } from './journal.ts';
import type { Route } from './traffic.ts';

/** The hot wallet's route is left alone: there the credits must come out to the last one while all see it. */
const VICTIMS: readonly Route[] = ['nin-basic', 'bvn-basic', 'tin-basic'];
const LOOK_MS = 20;

/** Kills a function's process now and then in the middle of a request, until it is stopped. */
export function startKiller(
  { control }: DayService,
  journal: Journal,
  random: Random,
): { stop(): Promise<void> } {
  const over = new AbortController();
  const { signal } = over;

  async function killOne(): Promise<void> {
    for (; !signal.aborted; await sleep(LOOK_MS)) {
      const busy = (await control.instances()).filter(
        (one) => one.busy && VICTIMS.some((route) => route === one.function),
      );
      const victim = busy[random.between(0, Math.max(0, busy.length - 1))];
      // Somewhere within the time that a request takes.
      if (victim) await sleep(random.next() * LOOK_MS);
      if (!victim || !(await control.kill(victim.pid))) continue;
      journal.note({ name: 'kill', route: victim.function, pid: victim.pid });
      return;
    }
  }

  async function killNowAndThen(): Promise<void> {
    while (!signal.aborted) {
      await sleep(3_000 + random.next() * 4_000, undefined, { signal }).catch(() => undefined);
      await killOne();
    }
  }

  const killing = killNowAndThen();
  return {
    async stop() {
      over.abort();
      await killing;
    },
  };
}

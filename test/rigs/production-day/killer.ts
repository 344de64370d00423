import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import { type Journal, requestsOf } from './journal.ts';
import type { SimulatedService } from './service.ts';
import type { Route } from './traffic.ts';

/** Excludes the hot wallet's route, whose customer must be rejected once the last credit is used. */
const VICTIMS: readonly Route[] = ['nin-basic', 'bvn-basic', 'tin-basic'];
const POLL_MS = 20;

/** How long the killer waits between kills: a random time within these limits, and for this number of responses. */
export interface KillPause {
  readonly minMs: number;
  readonly maxMs: number;
  /** Responses that were not cut off. Without this minimum, a slow machine would only start processes. */
  readonly responses: number;
}

export interface Killer {
  stop(): Promise<void>;
}

/** Kills function processes in the middle of a request (SIGKILL), until it is stopped. */
export function startKiller(
  { control }: SimulatedService,
  journal: Journal,
  random: Random,
  pause: KillPause,
): Killer {
  const stopped = new AbortController();
  const { signal } = stopped;
  /** Processes that an earlier poll saw without a request: they were idle, or still starting. */
  const warm = new Set<number>();

  async function killOne(): Promise<void> {
    for (; !signal.aborted; await sleep(POLL_MS * random.next())) {
      const instances = (await control.instances()).filter(({ function: name }) =>
        VICTIMS.some((route) => route === name),
      );
      for (const { busy, pid } of instances) if (!busy) warm.add(pid);
      const candidates = instances.filter(({ busy, pid }) => busy && warm.has(pid));
      const victim = candidates[random.between(0, Math.max(0, candidates.length - 1))];
      // Waits, so that the kill can happen at any time within a request.
      if (victim) await sleep(random.next() * POLL_MS);
      if (!victim || !(await control.kill(victim.pid))) continue;
      journal.event({ name: 'kill', route: victim.function, pid: victim.pid });
      return;
    }
  }

  async function killRepeatedly(): Promise<void> {
    while (!signal.aborted) {
      const complete = completeResponses(journal);
      const pauseMs = pause.minMs + random.next() * (pause.maxMs - pause.minMs);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      while (!signal.aborted && completeResponses(journal) < complete + pause.responses) await sleep(POLL_MS);
      await killOne();
    }
  }

  const killing = killRepeatedly();
  return {
    async stop() {
      stopped.abort();
      await killing;
    },
  };
}

function completeResponses({ lines }: Journal): number {
  return requestsOf(lines).filter(({ code }) => code !== 'cut').length;
}

import type { LambdaHandler } from '../../shared/http/chain.ts';
import { type Caller, codeOf, invoke } from './in-process.ts';
import type { MemoryService } from './memory-service.ts';
import { ninRoute } from './routes-in-memory.ts';

/**
 * Sends requests to function instances that serve one request at a time, as Lambda runs them, on a clock that only the
 * test moves. Look-ups take as long as the test says, but only by this clock.
 */

export interface LoadResponse {
  readonly sentMs: number;
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;
}

export interface LambdaLoad {
  /** The responses so far. */
  readonly responses: LoadResponse[];
  /** When each look-up reached the registry, in milliseconds since the start. */
  readonly lookUpsMs: number[];
  /** Sends a request this long after the start. */
  sendAt(atMs: number, who: Caller, nin: string): void;
  /** Kills every instance this long after the start. The requests that they were serving never end. */
  killAllAt(atMs: number): void;
  /** Runs until nothing is left to do. */
  run(): Promise<void>;
}

interface Instance {
  readonly handler: LambdaHandler;
  isKilled: boolean;
}

/**
 * Returns a load on instances of this service. `lookUp` returns what the registry finds, and is called when
 * `registryMs` have passed.
 */
export function lambdaLoad(
  service: MemoryService,
  registryMs: number,
  lookUp: MemoryService['registry']['lookUp'],
): LambdaLoad {
  const startMs = service.clock.nowMs;
  const agenda = new Map<number, (() => void)[]>();
  const at = (atMs: number, action: () => void) => agenda.set(atMs, [...(agenda.get(atMs) ?? []), action]);
  const sinceStartMs = () => service.clock.nowMs - startMs;
  let instances = new Set<Instance>();
  let idle: Instance[] = [];
  const killed: ((reason: Error) => void)[] = [];
  const load: LambdaLoad = {
    responses: [],
    lookUpsMs: [],
    sendAt: (atMs, who, nin) => at(atMs, () => void serve(who, nin)),
    killAllAt: (atMs) =>
      at(atMs, () => {
        for (const instance of instances) instance.isKilled = true;
        instances = new Set();
        idle = [];
      }),
    async run() {
      while (agenda.size > 0) {
        const nextMs = Math.min(...agenda.keys());
        const actions = agenda.get(nextMs) ?? [];
        agenda.delete(nextMs);
        service.clock.nowMs = startMs + nextMs;
        for (const action of actions) action();
        // All in-memory work is done once the promise queue is empty.
        await new Promise(setImmediate);
      }
      // Otherwise, their deadlines would pass while a later test runs in this process.
      for (const end of killed) end(new Error('The instance was killed.'));
      await new Promise(setImmediate);
    },
  };

  function startInstance(): Instance {
    const instance: Instance = { isKilled: false, handler: ninRoute(depsOf(() => instance.isKilled)) };
    instances.add(instance);
    return instance;
  }

  /** Returns the dependencies of one instance. The look-ups of a killed one end with the test. */
  function depsOf(isKilled: () => boolean) {
    const deps = service.newInstance();
    const registries = {
      ...deps.registries,
      lookUp: async (...[, query]: Parameters<typeof deps.registries.lookUp>) => {
        load.lookUpsMs.push(sinceStartMs());
        await new Promise<void>((resolve) => at(sinceStartMs() + registryMs, resolve));
        if (isKilled()) await new Promise((_, reject) => killed.push(reject));
        const provider = { name: 'scripted', displayName: 'Scripted' };
        return { result: await lookUp(query), provider, failedProviders: [] };
      },
    };
    return { ...deps, registries };
  }

  async function serve(who: Caller, nin: string): Promise<void> {
    const sentMs = sinceStartMs();
    const instance = idle.pop() ?? startInstance();
    const requestedAtMs = service.clock.nowMs;
    const response = await invoke(instance.handler, {
      key: who.text,
      body: JSON.stringify({ nin }),
      requestedAtMs,
    });
    if (instance.isKilled) return;
    idle.push(instance);
    const { statusCode: status, headers = {} } = response;
    const retryAfterSeconds = Number(headers['Retry-After'] ?? 0);
    load.responses.push({ sentMs, status, code: codeOf(response), retryAfterSeconds });
  }
  return load;
}

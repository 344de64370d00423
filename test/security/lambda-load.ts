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
  readonly responses: LoadResponse[];
  /** When each look-up reached the registry, in milliseconds since the start. */
  readonly lookUpsMs: number[];
  /** Sends a request this long after the start. */
  sendAt(atMs: number, who: Caller, nin: string): void;
  /** Runs until nothing is left to do. */
  run(): Promise<void>;
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
  const idle: LambdaHandler[] = [];
  const load: LambdaLoad = {
    responses: [],
    lookUpsMs: [],
    sendAt: (atMs, who, nin) => at(atMs, () => void serve(who, nin)),
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
    },
  };

  function startInstance(): LambdaHandler {
    const deps = service.newInstance();
    const registries = {
      ...deps.registries,
      lookUp: async (...[, query]: Parameters<typeof deps.registries.lookUp>) => {
        load.lookUpsMs.push(sinceStartMs());
        await new Promise<void>((resolve) => at(sinceStartMs() + registryMs, resolve));
        const provider = { name: 'scripted', displayName: 'Scripted' };
        return { result: await lookUp(query), provider, failedProviders: [] };
      },
    };
    return ninRoute({ ...deps, registries });
  }

  async function serve(who: Caller, nin: string): Promise<void> {
    const sentMs = sinceStartMs();
    const instance = idle.pop() ?? startInstance();
    const requestedAtMs = service.clock.nowMs;
    const response = await invoke(instance, {
      key: who.text,
      body: JSON.stringify({ nin }),
      requestedAtMs,
    });
    idle.push(instance);
    const { statusCode: status, headers = {} } = response;
    const retryAfterSeconds = Number(headers['Retry-After'] ?? 0);
    load.responses.push({ sentMs, status, code: codeOf(response), retryAfterSeconds });
  }
  return load;
}

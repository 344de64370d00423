import { randomUUID } from 'node:crypto';
import { FunctionInstance, type Outcome } from './function-instance.ts';
import type { FunctionLog } from './function-log.ts';
import type { FunctionDefinition } from './functions.ts';

export interface PoolOptions {
  readonly definition: FunctionDefinition;
  readonly maxInstances: number;
  readonly entryFile: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: FunctionLog;
}

/** What the invoker has to say once an instance takes its request; undefined where nobody waits any more. */
export type EventSource = (takenAtMs: number) => unknown;

interface Waiting {
  readonly event: EventSource;
  readonly done: (outcome: Outcome | undefined) => void;
}

/**
 * The instances of one function: started when they are needed, used again, replaced when they end. Requests
 * wait here, before their request time starts, while all instances are busy.
 */
export class FunctionPool {
  readonly definition: FunctionDefinition;
  readonly #options: PoolOptions;
  readonly #instances = new Set<FunctionInstance>();
  readonly #idle: FunctionInstance[] = [];
  readonly #waiting: Waiting[] = [];
  #closed = false;
  #retired: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.definition = options.definition;
    this.#options = options;
  }

  get instances(): readonly FunctionInstance[] {
    return [...this.#instances];
  }

  /** Runs the function with the event that `event` gives when an instance is free; see EventSource. */
  invoke(event: EventSource): Promise<Outcome | undefined> {
    return new Promise((done) => {
      this.#waiting.push({ event, done });
      this.#assign();
    });
  }

  /** Serves who waits or comes late, and keeps no instance that is idle. Resolves once all are gone. */
  retire(): Promise<void> {
    this.#retired ??= Promise.withResolvers();
    this.#dismiss();
    return this.#retired.promise;
  }

  /** Ends all instances; who still waits is told that they died. */
  close(): void {
    this.#closed = true;
    for (const { done } of this.#waiting.splice(0)) done({ kind: 'failed', reason: 'died' });
    for (const instance of this.#instances) instance.kill();
  }

  #assign(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const instance = this.#idle.pop();
      // What it was given now would be lost with it.
      if (!instance || instance.isEnding) continue;
      const waiting = this.#waiting.shift();
      if (waiting) void this.#run(instance, waiting);
    }
    const starting = [...this.#instances].filter((instance) => !instance.wasReady).length;
    const wanted = Math.min(
      this.#waiting.length - starting,
      this.#options.maxInstances - this.#instances.size,
    );
    for (let started = 0; started < wanted && !this.#closed; started += 1) this.#start();
    this.#dismiss();
  }

  /** Where the pool is retired, ends what has nothing to do. */
  #dismiss(): void {
    if (!this.#retired || this.#waiting.length > 0) return;
    for (const instance of this.#idle.splice(0)) instance.kill();
    if (this.#instances.size === 0) this.#retired.resolve();
  }

  async #run(instance: FunctionInstance, { event, done }: Waiting): Promise<void> {
    const content = event(Date.now());
    let outcome: Outcome | undefined;
    if (content !== undefined) {
      const requestId = randomUUID();
      const { arn, timeoutMs } = this.definition;
      outcome = await instance.invoke({ requestId, functionArn: arn, traceId: traceId() }, content);
      if (outcome.kind === 'failed') {
        const reason =
          outcome.reason === 'timeout' ? `Task timed out after ${timeoutMs / 1000} s` : outcome.reason;
        this.#tell('invocation failed', instance, { requestId, reason });
      }
    }
    done(outcome);
    if (this.#instances.has(instance)) this.#idle.push(instance);
    this.#assign();
  }

  #start(): void {
    const { definition, entryFile, environment, log } = this.#options;
    const instance: FunctionInstance = new FunctionInstance({
      definition,
      entryFile,
      environment,
      logDescriptor: log.descriptor,
      onReady: () => {
        this.#idle.push(instance);
        this.#assign();
      },
      onEnd: (_instance, how) => this.#ended(instance, how),
    });
    this.#instances.add(instance);
  }

  #ended(instance: FunctionInstance, how: string): void {
    this.#instances.delete(instance);
    const place = this.#idle.indexOf(instance);
    if (place >= 0) this.#idle.splice(place, 1);
    if (this.#closed) return;
    this.#tell('instance ended', instance, { how });
    // A bundle that does not load will not load the next time either: the first who waits learns it.
    if (!instance.wasReady) this.#waiting.shift()?.done({ kind: 'failed', reason: 'unable' });
    this.#assign();
  }

  #tell(event: string, { pid }: FunctionInstance, fields: Readonly<Record<string, string>>): void {
    this.#options.log.platform(event, { function: this.definition.name, pid, ...fields });
  }
}

function traceId(): string {
  const hex = randomUUID().replaceAll('-', '');
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${hex.slice(0, 24)};Parent=${hex.slice(8, 24)};Sampled=0`;
}

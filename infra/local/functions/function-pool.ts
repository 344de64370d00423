import { randomUUID } from 'node:crypto';
import type { FunctionDefinition } from './definitions.ts';
import { FunctionInstance, type InvocationResult } from './function-instance.ts';
import type { FunctionLog } from './function-log.ts';

interface PoolOptions {
  readonly definition: FunctionDefinition;
  readonly maxInstances: number;
  readonly entryFile: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: FunctionLog;
}

/**
 * Called when an instance takes the request. Undefined if the client has disconnected: the request is skipped.
 */
type CreateEvent = (startedAtMs: number) => unknown;

interface QueuedRequest {
  readonly createEvent: CreateEvent;
  readonly finish: (result: InvocationResult | undefined) => void;
  readonly waitTimer: NodeJS.Timeout | undefined;
}

/**
 * Instances start when they are needed, and process one request after another. The timeout starts when an instance
 * takes the request.
 */
export class FunctionPool {
  readonly definition: FunctionDefinition;
  readonly #options: PoolOptions;
  readonly #instances = new Set<FunctionInstance>();
  readonly #idle: FunctionInstance[] = [];
  readonly #queue: QueuedRequest[] = [];
  /** Running or in the queue. */
  #inProgress = 0;
  #closed = false;
  #retired: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.definition = options.definition;
    this.#options = options;
  }

  get maxInstances(): number {
    return this.#options.maxInstances;
  }

  get instances(): readonly FunctionInstance[] {
    return [...this.#instances];
  }

  /**
   * Undefined if skipped. After `maxWaitMs` in the queue (by default, never), fails as `not-started`; beyond the
   * reserved concurrency, at once as `throttled`.
   */
  async invoke(createEvent: CreateEvent, maxWaitMs?: number): Promise<InvocationResult | undefined> {
    const { name, reservedConcurrency = Number.POSITIVE_INFINITY } = this.definition;
    if (this.#inProgress >= reservedConcurrency) {
      this.#options.log.platform('throttled', { function: name });
      return { kind: 'failed', reason: 'throttled' };
    }
    this.#inProgress += 1;
    try {
      return await this.#enqueue(createEvent, maxWaitMs);
    } finally {
      this.#inProgress -= 1;
    }
  }

  #enqueue(createEvent: CreateEvent, maxWaitMs?: number): Promise<InvocationResult | undefined> {
    return new Promise((resolve) => {
      const request: QueuedRequest = {
        createEvent,
        finish: resolve,
        waitTimer: maxWaitMs === undefined ? undefined : setTimeout(() => this.#giveUp(request), maxWaitMs),
      };
      this.#queue.push(request);
      this.#assign();
    });
  }

  #giveUp(request: QueuedRequest): void {
    this.#queue.splice(this.#queue.indexOf(request), 1);
    request.finish({ kind: 'failed', reason: 'not-started' });
    this.#endIdle();
  }

  /** Takes the first request from the queue. */
  #takeRequest(): QueuedRequest | undefined {
    const request = this.#queue.shift();
    clearTimeout(request?.waitTimer);
    return request;
  }

  /** Serves the remaining requests. Resolves when all instances have ended. */
  retire(): Promise<void> {
    this.#retired ??= Promise.withResolvers();
    this.#endIdle();
    return this.#retired.promise;
  }

  /** Ends all instances. Queued requests fail. */
  close(): void {
    this.#closed = true;
    while (this.#queue.length > 0) this.#takeRequest()?.finish({ kind: 'failed', reason: 'exited' });
    for (const instance of this.#instances) instance.kill();
  }

  #assign(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const instance = this.#idle.pop();
      // Its request would be lost.
      if (!instance || instance.isEnding) continue;
      const request = this.#takeRequest();
      if (request) void this.#run(instance, request);
    }
    const starting = [...this.#instances].filter((instance) => !instance.wasReady).length;
    const wanted = Math.min(this.#queue.length - starting, this.#options.maxInstances - this.#instances.size);
    for (let started = 0; started < wanted && !this.#closed; started += 1) this.#start();
    this.#endIdle();
  }

  #endIdle(): void {
    if (!this.#retired || this.#queue.length > 0) return;
    for (const instance of this.#idle.splice(0)) instance.kill();
    if (this.#instances.size === 0) this.#retired.resolve();
  }

  async #run(instance: FunctionInstance, { createEvent, finish }: QueuedRequest): Promise<void> {
    const event = createEvent(Date.now());
    let result: InvocationResult | undefined;
    if (event !== undefined) {
      const requestId = randomUUID();
      const { arn, timeoutMs } = this.definition;
      result = await instance.invoke({ requestId, functionArn: arn, traceId: traceId() }, event);
      // A runtime that is stopping has closed its log.
      if (result.kind === 'failed' && !this.#closed) {
        const reason =
          result.reason === 'timeout' ? `Task timed out after ${timeoutMs / 1000} s` : result.reason;
        this.#log('invocation failed', instance, { requestId, reason });
      }
    }
    finish(result);
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
      onExit: (how) => this.#exited(instance, how),
    });
    this.#instances.add(instance);
  }

  #exited(instance: FunctionInstance, how: string): void {
    this.#instances.delete(instance);
    const index = this.#idle.indexOf(instance);
    if (index >= 0) this.#idle.splice(index, 1);
    if (this.#closed) return;
    this.#log('instance ended', instance, { how });
    // Otherwise, the requests for a bundle that cannot be loaded would wait for ever.
    if (!instance.wasReady) this.#takeRequest()?.finish({ kind: 'failed', reason: 'load-failed' });
    this.#assign();
  }

  #log(event: string, { pid }: FunctionInstance, fields: Readonly<Record<string, string>>): void {
    this.#options.log.platform(event, { function: this.definition.name, pid, ...fields });
  }
}

/** Like Lambda's, not sampled. */
function traceId(): string {
  const hex = randomUUID().replaceAll('-', '');
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${hex.slice(0, 24)};Parent=${hex.slice(8, 24)};Sampled=0`;
}

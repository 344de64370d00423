import type { DatabaseFault } from './aws/database-fault.ts';
import { type EventRule, eventForFunction, type PutEvent } from './aws/event-bus.ts';
import type { Authorise } from './aws/policy.ts';
import type { Queue } from './aws/queue.ts';
import type { TableStream } from './aws/table-stream.ts';
import type { Control, InstanceState, QueueState } from './control.ts';
import { invokeAsynchronously } from './functions/asynchronous-invocation.ts';
import type { FunctionFleet } from './functions/function-fleet.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import { type QueueMapping, startMapping } from './functions/queue-mappings.ts';
import { type Schedule, startSchedules } from './functions/schedules.ts';
import { type StreamMapping, startStreamMapping } from './functions/stream-mappings.ts';
import type { RestHandler } from './gateway/rest-api.ts';
import type { PerApi } from './gateway/rest-body.ts';

/** The parts that a deployment replaces: functions, routes, schedules, event rules, and mappings of queues and streams. */
export interface Version {
  readonly fleet: FunctionFleet;
  readonly restHandlers: PerApi<RestHandler>;
  /** The policies of all operator roles. */
  readonly authoriseOperator: Authorise;
  readonly schedules: readonly Schedule[];
  readonly eventRules: readonly EventRule[];
  readonly queueMappings: readonly QueueMapping[];
  readonly streamMappings: readonly StreamMapping[];
}

interface LiveVersionOptions {
  readonly initial: Version;
  readonly queues: readonly Queue[];
  /** By ARN. */
  readonly streams: ReadonlyMap<string, TableStream>;
  /** Synthesises the app again and creates its version. */
  readonly createNext: () => Promise<Version>;
  /** Replaces the faults of the AWS endpoint, which all versions share. */
  readonly setFaults: (faults: readonly DatabaseFault[]) => void;
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/**
 * The version that serves requests, and earlier versions until they have finished theirs. A deployment takes effect at
 * once, as on Lambda without a rollout.
 */
export class LiveVersion implements Control {
  readonly #options: LiveVersionOptions;
  readonly #retired = new Set<FunctionFleet>();
  #current: Version;
  #stopJobs: () => void;
  #isDeploying = false;

  constructor(options: LiveVersionOptions) {
    this.#options = options;
    this.#current = options.initial;
    this.#stopJobs = this.#startJobs(options.initial);
  }

  /** Returns handlers that pass each request to the current version. */
  get restHandlers(): PerApi<RestHandler> {
    const current = (name: keyof PerApi<RestHandler>): RestHandler => {
      return async (incoming, response) => this.#current.restHandlers[name]?.(incoming, response);
    };
    return {
      api: current('api'),
      ...(this.#current.restHandlers.console && { console: current('console') }),
      ...(this.#current.restHandlers.operators && { operators: current('operators') }),
    };
  }

  get authoriseOperator(): Authorise {
    return this.#current.authoriseOperator;
  }

  poolOf(functionArn: string): FunctionPool | undefined {
    return this.#current.fleet.poolOf(functionArn);
  }

  async instances(): Promise<InstanceState[]> {
    return this.#fleets().flatMap((fleet) => fleet.instances());
  }

  async kill(pid: number): Promise<boolean> {
    return this.#fleets().some((fleet) => fleet.kill(pid));
  }

  async queues(): Promise<QueueState[]> {
    return this.#options.queues.map((queue) => ({ name: queue.settings.name, ...queue.counts() }));
  }

  runSchedule(functionName: string): Promise<void> {
    return this.#current.fleet.runSchedule(functionName);
  }

  /** Runs the functions of the rules that match an event. Unlike on Lambda, a failed run is not retried. */
  publish(event: PutEvent): void {
    const { fleet, eventRules } = this.#current;
    const delivered = eventForFunction(event, Date.now());
    for (const { functionArn } of eventRules.filter((rule) => rule.matches(event)))
      fleet
        .run(functionArn, () => delivered)
        .catch((error: Error) => this.#options.log('event failed', { error: error.message }));
  }

  /** Invokes a function asynchronously. Returns false if there is no such function. */
  invoke(functionArn: string, event: unknown): boolean {
    const pool = this.poolOf(functionArn);
    if (!pool) return false;
    // A later attempt runs in the version that is then current.
    invokeAsynchronously(async () => this.poolOf(functionArn)?.invoke(() => event)).catch((error: Error) =>
      this.#options.log('invocation given up', { function: pool.definition.name, error: error.message }),
    );
    return true;
  }

  async deploy(): Promise<void> {
    if (this.#isDeploying) throw new Error('Another deployment is in progress.');
    this.#isDeploying = true;
    try {
      this.#switchTo(await this.#options.createNext());
    } finally {
      this.#isDeploying = false;
    }
  }

  async setFaults(faults: readonly DatabaseFault[]): Promise<void> {
    this.#options.setFaults(faults);
  }

  /** Kills every process. */
  close(): void {
    this.#stopJobs();
    for (const fleet of this.#fleets()) fleet.close();
  }

  #switchTo(version: Version): void {
    const { fleet } = this.#current;
    this.#stopJobs();
    this.#current = version;
    this.#stopJobs = this.#startJobs(version);
    this.#options.log('version deployed', {});
    this.#retired.add(fleet);
    void fleet.retire().then(() => {
      this.#retired.delete(fleet);
      this.#options.log('version retired', {});
    });
  }

  /** Starts the schedules and the mappings of queues and streams that run functions without a request. The returned function stops them. */
  #startJobs(version: Version): () => void {
    const { fleet, schedules } = version;
    const stopSchedules = startSchedules(schedules, (schedule) => {
      fleet.runScheduled(schedule).catch((error: Error) => {
        this.#options.log('schedule failed', { error: error.message });
      });
    });
    const stopMappings = [
      ...version.queueMappings.map((mapping) => this.#startMapping(version, mapping)),
      ...version.streamMappings.map((mapping) => this.#startStreamMapping(version, mapping)),
    ];
    return () => {
      stopSchedules();
      for (const stop of stopMappings) stop();
    };
  }

  /**
   * Starts a mapping. Limits its concurrency to the function's instances on this machine, because a received message
   * must not wait for an instance.
   */
  #startMapping({ fleet }: Version, mapping: QueueMapping): () => void {
    const queue = this.#options.queues.find(({ settings }) => settings.arn === mapping.queueArn);
    const pool = fleet.poolOf(mapping.functionArn);
    if (!queue || !pool) throw new Error(`${mapping.queueArn} or ${mapping.functionArn} does not exist.`);
    return startMapping({
      mapping,
      queue,
      maxConcurrency: Math.min(mapping.maxConcurrency ?? Number.POSITIVE_INFINITY, pool.maxInstances),
      invoke: (event) => pool.invoke(() => event),
    });
  }

  #startStreamMapping({ fleet }: Version, mapping: StreamMapping): () => void {
    const stream = this.#options.streams.get(mapping.streamArn);
    const pool = fleet.poolOf(mapping.functionArn);
    if (!stream || !pool) throw new Error(`${mapping.streamArn} or ${mapping.functionArn} does not exist.`);
    return startStreamMapping({
      mapping,
      stream,
      invoke: (event) => pool.invoke(() => event),
      onError: ({ message }) => this.#options.log('stream failed', { error: message }),
    });
  }

  #fleets(): FunctionFleet[] {
    return [this.#current.fleet, ...this.#retired];
  }
}

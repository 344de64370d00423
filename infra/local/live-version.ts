import type { DatabaseFault } from './aws/database-fault.ts';
import { deliveredEvent, type EventRule, type PutEvent } from './aws/event-bus.ts';
import type { Control, InstanceState } from './control.ts';
import type { FunctionFleet } from './functions/function-fleet.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import { type Schedule, startSchedules } from './functions/schedules.ts';
import type { RestHandler } from './gateway/rest-api.ts';
import type { PerApi } from './gateway/rest-body.ts';

/** What a deployment replaces: the functions of the app, its routes, its schedules and the rules of its events. */
export interface Version {
  readonly fleet: FunctionFleet;
  readonly restHandlers: PerApi<RestHandler>;
  readonly schedules: readonly Schedule[];
  readonly eventRules: readonly EventRule[];
}

export interface LiveVersionOptions {
  readonly initial: Version;
  /** Synthesises the app again and creates its version. */
  readonly createNext: () => Promise<Version>;
  /** Replaces the faults of the AWS endpoint, which all versions share. */
  readonly setFaults: (faults: readonly DatabaseFault[]) => void;
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/**
 * The version that serves requests, and earlier versions until they have finished theirs. As on Lambda, a deployment
 * takes effect at once.
 */
export class LiveVersion implements Control {
  readonly #options: LiveVersionOptions;
  readonly #retired = new Set<FunctionFleet>();
  #current: Version;
  #stopSchedules: () => void;
  #isDeploying = false;

  constructor(options: LiveVersionOptions) {
    this.#options = options;
    this.#current = options.initial;
    this.#stopSchedules = this.#startSchedules(options.initial);
  }

  /** Handlers that pass each request to the current version. */
  get restHandlers(): PerApi<RestHandler> {
    const current = (name: keyof PerApi<RestHandler>): RestHandler => {
      return async (incoming, response) => this.#current.restHandlers[name]?.(incoming, response);
    };
    return {
      api: current('api'),
      ...(this.#current.restHandlers.console && { console: current('console') }),
    };
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

  runSchedule(functionName: string): Promise<void> {
    return this.#current.fleet.runSchedule(functionName);
  }

  /** Runs the functions of the rules that match an event. Unlike on Lambda, a failed run is not repeated. */
  publish(event: PutEvent): void {
    const { fleet, eventRules } = this.#current;
    const delivered = deliveredEvent(event, Date.now());
    for (const { functionArn } of eventRules.filter((rule) => rule.matches(event)))
      fleet
        .run(functionArn, () => delivered)
        .catch((error: Error) => this.#options.log('event failed', { error: error.message }));
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

  /** Ends every process. */
  close(): void {
    this.#stopSchedules();
    for (const fleet of this.#fleets()) fleet.close();
  }

  #switchTo(version: Version): void {
    const { fleet } = this.#current;
    this.#stopSchedules();
    this.#current = version;
    this.#stopSchedules = this.#startSchedules(version);
    this.#options.log('version deployed', {});
    this.#retired.add(fleet);
    void fleet.retire().then(() => {
      this.#retired.delete(fleet);
      this.#options.log('version retired', {});
    });
  }

  #startSchedules({ fleet, schedules }: Version): () => void {
    return startSchedules(schedules, (schedule) => {
      fleet.runScheduled(schedule).catch((error: Error) => {
        this.#options.log('schedule failed', { error: error.message });
      });
    });
  }

  #fleets(): FunctionFleet[] {
    return [this.#current.fleet, ...this.#retired];
  }
}

import type { Control, InstanceState } from './control.ts';
import type { FunctionFleet } from './function-fleet.ts';
import type { FunctionPool } from './function-pool.ts';
import type { RestHandler } from './rest-api.ts';
import { type Schedule, startSchedules } from './schedules.ts';

/** What one synthesis gave and the next one replaces: the functions, and what calls them. */
export interface Version {
  readonly fleet: FunctionFleet;
  readonly restHandler: RestHandler;
  readonly schedules: readonly Schedule[];
}

export interface LiveVersionOptions {
  readonly first: Version;
  /** Makes the version that the app describes now. */
  readonly next: () => Promise<Version>;
  /** Told what the platform does, for the log. */
  readonly tell: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/**
 * The version that serves, and those before it until they have finished what they have: as on Lambda, where an alias
 * moves to a new version at once.
 */
export class LiveVersion implements Control {
  readonly #options: LiveVersionOptions;
  readonly #retired = new Set<FunctionFleet>();
  #current: Version;
  #stopSchedules: () => void;
  #isDeploying = false;

  constructor(options: LiveVersionOptions) {
    this.#options = options;
    this.#current = options.first;
    this.#stopSchedules = this.#schedule(options.first);
  }

  readonly restHandler: RestHandler = (incoming, response) => this.#current.restHandler(incoming, response);

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

  async deploy(): Promise<void> {
    if (this.#isDeploying) throw new Error('A deployment is under way.');
    this.#isDeploying = true;
    try {
      this.#shiftTo(await this.#options.next());
    } finally {
      this.#isDeploying = false;
    }
  }

  /** Ends every process. */
  close(): void {
    this.#stopSchedules();
    for (const fleet of this.#fleets()) fleet.close();
  }

  #shiftTo(version: Version): void {
    const { fleet } = this.#current;
    this.#stopSchedules();
    this.#current = version;
    this.#stopSchedules = this.#schedule(version);
    this.#options.tell('version deployed', {});
    this.#retired.add(fleet);
    void fleet.retire().then(() => {
      this.#retired.delete(fleet);
      this.#options.tell('version retired', {});
    });
  }

  #schedule({ fleet, schedules }: Version): () => void {
    return startSchedules(schedules, (schedule) => {
      const failed = (error: Error) => this.#options.tell('schedule failed', { words: error.message });
      fleet.runScheduled(schedule).catch(failed);
    });
  }

  #fleets(): FunctionFleet[] {
    return [this.#current.fleet, ...this.#retired];
  }
}

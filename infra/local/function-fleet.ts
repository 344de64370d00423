import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import type { AwsCredentials } from './callers.ts';
import type { InstanceState } from './control.ts';
import type { FunctionLog } from './function-log.ts';
import { FunctionPool } from './function-pool.ts';
import type { FunctionDefinition } from './functions.ts';
import { instanceEnvironment, sdkEnvironment } from './instance-environment.ts';
import { type Schedule, scheduledEvent } from './schedules.ts';

export interface FleetOptions {
  readonly definitions: readonly FunctionDefinition[];
  /** The program of the instances; see buildInstanceProgram. */
  readonly entryFile: string;
  readonly maxInstances: (definition: FunctionDefinition) => number;
  readonly log: FunctionLog;
  readonly awsEndpoint: string;
  readonly credentialsOf: (definition: FunctionDefinition) => AwsCredentials;
  readonly schedules: readonly Schedule[];
  /** Variables beside the declared ones, for tests. */
  readonly extraEnvironment: Readonly<Record<string, string>>;
}

/**
 * Bundles the instances' program into one JavaScript file: a process that has no types to strip starts in a third
 * of the time.
 */
export async function buildInstanceProgram(file: string): Promise<void> {
  const entry = fileURLToPath(new URL('instance.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile: file, bundle: true, platform: 'node', format: 'esm' });
  // The bundler's own process would stay as long as we do.
  await stop();
}

/** All functions of the deployment, each with its instances. */
export class FunctionFleet {
  readonly #pools = new Map<string, FunctionPool>();
  readonly #schedules: readonly Schedule[];

  constructor(options: FleetOptions) {
    this.#schedules = options.schedules;
    for (const definition of options.definitions) {
      const sdk = sdkEnvironment(options.awsEndpoint, options.credentialsOf(definition));
      const pool = new FunctionPool({
        definition,
        maxInstances: options.maxInstances(definition),
        entryFile: options.entryFile,
        environment: { ...instanceEnvironment(definition, sdk), ...options.extraEnvironment },
        log: options.log,
      });
      this.#pools.set(definition.arn, pool);
    }
  }

  poolOf(functionArn: string): FunctionPool | undefined {
    return this.#pools.get(functionArn);
  }

  /** Runs what a schedule names. Rejects where the function failed. */
  async runScheduled({ ruleArn, functionArn }: Schedule): Promise<void> {
    const pool = this.#pools.get(functionArn);
    const outcome = await pool?.invoke((takenAtMs) => scheduledEvent(ruleArn, takenAtMs));
    if (outcome?.kind === 'returned') return;
    throw new Error(
      `${pool?.definition.name ?? functionArn} failed: ${outcome?.reason ?? 'no such function'}.`,
    );
  }

  async runSchedule(functionName: string): Promise<void> {
    const schedule = this.#schedules.find(
      ({ functionArn }) => this.#pools.get(functionArn)?.definition.name === functionName,
    );
    if (!schedule) throw new Error(`No schedule runs a function ${functionName}.`);
    await this.runScheduled(schedule);
  }

  instances(): InstanceState[] {
    return [...this.#pools.values()].flatMap((pool) =>
      pool.instances.flatMap(({ pid, busy }) =>
        pid === undefined ? [] : [{ function: pool.definition.name, pid, busy }],
      ),
    );
  }

  /** SIGKILL, at once. False where no instance has this process id. */
  kill(pid: number): boolean {
    const all = [...this.#pools.values()].flatMap((pool) => pool.instances);
    const instance = all.find((one) => one.pid === pid);
    instance?.kill();
    return instance !== undefined;
  }

  /** Lets every function finish what it has; resolves when no process is left. */
  async retire(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.retire()));
  }

  /** Ends every process. */
  close(): void {
    for (const pool of this.#pools.values()) pool.close();
  }
}

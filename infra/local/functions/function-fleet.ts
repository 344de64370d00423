import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import type { InstanceState } from '../control.ts';
import type { FunctionDefinition } from './definitions.ts';
import type { FunctionLog } from './function-log.ts';
import { FunctionPool } from './function-pool.ts';
import { type Schedule, scheduledEvent } from './schedules.ts';

interface FleetOptions {
  readonly definitions: readonly FunctionDefinition[];
  /** The program of the instances. See `buildInstanceProgram`. */
  readonly entryFile: string;
  readonly maxInstances: (definition: FunctionDefinition) => number;
  readonly log: FunctionLog;
  /** Point AWS SDKs to the local endpoint and the function's credentials. */
  readonly sdkEnvironmentOf: (definition: FunctionDefinition) => Readonly<Record<string, string>>;
  readonly schedules: readonly Schedule[];
}

/** One JavaScript file starts three times as fast as TypeScript. */
export async function buildInstanceProgram(file: string): Promise<void> {
  const entry = fileURLToPath(new URL('instance-main.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile: file, bundle: true, platform: 'node', format: 'esm' });
  // esbuild's service process would run as long as this one.
  await stop();
}

export class FunctionFleet {
  readonly #pools = new Map<string, FunctionPool>();
  readonly #schedules: readonly Schedule[];

  constructor(options: FleetOptions) {
    this.#schedules = options.schedules;
    for (const definition of options.definitions) {
      const pool = new FunctionPool({
        definition,
        maxInstances: options.maxInstances(definition),
        entryFile: options.entryFile,
        environment: instanceEnvironment(definition, options.sdkEnvironmentOf(definition)),
        log: options.log,
      });
      this.#pools.set(definition.arn, pool);
    }
  }

  poolOf(functionArn: string): FunctionPool | undefined {
    return this.#pools.get(functionArn);
  }

  /** Rejects if the function fails. */
  runScheduled({ ruleArn, functionArn }: Schedule): Promise<void> {
    return this.run(functionArn, (startedAtMs) => scheduledEvent(ruleArn, startedAtMs));
  }

  /** Rejects if the function fails. */
  async run(functionArn: string, createEvent: (startedAtMs: number) => object): Promise<void> {
    const pool = this.#pools.get(functionArn);
    const result = await pool?.invoke(createEvent);
    if (result?.kind === 'returned') return;
    throw new Error(
      `${pool?.definition.name ?? functionArn} failed: ${result?.reason ?? 'no such function'}.`,
    );
  }

  async runSchedule(functionName: string): Promise<void> {
    const schedule = this.#schedules.find(
      ({ functionArn }) => this.#pools.get(functionArn)?.definition.name === functionName,
    );
    if (!schedule) throw new Error(`No schedule runs a function named ${functionName}.`);
    await this.runScheduled(schedule);
  }

  instances(): InstanceState[] {
    return [...this.#pools.values()].flatMap((pool) =>
      pool.instances.flatMap(({ pid, busy }) =>
        pid === undefined ? [] : [{ function: pool.definition.name, pid, busy }],
      ),
    );
  }

  /** With SIGKILL. False if there is no such process. */
  kill(pid: number): boolean {
    const instances = [...this.#pools.values()].flatMap((pool) => pool.instances);
    const instance = instances.find((candidate) => candidate.pid === pid);
    instance?.kill();
    return instance !== undefined;
  }

  /** Resolves when no process is left. */
  async retire(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.retire()));
  }

  /** Kills every process at once. */
  close(): void {
    for (const pool of this.#pools.values()) pool.close();
  }
}

/**
 * Those in the template, of the local endpoint, and that Lambda sets (developer guide, "Defined runtime environment
 * variables"). Without this machine's own, so that a variable that the template lacks is also missing locally.
 */
function instanceEnvironment(
  definition: FunctionDefinition,
  sdkEnvironment: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...definition.environment,
    ...sdkEnvironment,
    _HANDLER: definition.handler,
    LAMBDA_TASK_ROOT: definition.directory,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: definition.physicalName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.physicalName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  };
}

import { fork } from 'node:child_process';
import { join } from 'node:path';

/** How the bench measures: a new process for each sample, variants in turn, medians of the ratios within a round. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** The ratio of each pair, so that a slow minute of the machine affects both values. */
export function ratioOf(own: readonly number[], reference: readonly number[]): Spread {
  return spreadOf(own.map((value, round) => value / (reference[round] ?? Number.NaN)));
}

/** Processor time of this process since a moment, in milliseconds. A busy machine hardly changes it. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Runs a sample in a new process, and returns the result that it sends. Its output is discarded. */
export function sample<T>(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, `samples/${name}.ts`), args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let result: T | undefined;
    child.once('message', (message) => {
      result = message as T;
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (result === undefined)
        reject(
          new Error(
            `The sample ${name} exited with ${code} and without a result. Run test/rigs/bench/samples/${name}.ts to see why.`,
          ),
        );
      else resolve(result);
    });
  });
}

/** Takes samples of each variant in turn. The first round does not count. */
export async function inTurn<V extends string, T>(
  variants: readonly V[],
  rounds: number,
  take: (variant: V) => Promise<T>,
): Promise<Record<V, T[]>> {
  const taken = Object.fromEntries(variants.map((variant) => [variant, [] as T[]])) as Record<V, T[]>;
  for (let round = 0; round <= rounds; round += 1)
    for (const variant of variants) {
      const one = await take(variant);
      if (round > 0) taken[variant].push(one);
    }
  return taken;
}

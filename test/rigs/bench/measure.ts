import { fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * How the bench measures: it runs each sample in a new process, takes the variants in turn, and reports the median of
 * the ratios from all rounds.
 */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** For a ratio: the smallest own value divided by the smallest value of the reference. */
  readonly ofMinima?: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** Returns the spread of the ratios of the pairs: a slow minute of the machine affects both values of a pair. */
export function ratioOf(own: readonly number[], reference: readonly number[]): Spread {
  const { median, min, max } = spreadOf(own.map((value, round) => value / (reference[round] ?? Number.NaN)));
  return { median, min, max, ofMinima: Math.min(...own) / Math.min(...reference) };
}

/**
 * Returns this process's user processor time since an earlier measurement, in milliseconds. It excludes the time in the
 * kernel, which grows when other programs compete for the processors.
 */
export function cpuMs(since: NodeJS.CpuUsage): number {
  return process.cpuUsage(since).user / 1000;
}

/**
 * Runs a sample in a new process, and returns the result that it sends. Its output is discarded. The sample can call
 * `globalThis.gc`, to begin its measurement with a clean heap.
 */
export function sample<T>(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, `samples/${name}.ts`), args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [...process.execArgv, '--expose-gc'],
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

/** Takes samples of each variant in turn, in reverse order in every second round. The first round does not count. */
export async function inTurn<V extends string, T>(
  variants: readonly V[],
  rounds: number,
  take: (variant: V) => Promise<T>,
): Promise<Record<V, T[]>> {
  const taken = Object.fromEntries(variants.map((variant) => [variant, [] as T[]])) as Record<V, T[]>;
  const reversed = variants.toReversed();
  for (let round = 0; round <= rounds; round += 1)
    for (const variant of round % 2 === 0 ? variants : reversed) {
      const one = await take(variant);
      if (round > 0) taken[variant].push(one);
    }
  return taken;
}

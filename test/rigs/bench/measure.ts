import { fork } from 'node:child_process';
import { join } from 'node:path';

/** How the bench measures: fresh processes, the variants in turn, medians of what lies within one round. */

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

/** Pair by pair, so that a slow minute of the machine hits both sides. */
export function ratioOf(own: readonly number[], reference: readonly number[]): Spread {
  return spreadOf(own.map((value, round) => value / (reference[round] ?? Number.NaN)));
}

/** Processor time of this process since then, in milliseconds: nearly the same on a busy machine. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Runs one of the samples in a fresh process, which sends its result; what it logs is thrown away, which costs least. */
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
        reject(new Error(`The sample ${name} ended with ${code} and no result: run it by hand.`));
      else resolve(result);
    });
  });
}

/** Samples of each variant in turn, after one round that does not count. */
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

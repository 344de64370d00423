import { runInThreads } from './run-in-threads.ts';

/** One kind of random history. */
export interface Proof {
  /** `payments` or `webhooks`. */
  readonly name: string;
  readonly worker: string;
  /** The events that the histories must reach, because a run in which nothing happens violates no rule. */
  readonly mustReach: readonly string[];
}

/** The smallest number of histories that must reach everything in `mustReach`. Fewer might miss something. */
const LEAST_HISTORIES = 500;

/** Runs random histories and prints counts. Returns whether all rules hold and everything was reached. */
export async function prove(
  { name, worker, mustReach }: Proof,
  histories: number,
  firstSeed: number,
  threads: number,
): Promise<boolean> {
  const startedMs = performance.now();
  const { failed, counts, reached } = await runInThreads(worker, { firstSeed, histories }, [], threads);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${histories} histories in ${seconds} s, ${failed.length} with violations`);
  console.log(`  faults: ${list(counts)}`);
  console.log(`  reached: ${list(reached)}`);
  for (const { seed, violations } of failed.slice(0, 3))
    console.log(JSON.stringify({ seed, violations: violations.slice(0, 5) }, null, 1));
  const others = failed.slice(3, 50).map(({ seed }) => seed);
  if (others.length > 0) console.log(`  more failing seeds: ${others.join(' ')}`);
  const missed = histories < LEAST_HISTORIES ? [] : mustReach.filter((one) => !reached[one]);
  for (const one of missed) console.log(`No history reached: ${one}`);
  return failed.length === 0 && missed.length === 0;
}

/** The names of rejections can be long messages, so only their total is listed. */
function list(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).filter(([name]) => !name.startsWith('rejected: '));
  const rejected = Object.entries(counts).filter(([name]) => name.startsWith('rejected: '));
  const sum = rejected.reduce((total, [, count]) => total + count, 0);
  return [
    ...entries.map(([name, count]) => `${name} ${count}`),
    ...(sum > 0 ? [`rejected ${sum}`] : []),
  ].join(', ');
}

import { seededRandom } from '../ledger/simulation/random.ts';

/** `npm test` runs a random sample of the cases that would take minutes, and `npm run test:long` runs all of them. */

export const isComplete = process.env['ALL_CASES'] === '1';

const given = process.env['SAMPLE_SEED'];
/** Determines the random cases of a run. test/run.ts prints it. */
export const sampleSeed = given === undefined ? Date.now() % 1_000_000_000 : Number(given);

const random = seededRandom(sampleSeed);
let isPrinted = given !== undefined;

/**
 * Returns `count` random cases, in random order. Prints the seed if the environment has none: the same file with the
 * same `SAMPLE_SEED` chooses the same cases.
 */
export function randomCases<T>(cases: readonly T[], count: number): readonly T[] {
  if (!isPrinted) process.stderr.write(`Random cases: SAMPLE_SEED=${sampleSeed}\n`);
  isPrinted = true;
  const drawn = cases.map((one) => ({ one, order: random.next() }));
  return drawn
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

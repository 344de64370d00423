/** `npm test` runs a random sample of the cases that would take minutes, and `npm run test:long` runs all of them. */

/** Whether all cases run. */
export const isComplete = process.env['ALL_CASES'] === '1';

/** Returns `count` random cases, in random order. */
export function randomCases<T>(cases: readonly T[], count: number): readonly T[] {
  const drawn = cases.map((one) => ({ one, order: Math.random() }));
  return drawn
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

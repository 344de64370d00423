/** Result of the Mann-Whitney rank test, which tests whether two samples come from the same distribution. */
export interface RankTest {
  /** Probability that two samples of one distribution differ at least this much. Two-sided, for large samples. */
  readonly p: number;
  /** Probability that a value of `a` is larger than one of `b`; 0.5 if the samples do not differ. */
  readonly larger: number;
}

/** Compares two samples. Equal values share their ranks, and the normal approximation is corrected for them. */
export function rankTest(a: readonly number[], b: readonly number[]): RankTest {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((x, y) => x.value - y.value);
  let [rankSum, ties] = [0, 0];
  for (let first = 0; first < all.length; ) {
    let end = first;
    while (end < all.length && all[end]?.value === all[first]?.value) end += 1;
    const size = end - first;
    const shared = (first + 1 + end) / 2;
    rankSum += shared * all.slice(first, end).filter(({ isA }) => isA).length;
    ties += size ** 3 - size;
    first = end;
  }
  const [n, m, total] = [a.length, b.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = (u - (n * m) / 2) / deviation;
  return { p: 2 * (1 - normal(Math.abs(z))), larger: u / (n * m) };
}

/** Computes the normal distribution function, by Abramowitz and Stegun 26.2.17, with an error below 7.5e-8. */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const powers = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const tail = powers.reduce((sum, factor, index) => sum + factor * t ** (index + 1), 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

/**
 * Derives percentages from allotted shares, for registrations whose percentages the registry does not provide (contract
 * D4). They are rounded to two decimals by the largest remainder method, so that they add up to exactly 100.00.
 */
export function sharePercentages(shares: readonly number[]): (number | null)[] {
  const counts = shares.map((count) => (Number.isSafeInteger(count) && count > 0 ? BigInt(count) : 0n));
  const total = counts.reduce((sum, count) => sum + count, 0n);
  if (total === 0n) return shares.map(() => null);

  const hundredths = counts.map((count) => Number((count * 10_000n) / total));
  const remainders = counts.map((count, index) => ({ index, rest: (count * 10_000n) % total }));
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let missing = 10_000 - hundredths.reduce((sum, value) => sum + value, 0);
  for (const { index } of remainders) {
    if (missing === 0) break;
    hundredths[index] = (hundredths[index] ?? 0) + 1;
    missing -= 1;
  }
  return counts.map((count, index) => (count === 0n ? null : (hundredths[index] ?? 0) / 100));
}

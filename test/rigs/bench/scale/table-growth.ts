/** An on-demand table takes what it took before, twice over, and grows with its traffic (developer guide, "on-demand mode"). */

const NEW_TABLE_UNITS = 4_000;
/** The peak of the last half hour may be doubled; more than that within it is throttled. */
const WINDOW_SECONDS = 1_800;

export interface Growth {
  /** Write units a second at the beginning and the end, growing by the same factor each minute. */
  readonly fromUnits: number;
  readonly toUnits: number;
  readonly minutes: number;
  /** The quota of the table, which can be raised. */
  readonly quotaUnits: number;
}

/** Part of the writes that are throttled while traffic grows. */
export function throttledWrites({ fromUnits, toUnits, minutes, quotaUnits }: Growth): number {
  const seconds = minutes * 60;
  const peaks: number[] = [];
  let [asked, refused] = [0, 0];
  for (let second = 0; second < seconds; second += 1) {
    const units = fromUnits * (toUnits / fromUnits) ** (second / seconds);
    const before = peaks[second - WINDOW_SECONDS] ?? 0;
    const limit = Math.min(quotaUnits, Math.max(NEW_TABLE_UNITS, 2 * before));
    const taken = Math.min(units, limit);
    peaks.push(Math.max(peaks.at(-1) ?? 0, taken));
    asked += units;
    refused += units - taken;
  }
  return refused / asked;
}

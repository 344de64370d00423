/**
 * Returns a function that takes the times of the rows of each page, and returns the share of a list that has been read,
 * or undefined if it is not known yet. The list is sorted newest first and ends at `endMs`, which is NaN if it is not
 * known.
 */
export function shareDownTo(endMs: number): (times: readonly string[]) => number | undefined {
  let first: string | undefined;
  let share: number | undefined;
  return (times) => {
    first ??= times[0];
    const last = times.at(-1);
    if (!first || !last) return share;
    const allMs = Date.parse(first) - endMs;
    if (allMs > 0) share = Math.min(1, (Date.parse(first) - Date.parse(last)) / allMs);
    return share;
  };
}

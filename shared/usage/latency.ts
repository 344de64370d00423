/**
 * Counts of latencies in buckets, from which percentiles are estimated. The buckets are fixed, so counts of services,
 * keys, days and wallets can be added up.
 *
 * Below 32 ms, each millisecond has a bucket of its own. Above that, each octave (a doubling) has 16 buckets of equal
 * width, so the width of a bucket is at most a sixteenth of its lower end. An estimate is in the bucket of the exact
 * percentile, and thus differs from it by less than 6.25%. Below 32 ms, it is exact.
 */

/** The number of requests by bucket, without empty buckets. JSON and DynamoDB make the bucket's number a string. */
export type LatencyCounts = Readonly<Record<string, number>>;

/** Each octave has this many buckets. */
const STEPS = 16;
const STEP_BITS = Math.log2(STEPS);
/**
 * Longer than any request, because the functions of the API time out after 28 s. Longer latencies are in the last
 * bucket.
 */
const LONGEST_MS = 2 ** 17 - 1;

/** Returns the bucket of a latency in whole milliseconds. */
export function bucketOf(latencyMs: number): number {
  const ms = Math.min(Math.max(0, Math.round(latencyMs)), LONGEST_MS);
  if (ms < 2 * STEPS) return ms;
  const octaves = Math.floor(Math.log2(ms)) - STEP_BITS;
  return octaves * STEPS + Math.floor(ms / 2 ** octaves);
}

/** Returns the lowest latency in a bucket, and how many milliseconds the bucket spans. */
export function bucketRange(bucket: number): { readonly fromMs: number; readonly widthMs: number } {
  if (bucket < 2 * STEPS) return { fromMs: bucket, widthMs: 1 };
  const octaves = Math.floor(bucket / STEPS) - 1;
  const widthMs = 2 ** octaves;
  return { fromMs: (bucket - octaves * STEPS) * widthMs, widthMs };
}

/** Returns the sum of several counts. */
export function addLatencies(all: Iterable<LatencyCounts>): LatencyCounts {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [bucket, count] of Object.entries(counts)) sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}

/** Returns how many requests were counted. */
export function countLatencies(counts: LatencyCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Estimates a percentile (nearest rank) in whole milliseconds, as if the requests of a bucket were spread evenly over
 * it. Returns null if there are none.
 */
export function percentileMs(counts: LatencyCounts, percent: number): number | null {
  const total = countLatencies(counts);
  let rank = Math.max(1, Math.ceil((percent / 100) * total));
  const buckets = Object.entries(counts).map(([bucket, count]) => ({ bucket: Number(bucket), count }));
  for (const { bucket, count } of buckets.sort((a, b) => a.bucket - b.bucket)) {
    if (rank <= count) {
      const { fromMs, widthMs } = bucketRange(bucket);
      return fromMs + Math.floor((widthMs * (rank - 0.5)) / count);
    }
    rank -= count;
  }
  return null;
}

/**
 * Latencies in fixed buckets, so that counts can be added up. Below 32 ms, each millisecond has a bucket; above, each
 * octave has 16 of equal width. An estimated percentile differs by less than 6.25%, and below 32 ms not at all.
 */

/** Without empty buckets. JSON and DynamoDB make the number a string. */
export type LatencyCounts = Readonly<Record<string, number>>;

/** Each octave has this many buckets. */
const STEPS = 16;
const STEP_BITS = Math.log2(STEPS);
/** Functions of the API time out after 28 s. Longer latencies are in the last bucket. */
const LONGEST_MS = 2 ** 17 - 1;

/** `latencyMs` is a whole number. */
export function bucketOf(latencyMs: number): number {
  const ms = Math.min(Math.max(0, Math.round(latencyMs)), LONGEST_MS);
  if (ms < 2 * STEPS) return ms;
  const octaves = Math.floor(Math.log2(ms)) - STEP_BITS;
  return octaves * STEPS + Math.floor(ms / 2 ** octaves);
}

/** The lowest latency, and how many milliseconds the bucket spans. */
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

/** Nearest rank, in whole milliseconds, as if requests were spread evenly over a bucket. */
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

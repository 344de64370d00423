import { seededRandom } from '../../../ledger/simulation/random.ts';

/** Function instances of the whole account: one request each at a time, and so many in all. */

export interface AccountLoad {
  readonly perSecond: number;
  /** How long each request holds its instance. */
  readonly durationMs: number;
  readonly concurrency: number;
}

const SPAN_MS = 140_000;
/** Long enough for ten thousand instances to start. */
const WARM_UP_MS = 120_000;
/** One function gains at most so many instances in ten seconds (developer guide, "concurrency scaling rate"). */
const NEW_PER_TEN_SECONDS = 1000;

/** Part of the requests that find no instance. Requests at random instants, times spread by half about their mean. */
export function throttledShare({ perSecond, durationMs, concurrency }: AccountLoad, seed = 1): number {
  const random = seededRandom(seed);
  const ends = new Int32Array(SPAN_MS + 10 * durationMs);
  let [busy, warm, fresh, asked, refused] = [0, 0, NEW_PER_TEN_SECONDS, 0, 0];
  let next = 0;
  for (let ms = 0; ms < SPAN_MS; ms += 1) {
    busy -= ends[ms] ?? 0;
    fresh = Math.min(NEW_PER_TEN_SECONDS, fresh + NEW_PER_TEN_SECONDS / 10_000);
    for (; next < ms + 1; next += -Math.log(1 - random.next()) * (1000 / perSecond)) {
      asked += ms >= WARM_UP_MS ? 1 : 0;
      const isFresh = busy === warm;
      if (busy >= concurrency || (isFresh && fresh < 1)) {
        refused += ms >= WARM_UP_MS ? 1 : 0;
        continue;
      }
      if (isFresh) {
        warm += 1;
        fresh -= 1;
      }
      busy += 1;
      const end = ms + Math.max(1, Math.round(durationMs * (0.5 + random.next())));
      ends[end] = (ends[end] ?? 0) + 1;
    }
  }
  return refused / asked;
}

/** The highest rate at which fewer than one request in a hundred finds no instance. */
export function accountWall(durationMs: number, concurrency: number): number {
  let [low, high] = [1, Math.ceil((3 * concurrency * 1000) / durationMs)];
  while (high - low > Math.max(1, low / 100)) {
    const middle = Math.round((low + high) / 2);
    if (throttledShare({ perSecond: middle, durationMs, concurrency }) < 0.01) low = middle;
    else high = middle;
  }
  return low;
}

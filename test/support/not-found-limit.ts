import { expect } from '@jest/globals';
import { MISS_LIMIT } from '../../shared/accounts/guess-limit.ts';
import type { ApiResponse } from './service.ts';

const CONCURRENCY = 10;

/**
 * Repeats a request that is a miss (shared/accounts/guess-limit.ts), until it is rate limited. Returns the rejection.
 * Checks that the limit allowed the promised number of misses, including those that it regained during the test.
 */
export async function missUntilRateLimited(lookUp: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedMs = Date.now();
  const { burst, perSecond } = MISS_LIMIT;
  for (let served = 0; served < 3 * burst; ) {
    const responses = await Promise.all(Array.from({ length: CONCURRENCY }, lookUp));
    const rejected = responses.find(({ status }) => status === 429);
    served += responses.filter(({ status }) => status !== 429).length;
    if (!rejected) continue;
    const regained = Math.ceil((perSecond * (Date.now() - startedMs)) / 1000);
    expect(served).toBeGreaterThanOrEqual(burst);
    expect(served).toBeLessThanOrEqual(burst + CONCURRENCY + regained);
    return rejected;
  }
  throw new Error(`No response had status 429 after ${3 * burst} misses.`);
}

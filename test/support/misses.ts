import { expect } from '@jest/globals';
import { NOT_FOUND_LIMIT } from '../../shared/accounts/rate-limit.ts';
import type { Answer } from './service.ts';

/** So many are under way when the first of them is refused. */
const AT_ONCE = 10;

/**
 * Asks for what has no record until it is refused, and returns the refusal. Checks that as many were served as the
 * limit allows, with what it gives back while a busy machine takes its time.
 */
export async function missUntilRefused(ask: () => Promise<Answer>): Promise<Answer> {
  const startedMs = Date.now();
  const { burst, perSecond } = NOT_FOUND_LIMIT;
  for (let served = 0; served < 3 * burst; ) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
    const refused = answers.find(({ status }) => status === 429);
    served += answers.filter(({ status }) => status !== 429).length;
    if (!refused) continue;
    const givenBack = Math.ceil((perSecond * (Date.now() - startedMs)) / 1000);
    expect(served).toBeGreaterThanOrEqual(burst);
    expect(served).toBeLessThanOrEqual(burst + AT_ONCE + givenBack);
    return refused;
  }
  throw new Error('Nothing was refused.');
}

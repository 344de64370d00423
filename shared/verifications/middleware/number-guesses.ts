import { numberWaitSeconds } from '../../accounts/guess-limit.ts';
import { caller } from '../../accounts/middleware/caller.ts';
import { overLimit } from '../../accounts/middleware/limiter-response.ts';
import type { Row } from '../../core/database.ts';
import { withDeadline } from '../../core/deadline.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import { type Hook, type Middleware, requestValue } from '../../http/context.ts';
import { isVerification } from '../result.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { isGuess } from './end-of-look-up.ts';
import { knownError } from './settle.ts';
import { command, lookUpOperation } from './values.ts';

const PROBLEM = 'Too many look-ups of this number had details that do not match.';
const NOT_COUNTED = 'A wrong detail of a number was not counted.';
const misses = requestValue<Row>('misses of the number');

/**
 * Limits the guesses at the details of one person, however many keys an organisation has (contract F2). Only live
 * look-ups with `match_only` read and count them.
 */
export function numberGuesses({ limiter, clock }: Pick<LookUpDependencies, 'limiter' | 'clock'>): Middleware {
  /** The response is already decided, so a failure must not change it. */
  const count: Hook = async ({ context: { requestContext }, response }) => {
    const row = misses.find(requestContext);
    if (!row || !isVerification(response) || response.kind !== 'found' || !isGuess(response)) return;
    const { wallet, numberTag } = lookUpOperation.of(requestContext).operation;
    const counting = limiter
      .recordNumberMiss(wallet, numberTag, row, clock.nowMs())
      .catch((problem: unknown) => logger.warn(NOT_COUNTED, errorFields(problem)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(counting, respondByMs, clock.nowMs(), () => undefined);
  };
  return {
    name: 'numberGuesses',
    async before({ context: { requestContext } }) {
      const isReplay = requestContext.replayOf !== undefined;
      const { isMatchOnly } = command.of(requestContext);
      if (!isMatchOnly || isReplay || caller.of(requestContext).env === 'test') return;
      const { wallet, numberTag } = lookUpOperation.of(requestContext).operation;
      const row = await limiter.getNumberMisses(wallet, numberTag).catch((error: unknown) => {
        throw knownError(error);
      });
      const seconds = numberWaitSeconds(row, clock.nowMs());
      if (seconds > 0) {
        requestContext.line.detail = 'guess-limit-number';
        throw overLimit('miss_limit', PROBLEM, seconds);
      }
      misses.set(requestContext, row);
    },
    after: count,
  };
}

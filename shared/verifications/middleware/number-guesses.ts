import { caller } from '../../accounts/middleware/caller.ts';
import { overLimit } from '../../accounts/middleware/limiter-response.ts';
import { withDeadline } from '../../core/deadline.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import { type ApiContext, type Middleware, requestValue } from '../../http/context.ts';
import { isVerification } from '../result.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { isGuess } from './end-of-look-up.ts';
import { knownError } from './settle.ts';
import { command, lookUpOperation } from './values.ts';

const PROBLEM = 'Too many look-ups of this number had details that do not match.';
const NOT_GIVEN_BACK = 'A look-up of a number without wrong details was not given back.';
const guess = requestValue<{ isOpen: boolean }>('counted guess');

type Dependencies = Pick<LookUpDependencies, 'limiter' | 'clock'>;

/**
 * Limits the guesses at the details of one person, however many keys an organisation has (contract F2). Only live
 * look-ups with `match_only` count: before the look-up, so that concurrent ones cannot exceed the limit. Those without
 * wrong details are given back.
 */
export function numberGuesses(deps: Dependencies): Middleware {
  const { limiter, clock } = deps;
  return {
    name: 'numberGuesses',
    async before({ context: { requestContext } }) {
      const isReplay = requestContext.replayOf !== undefined;
      const { isMatchOnly } = command.of(requestContext);
      if (!isMatchOnly || isReplay || caller.of(requestContext).env === 'test') return;
      const { wallet, numberTag } = lookUpOperation.of(requestContext).operation;
      const taken = await limiter.takeGuess(wallet, numberTag, clock.nowMs()).catch((error: unknown) => {
        throw knownError(error);
      });
      if (!taken.allowed) {
        requestContext.line.detail = 'guess-limit-number';
        throw overLimit('miss_limit', PROBLEM, taken.retryAfterSeconds);
      }
      guess.set(requestContext, { isOpen: true });
    },
    onError: ({ context: { requestContext } }) => end(requestContext, false, deps),
  };
}

/** Ends the count of `numberGuesses`. Runs before `wallet` settles, so that giving back takes no time of its own. */
export function wrongDetails(deps: Dependencies): Middleware {
  return {
    name: 'wrongDetails',
    after({ context: { requestContext }, response }) {
      end(requestContext, isVerification(response) && isGuess(response), deps);
    },
  };
}

/** A guess counts even if the response is lost later, because a free replay may return it. */
function end(requestContext: ApiContext, isWrong: boolean, { limiter, clock }: Dependencies): void {
  const counted = guess.find(requestContext);
  if (!counted?.isOpen) return;
  counted.isOpen = false;
  if (isWrong) return;
  const { wallet, numberTag } = lookUpOperation.of(requestContext).operation;
  const givingBack = limiter
    .giveBackGuess(wallet, numberTag, clock.nowMs())
    .catch((problem: unknown) => logger.warn(NOT_GIVEN_BACK, errorFields(problem)));
  const { respondByMs } = timeBudget(requestContext.requestedAtMs);
  requestContext.pending.push(withDeadline(givingBack, respondByMs, clock.nowMs(), () => undefined));
}

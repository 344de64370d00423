import { withDeadline } from '../../core/deadline.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import { type Hook, type Middleware, requestValue } from '../../http/context.ts';
import { networkOf } from '../network.ts';
import { caller } from './caller.ts';
import type { CallerDependencies } from './dependencies.ts';
import { setRateLimitHeaders, tooManyRequests } from './limiter-response.ts';

/**
 * How a look-up ended, as the guess limit counts it. A miss is a look-up that found no record, or a request for the slip
 * of a number that was never verified.
 */
export type LookUpEnd = 'found' | 'miss' | 'other';
/** Classifies the end of a look-up by the result or the error of its route. */
export type EndOfLookUp = (result: unknown, error: unknown) => LookUpEnd;

/** When the limiter counted the look-up with a live key, in epoch milliseconds. */
const countedAtMs = requestValue<number>('time of the counted look-up');

const NOT_COUNTED = 'A look-up without a record was not counted against the guess limit.';

/**
 * Enforces the rate limit of a key, set for its organisation (contract F1). Live keys are slowed down if the key or
 * its organisation has too many look-ups without a record, because someone may be guessing numbers (contract F2). Routes
 * that look up nothing have no `endOf`.
 */
export function rateLimit({ limiter, clock }: CallerDependencies, endOf?: EndOfLookUp): Middleware {
  /** Ends a counted look-up. The response is already decided, so a failure here must not change it. */
  const endLookUp: Hook = async function rateLimitEnd({ context: { requestContext }, response, error }) {
    const startedAtMs = countedAtMs.find(requestContext);
    if (startedAtMs === undefined || !endOf) return;
    const { key, organisation, env, limits: rows } = caller.of(requestContext);
    const lookUp = { keyHash: key.hash, startedAtMs };
    const end = endOf(response, error);
    if (end !== 'miss') return limiter.complete(lookUp, end === 'found');
    const miss = { ...lookUp, rows, wallet: { env, organisationId: organisation.id } };
    const recording = limiter
      .recordMiss(miss, clock.nowMs())
      .catch((problem: unknown) => logger.warn(NOT_COUNTED, errorFields(problem)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(recording, respondByMs, clock.nowMs(), () => undefined);
  };
  return {
    before: async function rateLimitBefore({ event, context: { requestContext } }) {
      const { organisation, key, env, limits } = caller.of(requestContext);
      const isGuessLimited = endOf !== undefined && env === 'live';
      const rows = { row: limits.key, organisationRow: limits.organisation };
      const rate = organisation.rateLimit;
      const network = networkOf(event.requestContext.identity.sourceIp);
      const decision = await limiter.take({ keyHash: key.hash, ...rows, rate, isGuessLimited, network }, () =>
        clock.nowMs(),
      );
      setRateLimitHeaders(requestContext, rate, decision);
      if (!decision.allowed) throw tooManyRequests(requestContext, decision);
      requestContext.line.newNetwork = decision.newNetwork;
      if (isGuessLimited && decision.countedAtMs !== undefined)
        countedAtMs.set(requestContext, decision.countedAtMs);
    },
    after: endLookUp,
    onError: endLookUp,
  };
}

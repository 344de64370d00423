import { withDeadline } from '../../core/deadline.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import type { Hook, Middleware } from '../../http/context.ts';
import { networkOf } from '../network.ts';
import { caller } from './caller.ts';
import type { CallerDependencies } from './dependencies.ts';
import { setRateLimitHeaders, tooManyRequests } from './limiter-response.ts';

/**
 * How a look-up ended, as the guess limit counts it (guess-limit.ts). Timeouts and outages are neither found nor misses.
 */
export type LookUpEnd = 'found' | 'miss' | 'other';
/** Classifies the end of a look-up by the result or the error of its route. */
export type EndOfLookUp = (result: unknown, error: unknown) => LookUpEnd;

const NOT_COUNTED = 'The end of a look-up was not counted for the guess limit.';

/**
 * Enforces the rate limit of a key, set for its organisation (contract F1). Live keys are slowed down if the key or
 * its organisation has too many look-ups without a record, because someone may be guessing numbers (contract F2). Routes
 * that look up nothing have no `endOf`.
 */
export function rateLimit({ limiter, clock }: CallerDependencies, endOf?: EndOfLookUp): Middleware {
  /** Counts the end of a look-up. The response is already decided, so a failure here must not change it. */
  const endLookUp: Hook = async function rateLimitEnd({ context: { requestContext }, response, error }) {
    const end = endOf?.(response, error) ?? 'other';
    if (end === 'other') return;
    const { key, organisation, env, limits: rows } = caller.of(requestContext);
    if (env === 'test') return;
    // A replay costs nothing, so it must not pay for guesses.
    if (end === 'found' && requestContext.replayOf !== undefined) return;
    const lookUp = { keyHash: key.hash, rows, wallet: { env, organisationId: organisation.id } };
    const record = end === 'miss' ? limiter.recordMiss : limiter.recordFound;
    const recording = record(lookUp, clock.nowMs()).catch((problem: unknown) =>
      logger.warn(NOT_COUNTED, errorFields(problem)),
    );
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(recording, respondByMs, clock.nowMs(), () => undefined);
  };
  return {
    name: 'rateLimit',
    async before({ event, context: { requestContext } }) {
      const { organisation, key, env, limits: rows } = caller.of(requestContext);
      const isLiveLookUp = endOf !== undefined && env === 'live';
      const rate = organisation.rateLimit;
      const network = networkOf(event.requestContext.identity.sourceIp);
      const decision = await limiter.take({ keyHash: key.hash, rows, rate, isLiveLookUp, network }, () =>
        clock.nowMs(),
      );
      setRateLimitHeaders(requestContext, rate, decision);
      if (!decision.allowed) throw tooManyRequests(requestContext, decision);
      requestContext.line.newNetwork = decision.newNetwork;
      requestContext.line.changesNetworks = decision.changesNetworks;
    },
    after: endLookUp,
    onError: endLookUp,
  };
}

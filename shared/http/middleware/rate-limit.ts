import { describe, isWithin, NOT_FOUND_LIMIT, type RateDecision } from '../../accounts/rate-limit.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { type Caller, type Hook, type Middleware, type RequestContext, required } from '../context.ts';
import type { CallerDependencies } from '../dependencies.ts';
import type { Result } from '../respond.ts';

/**
 * Requests of one key stay within the organisation's rate (decision F1), and a live key that meets too many numbers
 * without a record is slowed down, since that is how numbers are guessed (decision F2).
 */
export function rateLimit({ limiter, tools }: CallerDependencies): Middleware {
  const clock = () => tools.nowMs();
  /** Counts a miss. The answer is decided already, so a failure here must not change it. */
  const countMiss: Hook = async function rateLimitCount({ context, response, error }) {
    const { caller } = context.requestContext;
    if (caller?.env !== 'live' || !isMiss(response, error)) return;
    await limiter
      .take(caller.key.hash, 'not-found', NOT_FOUND_LIMIT, clock)
      .catch((problem: unknown) => logger.warn('A miss was not counted.', errorFields(problem)));
  };
  return {
    before: async function rateLimitBefore({ context }) {
      const { requestContext } = context;
      const caller = required(requestContext.caller, 'caller');
      const { organisation, key } = caller;
      const decision = await limiter.take(key.hash, 'requests', organisation.rateLimit, clock);
      setHeaders(requestContext, caller, decision);
      const missed = missDecision(caller, clock());
      const refused = [decision, missed].find(({ allowed }) => !allowed);
      if (refused) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: refused.retryAfterSeconds });
    },
    after: countMiss,
    onError: countMiss,
  };
}

/** A look-up that ended in not found, or a slip of a number that was never verified. */
function isMiss(response: unknown, error: unknown): boolean {
  if (error) return error instanceof ServiceError && error.code === 'VERIFICATION_LOG_NOT_FOUND';
  return (response as Result | undefined)?.kind === 'not-found';
}

function missDecision({ env, notFoundTatMs }: Caller, nowMs: number): RateDecision {
  const allowed = env === 'test' || isWithin(notFoundTatMs, nowMs, NOT_FOUND_LIMIT);
  return describe(allowed, notFoundTatMs, nowMs, NOT_FOUND_LIMIT);
}

/** Header fields of draft-ietf-httpapi-ratelimit-headers-09: quota and window, remaining and seconds to reset. */
function setHeaders({ headers }: RequestContext, { organisation }: Caller, decision: RateDecision): void {
  const { perSecond, burst } = organisation.rateLimit;
  const windowSeconds = Math.max(1, Math.ceil(burst / perSecond));
  headers['RateLimit-Policy'] = `"requests";q=${burst};w=${windowSeconds}`;
  headers['RateLimit'] = `"requests";r=${decision.remaining};t=${decision.resetSeconds}`;
}

import { describe, isWithin, NOT_FOUND_LIMIT, type RateDecision } from '../../accounts/rate-limit.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { Caller, Hook, Middleware, RequestContext } from '../context.ts';
import type { CallerDependencies } from '../dependencies.ts';
import type { ChainResponse } from '../result.ts';

/**
 * The key stays within the organisation's rate (decision F1). A live key with too many look-ups without a record is
 * slowed down, since that is how numbers are guessed (decision F2).
 */
export function rateLimit({ limiter, tools }: CallerDependencies): Middleware {
  const clock = () => tools.nowMs();
  /** Counts a miss. The response is already decided, so a failure here must not change it. */
  const countMiss: Hook = async function rateLimitCount({ context, response, error }) {
    const { knownCaller } = context.requestContext;
    if (knownCaller?.env !== 'live' || !isMiss(response, error)) return;
    await limiter
      .take(knownCaller.key.hash, 'not-found', NOT_FOUND_LIMIT, clock)
      .catch((problem: unknown) =>
        logger.warn("A not-found response was not counted against the key's limit.", errorFields(problem)),
      );
  };
  return {
    before: async function rateLimitBefore({ context: { requestContext } }) {
      const { caller } = requestContext;
      const { organisation, key } = caller;
      const decision = await limiter.take(key.hash, 'requests', organisation.rateLimit, clock);
      setHeaders(requestContext, caller, decision);
      const rejected = [decision, missDecision(caller, clock())].find(({ allowed }) => !allowed);
      if (rejected) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: rejected.retryAfterSeconds });
    },
    after: countMiss,
    onError: countMiss,
  };
}

/** A look-up that found no record, also if many banks were asked, or a slip of a number that was never verified. */
function isMiss(response: ChainResponse | null | undefined, error: Error | null | undefined): boolean {
  if (error) return error instanceof ServiceError && error.code === 'VERIFICATION_LOG_NOT_FOUND';
  if (!response || !('kind' in response)) return false;
  return response.kind === 'not-found' || (response.kind === 'failed' && response.rejection !== undefined);
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

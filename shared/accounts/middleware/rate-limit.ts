import { withDeadline } from '../../core/deadline.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { Hook, Middleware } from '../../http/context.ts';
import type { CallerDependencies } from '../../http/dependencies.ts';
import { timeBudget } from '../../ledger/operation.ts';
import { endOf } from '../../verifications/middleware/look-up-end.ts';
import { networkOf } from '../network.ts';
import { setRateLimitHeaders, tooManyRequests } from './limiter-response.ts';

export interface RateLimitOptions {
  /** Whether the route looks up numbers, so that the guess limit applies to live keys. */
  readonly isLookUp: boolean;
}

const NOT_COUNTED = 'A look-up without a record was not counted against the guess limit.';

/**
 * Enforces the rate limit of a key, set for its organisation (decision F1). Live keys are slowed down if the key or
 * its organisation has too many look-ups without a record, because someone may be guessing numbers (decision F2).
 */
export function rateLimit(
  { limiter, tools }: CallerDependencies,
  { isLookUp }: RateLimitOptions,
): Middleware {
  const clock = () => tools.nowMs();
  /** Ends a counted look-up. The response is already decided, so a failure here must not change it. */
  const endLookUp: Hook = async function rateLimitEnd({ context: { requestContext }, response, error }) {
    const { lookUpStartedAtMs: startedAtMs } = requestContext;
    if (startedAtMs === undefined) return;
    const { key, organisation, env, limits: rows } = requestContext.caller;
    const lookUp = { keyHash: key.hash, startedAtMs };
    const end = endOf(response, error);
    if (end !== 'miss') return limiter.complete(lookUp, end === 'found');
    const miss = { ...lookUp, rows, wallet: { env, organisationId: organisation.id } };
    const recording = limiter
      .recordMiss(miss, clock())
      .catch((problem: unknown) => logger.warn(NOT_COUNTED, errorFields(problem)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(recording, respondByMs, clock(), () => undefined);
  };
  return {
    before: async function rateLimitBefore({ event, context: { requestContext } }) {
      const { organisation, key, env, limits } = requestContext.caller;
      const isGuessLimited = isLookUp && env === 'live';
      const rows = { row: limits.key, organisationRow: limits.organisation };
      const rate = organisation.rateLimit;
      const network = networkOf(event.requestContext.identity.sourceIp);
      const decision = await limiter.take(
        { keyHash: key.hash, ...rows, rate, isGuessLimited, network },
        clock,
      );
      setRateLimitHeaders(requestContext, rate, decision);
      if (!decision.allowed) throw tooManyRequests(requestContext, decision);
      requestContext.newNetwork = decision.newNetwork;
      if (isGuessLimited) requestContext.lookUpStartedAtMs = decision.countedAtMs;
    },
    after: endLookUp,
    onError: endLookUp,
  };
}

import { type ErrorReason, ServiceError, WAIT } from '../../core/errors.ts';
import type { RequestContext } from '../../http/context.ts';
import type { GuessRejection } from '../guess-limit.ts';
import type { LimiterDecision } from '../limiter-row.ts';
import type { RateLimit } from '../organisation.ts';

const MISS_LIMITS: Readonly<Record<GuessRejection['guessLimit'], readonly [ErrorReason, problem: string]>> = {
  'guess-limit': ['miss_limit', 'Too many look-ups with this API key found no record.'],
  'guess-limit-organisation': [
    'organisation_miss_limit',
    'Too many look-ups with the live keys of this organisation found no record.',
  ],
};

/**
 * Returns the error for a request that exceeds a limit. If it is the guess limit, the log line and the error say so.
 */
export function tooManyRequests(
  requestContext: RequestContext,
  { guessLimit, retryAfterSeconds }: LimiterDecision,
): ServiceError {
  if (!guessLimit) return new ServiceError('RATE_LIMITED', { retryAfterSeconds });
  requestContext.line.detail = guessLimit;
  return overLimit(...MISS_LIMITS[guessLimit], retryAfterSeconds);
}

/** Returns the error for a request that exceeds another limit than that of its key's requests. */
export function overLimit(reason: ErrorReason, problem: string, retryAfterSeconds: number): ServiceError {
  const details = { reason, field: '', hint: WAIT };
  return new ServiceError('RATE_LIMITED', { message: `${problem} ${WAIT}`, details, retryAfterSeconds });
}

/**
 * Sets the fields of draft-ietf-httpapi-ratelimit-headers-09: quota and window, remaining requests and seconds until
 * the reset.
 */
export function setRateLimitHeaders(
  { headers }: RequestContext,
  { perSecond, burst }: RateLimit,
  { remaining, resetSeconds }: LimiterDecision,
): void {
  const windowSeconds = Math.max(1, Math.ceil(burst / perSecond));
  headers['RateLimit-Policy'] = `"requests";q=${burst};w=${windowSeconds}`;
  headers['RateLimit'] = `"requests";r=${remaining};t=${resetSeconds}`;
}

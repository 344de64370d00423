import { ServiceError } from '../../core/errors.ts';
import type { RequestContext } from '../../http/context.ts';
import type { LimiterDecision } from '../limiter-row.ts';
import type { RateLimit } from '../organisation.ts';

const GUESS_LIMIT_MESSAGE =
  'Too many look-ups by this organisation found no record. Wait for the number of seconds in Retry-After, then retry.';

/**
 * Returns the error for a request that exceeds a limit. If it is the guess limit, the log line and the message say so.
 */
export function tooManyRequests(
  requestContext: RequestContext,
  { guessLimit, retryAfterSeconds }: LimiterDecision,
): ServiceError {
  if (guessLimit) requestContext.line.detail = guessLimit;
  const message = guessLimit && { message: GUESS_LIMIT_MESSAGE };
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds, ...message });
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

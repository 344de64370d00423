import type { RateDecision } from '../../accounts/rate-limit.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ConsoleMiddleware } from '../../http/console/context.ts';
import { requestValue } from '../../http/context.ts';
import { isPersonWithinRate } from '../person-limiter-table.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { signedIn } from './session.ts';

/** Whether the person is within their rate limit. Resolves when the limiter's row is written. */
const counting = requestValue<{ readonly counted: Promise<RateDecision> }>('count of the request');

/**
 * Limits the requests of a person. Their row was read with the session. A read runs while its request is counted, so
 * that a page waits for only two round trips. A write waits until its request is counted.
 */
export function rateLimit({ limiter, nowMs }: ConsoleDependencies): ConsoleMiddleware {
  return {
    name: 'rateLimit',
    async before({ context: { requestContext } }) {
      const { person, limiter: row } = signedIn.of(requestContext);
      const isRead = requestContext.route.method === 'GET';
      const counted = limiter.take(person.id, row, nowMs());
      if (!isRead || !isPersonWithinRate(row, nowMs())) return requireAllowed(await counted);
      counting.set(requestContext, { counted });
      requestContext.pending.push(counted);
      // The error comes from `after`, unless the route has already failed.
      counted.catch(() => undefined);
    },
    async after({ context: { requestContext } }) {
      const running = counting.find(requestContext);
      if (running) requireAllowed(await running.counted);
    },
  };
}

function requireAllowed({ allowed, retryAfterSeconds }: RateDecision): void {
  if (!allowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds });
}

import type { RateDecision } from '../../accounts/rate-limit.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ConsoleMiddleware } from '../../http/console/context.ts';
import type { ConsoleDependencies } from '../../http/console/dependencies.ts';
import { isPersonWithinRate } from '../person-limiter.ts';

/**
 * Limits the requests of a person. Their row was read with the session. A read runs while its request is counted, so
 * that a page waits for only two round trips. A write waits until its request is counted.
 */
export function rateLimit({ limiter, nowMs }: ConsoleDependencies): ConsoleMiddleware {
  return {
    before: async function rateLimitBefore({ context: { consoleContext } }) {
      const { person, limiter: row } = consoleContext.signedIn;
      const isRead = consoleContext.route.method === 'GET';
      const counted = limiter.take(person.id, row, nowMs());
      if (!isRead || !isPersonWithinRate(row, nowMs())) return requireAllowed(await counted);
      consoleContext.rate = counted;
      consoleContext.pending.push(counted);
      // The error comes from `rateLimitAfter`, unless the route has already failed.
      counted.catch(() => undefined);
    },
    after: async function rateLimitAfter({ context: { consoleContext } }) {
      if (consoleContext.rate) requireAllowed(await consoleContext.rate);
    },
  };
}

function requireAllowed({ allowed, retryAfterSeconds }: RateDecision): void {
  if (!allowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds });
}

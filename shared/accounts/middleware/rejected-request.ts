import { withDeadline } from '../../core/deadline.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import type { Middleware, RequestContext } from '../../http/context.ts';
import { caller } from './caller.ts';
import type { CallerDependencies } from './dependencies.ts';

/**
 * The response waits at most this long for the write. An instance writes only for the first request of a minute with
 * the same key and code.
 */
const WRITE_WAIT_MS = 500;

/**
 * Counts requests with a recognised key that were rejected and have no log row (contract E6). It precedes the checks
 * that may reject them, so its `onError` runs after theirs. It never changes the response.
 */
export function rejectedRequest(
  route: string,
  { rejectedRequests, clock }: Pick<CallerDependencies, 'rejectedRequests' | 'clock'>,
  hasLogRow: (requestContext: RequestContext) => boolean,
): Middleware {
  return {
    name: 'rejectedRequest',
    async onError({ context: { requestContext }, error }) {
      const { requestId, requestedAtMs } = requestContext;
      const known = caller.find(requestContext);
      if (!known || hasLogRow(requestContext)) return;
      const { env, key, organisation } = known;
      const recording = rejectedRequests
        .record({
          wallet: { env, organisationId: organisation.id },
          key,
          code: error instanceof ServiceError ? error.code : 'SERVER_ERROR',
          details: error instanceof ServiceError ? error.details : undefined,
          requestId,
          route,
          requestedAtMs,
        })
        .catch((problem: unknown) =>
          logger.warn('A rejected request was not counted.', errorFields(problem)),
        );
      const nowMs = clock.nowMs();
      const byMs = Math.min(nowMs + WRITE_WAIT_MS, timeBudget(requestedAtMs).respondByMs);
      await withDeadline(recording, byMs, nowMs, () => undefined);
    },
  };
}

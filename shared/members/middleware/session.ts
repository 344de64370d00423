import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { ConsoleContext, ConsoleMiddleware, Prefetch, SignedIn } from '../../http/console/context.ts';
import { sessionCookieOf } from '../../http/console/cookies.ts';
import type { ConsoleDependencies } from '../../http/console/dependencies.ts';
import { isOpen, isUseDue, readSessionCookie, sessionHash } from '../session.ts';
import type { SessionRows } from '../session-check-table.ts';

const NOT_EXTENDED = 'The last use of a session was not recorded.';

/**
 * Requires an open session. If it has an organisation, the person must still be a member. One consistent read returns
 * all rows that this check needs. The data that the route needs about the organisation is read at the same time.
 * Removes a cookie that is no longer valid.
 */
export function session(
  { checks, sessions }: ConsoleDependencies,
  prefetch?: Prefetch<unknown>,
): ConsoleMiddleware {
  return {
    before: async function sessionBefore({ event, context: { consoleContext } }) {
      const text = sessionCookieOf(event);
      consoleContext.clearsCookie = text !== undefined;
      const cookie = readSessionCookie(text ?? '');
      if (!cookie) throw new ServiceError('SIGN_IN_REQUIRED');
      if (prefetch && cookie.organisationId !== undefined) {
        consoleContext.prefetched = prefetch(cookie.organisationId, event);
        consoleContext.pending.push(consoleContext.prefetched);
        // If the session is rejected, an error of this read has no effect.
        consoleContext.prefetched.catch(() => undefined);
      }
      const rows = { ...(await checks.readSession(cookie)), cookie };
      if (!isAccepted(rows, consoleContext)) throw new ServiceError('SIGN_IN_REQUIRED');
      consoleContext.clearsCookie = false;
      consoleContext.signedIn = rows;
      if (isUseDue(rows.session, consoleContext.nowMs))
        consoleContext.pending.push(extend(rows, consoleContext));
    },
  };

  /** Records the use of a session. If this fails, the session merely ends earlier. */
  async function extend({ cookie }: SignedIn, { nowMs }: ConsoleContext): Promise<void> {
    await sessions
      .useSession(sessionHash(cookie.secret), new Date(nowMs).toISOString())
      .catch((error: unknown) => logger.warn(NOT_EXTENDED, errorFields(error)));
  }
}

type Rows = SessionRows & Pick<SignedIn, 'cookie'>;

function isAccepted(rows: Rows, { nowMs }: ConsoleContext): rows is SignedIn {
  const { session: row, person, cookie, membership, organisation } = rows;
  if (!row || !person || row.personId !== cookie.personId || !isOpen(row, person, nowMs)) return false;
  return (
    cookie.organisationId === undefined || (membership?.status === 'ACTIVE' && organisation !== undefined)
  );
}

import { ServiceError } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { ConsoleContext, ConsoleMiddleware } from '../../http/console/context.ts';
import { sessionCookieOf } from '../../http/console/cookies.ts';
import { requestValue } from '../../http/context.ts';
import { isOpen, isUseDue, readSessionCookie, sessionHash, sessionPage } from '../session.ts';
import type { SessionRows } from '../session-check-table.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import type { Prefetch, SignedIn } from './member-request.ts';

/**
 * The header in which a response names the organisation and the person of the session, and a request those that its
 * page shows.
 */
export const PAGE = 'Console-Page';

export const signedIn = requestValue<SignedIn>('session');
export const prefetchedData = requestValue<{ readonly promise: Promise<unknown> }>('data of the route');

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
    name: 'session',
    async before({ event, context: { requestContext } }) {
      const text = sessionCookieOf(event);
      requestContext.clearsCookie = text !== undefined;
      const cookie = readSessionCookie(text ?? '');
      if (!cookie) throw new ServiceError('SIGN_IN_REQUIRED');
      if (prefetch && cookie.organisationId !== undefined) {
        const promise = prefetch(cookie.organisationId, event);
        prefetchedData.set(requestContext, { promise });
        // If the session is rejected, an error of this read has no effect.
        promise.catch(() => undefined);
      }
      const rows = { ...(await checks.readSession(cookie)), cookie };
      if (!isAccepted(rows, requestContext)) throw new ServiceError('SIGN_IN_REQUIRED');
      requestContext.clearsCookie = false;
      signedIn.set(requestContext, rows);
      requestContext.headers[PAGE] = sessionPage(cookie);
      // Not before the session is accepted. The time of a rejection would reveal whether the organisation exists.
      const { promise } = prefetchedData.find(requestContext) ?? {};
      if (promise) requestContext.pending.push(promise);
      if (rows.organisation) requestContext.line.organisation = rows.organisation.id;
      if (isUseDue(rows.session, requestContext.nowMs))
        requestContext.pending.push(extend(rows, requestContext));
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

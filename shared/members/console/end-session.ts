import { errorFields, logger } from '../../core/logger.ts';
import type { ConsoleResult } from '../../http/console/context.ts';
import { CLEAR_SESSION_COOKIE } from '../../http/console/cookies.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import type { IdentityProvider } from '../identity-provider.ts';
import type { MembershipTable } from '../membership-table.ts';
import type { SignedInRequest } from '../middleware/member-request.ts';
import type { PersonTable } from '../person-table.ts';
import type { SessionTable } from '../session-table.ts';
import type { EndSessionBody } from './bodies.ts';
import type { EndSessionView } from './views.ts';

export interface EndSessionDependencies {
  readonly sessions: Pick<SessionTable, 'endSession'>;
  readonly persons: Pick<PersonTable, 'signOutEverywhere'>;
  readonly memberships: Pick<MembershipTable, 'listMemberships'>;
  readonly provider: Pick<IdentityProvider, 'signOutUrl'>;
}

const NO_PROVIDER = 'The session at the identity provider was not ended.';
/** A transaction has at most 100 items, and the first one here changes the person. */
const MAX_RECORDS = 99;

/** POST /session/end */
export function endSession(deps: EndSessionDependencies) {
  return async (request: SignedInRequest, { everywhere }: EndSessionBody): Promise<ConsoleResult> => {
    const { session, sessionHash, nowMs, event } = request;
    const returnTo = `${ownOrigin(event)}/sign-in`;
    const [signOutUrl] = await Promise.all([
      // The person is signed out on this device in any case.
      deps.provider.signOutUrl(returnTo, session.idToken).catch((error: unknown) => {
        logger.warn(NO_PROVIDER, errorFields(error));
        return returnTo;
      }),
      deps.sessions.endSession(sessionHash, new Date(nowMs).toISOString()),
      everywhere && endEverywhere(request, deps),
    ]);
    return {
      data: { sign_out_url: signOutUrl } satisfies EndSessionView,
      cookies: [CLEAR_SESSION_COOKIE],
    };
  };
}

async function endEverywhere(
  { person, recorder, nowMs }: SignedInRequest,
  { persons, memberships }: EndSessionDependencies,
): Promise<void> {
  const all = await memberships.listMemberships(person.id);
  const active = all.filter(({ status }) => status === 'ACTIVE').slice(0, MAX_RECORDS);
  const signedOutAt = new Date(nowMs).toISOString();
  const record = active.flatMap(({ organisationId }) =>
    recorder.record({ organisationId, target: 'own sessions', after: { signedOutAt } }),
  );
  await persons.signOutEverywhere(person.id, signedOutAt, record);
}

import { signedInRoute } from '../../shared/http/console/chain.ts';
import { accept, acceptBody } from '../../shared/http/console/routes/team.ts';
import { sessionViewDependencies } from '../../shared/http/console/session-view.ts';
import { teamDependencies } from '../../shared/http/console/team-dependencies.ts';

/** POST /console/api/invitations/accept: accepts an invitation by its secret, which makes the person a member. */
export const handler = signedInRoute(
  'accept-invitation',
  accept(teamDependencies(), sessionViewDependencies()),
  { body: acceptBody },
);

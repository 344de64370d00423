import { acceptBody } from '../../shared/members/console/bodies.ts';
import { sessionViewDependencies } from '../../shared/members/console/session-view.ts';
import { accept } from '../../shared/members/console/team.ts';
import { consoleMail, teamDependencies } from '../../shared/members/console/team-dependencies.ts';
import { signedInRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = signedInRoute(
  'accept-invitation',
  accept(teamDependencies(), consoleMail(), sessionViewDependencies()),
  { body: acceptBody },
);

import { consoleRoute } from '../../shared/http/console/chain.ts';
import { invite, inviteBody } from '../../shared/http/console/routes/team.ts';
import { consoleMail, teamDependencies } from '../../shared/http/console/team-dependencies.ts';

/** POST /console/api/invitations: invites a person by email. */
export const handler = consoleRoute('invite-member', invite(teamDependencies(), consoleMail()), {
  body: inviteBody,
});

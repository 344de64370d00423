import { consoleRoute } from '../../shared/http/console/chain.ts';
import { invite, inviteBody } from '../../shared/members/console/team.ts';
import { consoleMail, teamDependencies } from '../../shared/members/console/team-dependencies.ts';

/** POST /console/api/invitations: invites a person by email. */
export const handler = consoleRoute('invite-member', invite(teamDependencies(), consoleMail()), {
  body: inviteBody,
});

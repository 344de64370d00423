import { inviteBody } from '../../shared/members/console/bodies.ts';
import { invite } from '../../shared/members/console/team.ts';
import { consoleMail, teamDependencies } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('invite-member', invite(teamDependencies(), consoleMail()), {
  body: inviteBody,
});

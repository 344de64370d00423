import { changeMemberBody } from '../../shared/members/console/bodies.ts';
import { change } from '../../shared/members/console/team.ts';
import { consoleMail, teamDependencies } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('change-member', change(teamDependencies(), consoleMail()), {
  body: changeMemberBody,
});

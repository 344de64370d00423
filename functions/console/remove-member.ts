import { remove } from '../../shared/members/console/team.ts';
import { consoleMail, teamDependencies } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('remove-member', remove(teamDependencies(), consoleMail()));

import { remove } from '../../shared/members/console/team.ts';
import { teamDependencies } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('remove-member', remove(teamDependencies()));

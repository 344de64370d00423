import { remove } from '../../shared/members/console/team.ts';
import { teamDependencies } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

/** POST /console/api/members/{id}/remove: removes a member, whose next request is rejected. */
export const handler = consoleRoute('remove-member', remove(teamDependencies()));

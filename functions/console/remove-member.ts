import { consoleRoute } from '../../shared/http/console/chain.ts';
import { remove } from '../../shared/members/console/team.ts';
import { teamDependencies } from '../../shared/members/console/team-dependencies.ts';

/** POST /console/api/members/{id}/remove: removes a member, whose next request is rejected. */
export const handler = consoleRoute('remove-member', remove(teamDependencies()));

import { consoleRoute } from '../../shared/http/console/chain.ts';
import { change, changeMemberBody } from '../../shared/members/console/team.ts';
import { teamDependencies } from '../../shared/members/console/team-dependencies.ts';

/** PUT /console/api/members/{id}: changes the role of a member. */
export const handler = consoleRoute('change-member', change(teamDependencies()), { body: changeMemberBody });

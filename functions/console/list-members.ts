import { consoleRoute } from '../../shared/http/console/chain.ts';
import { listMembers, readTeam } from '../../shared/http/console/routes/team.ts';
import { teamDependencies } from '../../shared/http/console/team-dependencies.ts';

/** GET /console/api/members: the members and the open invitations. */
export const handler = consoleRoute('list-members', listMembers(), {
  prefetch: readTeam(teamDependencies()),
});

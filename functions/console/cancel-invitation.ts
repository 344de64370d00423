import { consoleRoute } from '../../shared/http/console/chain.ts';
import { cancel } from '../../shared/members/console/team.ts';
import { teamDependencies } from '../../shared/members/console/team-dependencies.ts';

/** POST /console/api/invitations/{id}/cancel: invalidates an invitation link. */
export const handler = consoleRoute('cancel-invitation', cancel(teamDependencies()));

import { consoleRoute } from '../../shared/http/console/chain.ts';
import { cancel } from '../../shared/http/console/routes/team.ts';
import { teamDependencies } from '../../shared/http/console/team-dependencies.ts';

/** POST /console/api/invitations/{id}/cancel: invalidates an invitation link. */
export const handler = consoleRoute('cancel-invitation', cancel(teamDependencies()));

import { consoleRoute } from '../../shared/http/console/chain.ts';
import { numberChecks, profiles } from '../../shared/http/console/organisation-dependencies.ts';
import { updateOrganisation, updateOrganisationBody } from '../../shared/http/console/routes/organisation.ts';

/** PUT /console/api/organisation: saves the profile and looks up the numbers that changed. */
export const handler = consoleRoute(
  'update-organisation',
  updateOrganisation({ profiles: profiles(), checks: numberChecks() }),
  { body: updateOrganisationBody },
);

import { consoleRoute } from '../../shared/http/console/chain.ts';
import { profiles } from '../../shared/http/console/organisation-dependencies.ts';
import { updateOrganisation, updateOrganisationBody } from '../../shared/http/console/routes/organisation.ts';

/** PUT /console/api/organisation: saves the profile. */
export const handler = consoleRoute('update-organisation', updateOrganisation(profiles()), {
  body: updateOrganisationBody,
});

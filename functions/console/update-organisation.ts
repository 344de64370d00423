import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { updateOrganisationBody } from '../../shared/profiles/console/bodies.ts';
import { updateOrganisation } from '../../shared/profiles/console/organisation.ts';
import { profiles } from '../../shared/profiles/console/organisation-dependencies.ts';

export const handler = consoleRoute('update-organisation', updateOrganisation(profiles()), {
  body: updateOrganisationBody,
});

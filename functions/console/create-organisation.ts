import { signedInRoute } from '../../shared/http/console/chain.ts';
import { newOrganisations } from '../../shared/http/console/organisation-dependencies.ts';
import { createOrganisation, createOrganisationBody } from '../../shared/http/console/routes/organisation.ts';
import { sessionViewDependencies } from '../../shared/http/console/session-view.ts';

/** POST /console/api/organisations: creates an organisation owned by the signed-in person. */
export const handler = signedInRoute(
  'create-organisation',
  createOrganisation(newOrganisations(), sessionViewDependencies()),
  { body: createOrganisationBody },
);

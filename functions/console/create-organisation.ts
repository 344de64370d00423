import { signedInRoute } from '../../shared/http/console/chain.ts';
import { sessionViewDependencies } from '../../shared/members/console/session-view.ts';
import { createOrganisation, createOrganisationBody } from '../../shared/profiles/console/organisation.ts';
import { newOrganisations } from '../../shared/profiles/console/organisation-dependencies.ts';

/** POST /console/api/organisations: creates an organisation owned by the signed-in person. */
export const handler = signedInRoute(
  'create-organisation',
  createOrganisation(newOrganisations(), sessionViewDependencies()),
  { body: createOrganisationBody },
);

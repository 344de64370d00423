import { createOrganisationBody } from '../../shared/members/console/bodies.ts';
import { createOrganisation, newOrganisations } from '../../shared/members/console/new-organisation.ts';
import { sessionViewDependencies } from '../../shared/members/console/session-view.ts';
import { signedInRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = signedInRoute(
  'create-organisation',
  createOrganisation(newOrganisations(), sessionViewDependencies()),
  { body: createOrganisationBody },
);

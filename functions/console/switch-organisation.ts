import { switchBody } from '../../shared/members/console/bodies.ts';
import { sessionViewDependencies } from '../../shared/members/console/session-view.ts';
import { switchOrganisation } from '../../shared/members/console/switch-organisation.ts';
import { signedInRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = signedInRoute('switch-organisation', switchOrganisation(sessionViewDependencies()), {
  body: switchBody,
});

import { signedInRoute } from '../../shared/http/console/chain.ts';
import { switchBody, switchOrganisation } from '../../shared/http/console/routes/switch-organisation.ts';
import { sessionViewDependencies } from '../../shared/http/console/session-view.ts';

/** POST /console/api/session/organisation: switches the session to another of the person's organisations. */
export const handler = signedInRoute('switch-organisation', switchOrganisation(sessionViewDependencies()), {
  body: switchBody,
});

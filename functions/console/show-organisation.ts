import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { readProfile, showOrganisation } from '../../shared/profiles/console/organisation.ts';
import { profiles } from '../../shared/profiles/console/organisation-dependencies.ts';

export const handler = consoleRoute('show-organisation', showOrganisation(), {
  prefetch: readProfile(profiles()()),
});

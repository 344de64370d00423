import { consoleRoute } from '../../shared/http/console/chain.ts';
import { profiles } from '../../shared/http/console/organisation-dependencies.ts';
import { readProfile, showOrganisation } from '../../shared/http/console/routes/organisation.ts';

/** GET /console/api/organisation: the profile, with the results of checking its numbers. */
export const handler = consoleRoute('show-organisation', showOrganisation(), {
  prefetch: readProfile(profiles()()),
});

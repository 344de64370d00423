import { setting } from '../../shared/core/config.ts';
import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { submitOrganisationBody } from '../../shared/profiles/console/bodies.ts';
import { submitOrganisation } from '../../shared/profiles/console/organisation.ts';
import { numberChecks, profiles } from '../../shared/profiles/console/organisation-dependencies.ts';

export const handler = consoleRoute(
  'submit-organisation',
  submitOrganisation({
    profiles: profiles(),
    checks: numberChecks(),
    sendMail: consoleMail(),
    termsVersion: setting('TERMS').version,
    supportContact: setting('SUPPORT_CONTACT'),
  }),
  { body: submitOrganisationBody },
);

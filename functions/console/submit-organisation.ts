import { setting } from '../../shared/core/config.ts';
import { consoleRoute } from '../../shared/http/console/chain.ts';
import { numberChecks, profiles } from '../../shared/http/console/organisation-dependencies.ts';
import { submitOrganisation, submitOrganisationBody } from '../../shared/http/console/routes/organisation.ts';
import { consoleMail } from '../../shared/http/console/team-dependencies.ts';

/** POST /console/api/organisation/submit: looks up the numbers and asks the operator for approval. */
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

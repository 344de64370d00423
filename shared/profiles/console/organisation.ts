import type { Recorder } from '../../audit/recorder.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { InputSchema, NoInput } from '../../http/console/middleware/json-body.ts';
import { shownLookUp } from '../../http/report-request.ts';
import { isEmailAddress } from '../../members/email-address.ts';
import type { SendMail } from '../../members/mail.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import type { Profile } from '../../members/rows.ts';
import { lookUpLine } from '../../verifications/look-up-line.ts';
import type { CheckDependencies } from '../check-numbers.ts';
import type { ProfileTable } from '../profile-table.ts';
import { submissionMail } from '../submission-mail.ts';
import { submitProfile } from '../submit-profile.ts';
import { updateProfile } from '../update-profile.ts';
import type { submitOrganisationBody, updateOrganisationBody } from './bodies.ts';
import { organisationView } from './organisation-views.ts';
import { enteredProfile } from './profile-fields.ts';
import type { OrganisationView } from './views.ts';

type Run<S extends InputSchema, T = undefined> = ConsoleRun<ConsoleRequest, S, T>;
type Recorded<T> = (recorder?: Recorder) => T;

/** While the session is checked. */
export function readProfile(profiles: ProfileTable): Prefetch<Profile | undefined> {
  return (organisationId) => profiles.getProfile(organisationId);
}

/** GET /organisation. */
export function showOrganisation(): Run<NoInput, Profile | undefined> {
  return async ({ organisation }, _, profile) => ({
    data: organisationView(organisation, profile) satisfies OrganisationView,
  });
}

/** PUT /organisation: saves the profile. */
export function updateOrganisation(profiles: Recorded<ProfileTable>): Run<typeof updateOrganisationBody> {
  return async ({ organisation, recorder, nowMs }, { version, ...fields }) => {
    const update = { organisation, entered: enteredProfile(fields), version };
    const profile = await updateProfile(update, profiles(recorder), nowMs);
    return { data: organisationView(organisation, profile) };
  };
}

export interface SubmitDependencies {
  readonly profiles: Recorded<ProfileTable>;
  readonly checks: Omit<CheckDependencies, 'onAttempt'>;
  readonly sendMail: SendMail;
  readonly termsVersion: string;
  /** An email address, an https URL, or empty. */
  readonly supportContact: string;
}

/** POST /organisation/submit. */
export function submitOrganisation(deps: SubmitDependencies): Run<typeof submitOrganisationBody> {
  return async ({ organisation, person, recorder, requestId }, { terms_version, version }) => {
    const terms = { accepted: terms_version, inForce: deps.termsVersion };
    const profile = await submitProfile(
      { organisation, personId: person.id, requestId, ...terms, version },
      {
        ...deps.checks,
        profiles: deps.profiles(recorder),
        // The operator pays, and the row of a look-up does not contain them.
        onAttempt: (attempt) =>
          logger.info('profile check', { request_id: requestId, look_up: shownLookUp(lookUpLine(attempt)) }),
      },
    );
    await notifyOperator(organisation, profile, deps);
    return { data: organisationView(organisation, profile) };
  };
}

/** If this fails, `admin org list --submitted` still shows the submission. */
async function notifyOperator(
  organisation: ConsoleRequest['organisation'],
  profile: Profile,
  { supportContact, sendMail }: SubmitDependencies,
): Promise<void> {
  if (!isEmailAddress(supportContact)) return;
  await sendMail(submissionMail(supportContact, organisation, profile)).catch((error: unknown) =>
    logger.warn('The email about a submission was not sent.', errorFields(error)),
  );
}

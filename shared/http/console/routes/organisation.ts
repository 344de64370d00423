import * as v from 'valibot';
import type { Recorder } from '../../../audit/recorder.ts';
import type { CheckDependencies } from '../../../console/check-number.ts';
import { createOwnOrganisation } from '../../../console/create-organisation.ts';
import { isEmailAddress } from '../../../console/email-address.ts';
import { type SendMail, submissionMail } from '../../../console/mail.ts';
import type { NewOrganisationTable } from '../../../console/new-organisation-table.ts';
import { organisationName } from '../../../console/organisation-name.ts';
import { organisationView } from '../../../console/organisation-views.ts';
import { enteredProfile } from '../../../console/profile-fields.ts';
import type { ProfileTable } from '../../../console/profile-table.ts';
import type { Profile } from '../../../console/rows.ts';
import { submitProfile } from '../../../console/submit-profile.ts';
import { checkDay, updateProfile } from '../../../console/update-profile.ts';
import type { OrganisationView } from '../../../console/views.ts';
import { errorFields, logger } from '../../../core/logger.ts';
import { lookUpOf } from '../../report-request.ts';
import type { ConsoleRun } from '../chain.ts';
import type { ConsoleRequest, Prefetch, SignedInRequest } from '../context.ts';
import type { InputSchema } from '../middleware/json-body.ts';
import { readSessionView, type SessionViewDependencies } from '../session-view.ts';

type Run<S extends InputSchema, T = undefined> = ConsoleRun<ConsoleRequest, S, T>;
type NoInput = v.StrictObjectSchema<Record<never, never>, undefined>;
/** Creates a table that records changes with the recorder of a request. */
type Recorded<T> = (recorder?: Recorder) => T;

/** The body of POST /organisations. */
export const createOrganisationBody = v.strictObject({ name: v.string() });

/** POST /organisations: creates an organisation whose owner is the person. The session continues in it. */
export function createOrganisation(
  organisations: (recorder: Recorder) => NewOrganisationTable,
  views: SessionViewDependencies,
): ConsoleRun<SignedInRequest, typeof createOrganisationBody, undefined> {
  return async (request, { name }) => {
    const { person, recorder, nowMs } = request;
    const tables = { organisations: organisations(recorder), memberships: views.memberships };
    const { organisationId } = await createOwnOrganisation(person, organisationName(name), tables, nowMs);
    return {
      data: await readSessionView(request, organisationId, views),
      cookies: [request.cookieFor(organisationId)],
    };
  };
}

/** The data that GET /organisation reads while the session is checked. */
export interface ProfileReads {
  readonly profile: Profile | undefined;
  readonly checksUsed: number;
}

/** Reads the profile, and the number of look-ups that were made today. */
export function readProfile(profiles: ProfileTable, nowMs: () => number): Prefetch<ProfileReads> {
  return async (organisationId) => {
    const [profile, checksUsed] = await Promise.all([
      profiles.getProfile(organisationId),
      profiles.countChecks(organisationId, checkDay(nowMs())),
    ]);
    return { profile, checksUsed };
  };
}

/** GET /organisation: the profile, with the results of looking up its numbers. */
export function showOrganisation(): Run<NoInput, ProfileReads> {
  return async ({ organisation }, _, { profile, checksUsed }) => ({
    data: organisationView(organisation, profile, checksUsed) satisfies OrganisationView,
  });
}

const contact = v.strictObject({ name: v.string(), email: v.string() });

/** The body of PUT /organisation. */
export const updateOrganisationBody = v.strictObject({
  company_number: v.string(),
  tax_number: v.string(),
  address: v.array(v.string()),
  billing_contact: contact,
  privacy_contact: contact,
  version: v.number(),
});

export interface UpdateDependencies {
  readonly profiles: Recorded<ProfileTable>;
  readonly checks: Omit<CheckDependencies, 'onAttempt'>;
}

/** PUT /organisation: saves the profile, and looks up numbers that changed or could not be looked up before. */
export function updateOrganisation({
  profiles,
  checks,
}: UpdateDependencies): Run<typeof updateOrganisationBody> {
  return async ({ organisation, recorder, requestId }, { version, ...fields }) => {
    const table = profiles(recorder);
    const profile = await updateProfile(
      { organisation, entered: enteredProfile(fields), version, requestId },
      {
        ...checks,
        profiles: table,
        // Logged because the operator pays for these look-ups, and they have no log row.
        onAttempt: (attempt) =>
          logger.info('profile check', { request_id: requestId, look_up: lookUpOf(attempt) }),
      },
    );
    return { data: await viewOf(organisation, profile, table, checks.nowMs) };
  };
}

/** The body of POST /organisation/submit. */
export const submitOrganisationBody = v.strictObject({ terms_version: v.string(), version: v.number() });

export interface SubmitDependencies {
  readonly profiles: Recorded<ProfileTable>;
  readonly sendMail: SendMail;
  /** The version of the terms that is in force. */
  readonly termsVersion: string;
  /** The operator's support contact: an email address, an https URL, or empty. */
  readonly supportContact: string;
}

/** POST /organisation/submit: accepts the terms, and asks the operator to approve the organisation. */
export function submitOrganisation(deps: SubmitDependencies): Run<typeof submitOrganisationBody> {
  return async (request, { terms_version, version }) => {
    const { organisation, person, recorder, nowMs } = request;
    const table = deps.profiles(recorder);
    const submission = { accepted: terms_version, inForce: deps.termsVersion, version };
    const profile = await submitProfile({ organisation, personId: person.id, ...submission }, table, nowMs);
    await notifyOperator(organisation, profile, deps);
    return { data: await viewOf(organisation, profile, table, () => nowMs) };
  };
}

/** Notifies the operator by email. If this fails, `admin org list --submitted` still shows the submission. */
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

async function viewOf(
  organisation: ConsoleRequest['organisation'],
  profile: Profile,
  profiles: ProfileTable,
  nowMs: () => number,
): Promise<OrganisationView> {
  const used = await profiles.countChecks(organisation.id, checkDay(nowMs()));
  return organisationView(organisation, profile, used);
}

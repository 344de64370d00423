import type { Organisation } from '../accounts/organisation.ts';
import { ServiceError } from '../core/errors.ts';
import type { Profile } from '../members/rows.ts';
import { type CheckDependencies, type CheckRequest, type Checks, checkNumbers } from './check-numbers.ts';
import type { ProfileTable } from './profile-table.ts';
import { withExpiry } from './update-profile.ts';

interface Submission extends CheckRequest {
  readonly organisation: Pick<Organisation, 'id' | 'name' | 'status'>;
  readonly accepted: string;
  readonly inForce: string;
  readonly version: number;
}

const NOT_FOUND =
  'The company number or the tax number was not found in its registry. Correct the number, save the profile, and submit it again.';

/**
 * If a number is not found, stores only the checks, and throws PROFILE_INCOMPLETE. One that could not be looked up can
 * be submitted: the operator checks it.
 */
export async function submitProfile(
  submission: Submission,
  deps: CheckDependencies & { readonly profiles: Pick<ProfileTable, 'getProfile' | 'saveProfile'> },
): Promise<Profile> {
  const { organisation, personId, accepted, inForce, version } = submission;
  const before = await deps.profiles.getProfile(organisation.id);
  if (organisation.status !== 'PENDING' || before?.submittedAt !== undefined)
    throw new ServiceError('ALREADY_SUBMITTED');
  if (!before) throw new ServiceError('PROFILE_INCOMPLETE');
  if (before.version !== version || accepted !== inForce) throw new ServiceError('CHANGED_MEANWHILE');
  const checks = await checkNumbers(submission, before, deps);
  const at = new Date(deps.nowMs()).toISOString();
  const isFound = !hasUnknownNumber(checks);
  const submitted = {
    terms: { version: accepted, acceptedAt: at, acceptedBy: personId },
    submittedAt: at,
    submittedBy: personId,
  };
  const checked = { ...before, ...checks, ...(isFound && submitted), version: version + 1 };
  const after = withExpiry(checked, !isFound, deps.nowMs());
  const recorded = {
    before: { submittedAt: null, ...resultsOf(before) },
    after: {
      submittedAt: after.submittedAt ?? null,
      ...(isFound && { terms: accepted }),
      ...resultsOf(checks),
    },
  };
  if (!(await deps.profiles.saveProfile(organisation.id, { before, after, recorded, isForPending: true })))
    throw new ServiceError('CHANGED_MEANWHILE');
  if (!isFound) throw new ServiceError('PROFILE_INCOMPLETE', { message: NOT_FOUND });
  return after;
}

export function hasUnknownNumber({ companyCheck, taxCheck }: Partial<Checks>): boolean {
  return companyCheck?.result === 'NOT_FOUND' || taxCheck?.result === 'NOT_FOUND';
}

function resultsOf({ companyCheck, taxCheck }: Partial<Checks>) {
  return { companyCheck: companyCheck?.result ?? null, taxCheck: taxCheck?.result ?? null };
}

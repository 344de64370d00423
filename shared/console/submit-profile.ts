import type { Organisation } from '../accounts/organisation.ts';
import { ServiceError } from '../core/errors.ts';
import type { ProfileTable } from './profile-table.ts';
import type { Profile } from './rows.ts';

export interface Submission {
  readonly organisation: Pick<Organisation, 'id' | 'status'>;
  readonly personId: string;
  /** The version of the terms that the person accepts, and the version that is in force. */
  readonly accepted: string;
  readonly inForce: string;
  /** The version of the profile that the person saw. */
  readonly version: number;
}

const NOT_FOUND =
  'The company number or the tax number was not found in its registry. Correct the number, then save the profile.';

/** Accepts the terms and submits the organisation for approval. Returns the profile. */
export async function submitProfile(
  { organisation, personId, accepted, inForce, version }: Submission,
  profiles: Pick<ProfileTable, 'getProfile' | 'saveProfile'>,
  nowMs: number,
): Promise<Profile> {
  const before = await profiles.getProfile(organisation.id);
  if (organisation.status !== 'PENDING' || before?.submittedAt !== undefined)
    throw new ServiceError('ALREADY_SUBMITTED');
  if (!before) throw new ServiceError('PROFILE_INCOMPLETE');
  if (before.version !== version || accepted !== inForce) throw new ServiceError('CHANGED_MEANWHILE');
  requireComplete(before);
  const at = new Date(nowMs).toISOString();
  const after: Profile = {
    ...before,
    terms: { version: accepted, acceptedAt: at, acceptedBy: personId },
    submittedAt: at,
    submittedBy: personId,
    version: version + 1,
  };
  const recorded = { before: { submittedAt: null }, after: { submittedAt: at, terms: accepted } };
  if (await profiles.saveProfile(organisation.id, { before, after, recorded, isForPending: true }))
    return after;
  throw new ServiceError('CHANGED_MEANWHILE');
}

/**
 * Whether the profile can be submitted: every number was found, or could not be looked up. In the second case, the
 * operator checks the number.
 */
export function isComplete({ companyCheck, taxCheck }: Pick<Profile, 'companyCheck' | 'taxCheck'>): boolean {
  return [companyCheck, taxCheck].every((check) => check !== undefined && check.result !== 'NOT_FOUND');
}

function requireComplete(profile: Profile): void {
  if (isComplete(profile)) return;
  const isUnknown = [profile.companyCheck, profile.taxCheck].some((check) => check?.result === 'NOT_FOUND');
  throw new ServiceError('PROFILE_INCOMPLETE', isUnknown ? { message: NOT_FOUND } : {});
}

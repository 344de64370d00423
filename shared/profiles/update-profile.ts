import type { Organisation } from '../accounts/organisation.ts';
import { DAY_MS } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { Profile } from '../members/rows.ts';
import type { ProfileTable } from './profile-table.ts';

export type EnteredProfile = Pick<
  Profile,
  'companyNumber' | 'taxNumber' | 'address' | 'billingContact' | 'privacyContact'
>;

/** Since its last change. */
const DRAFT_KEPT_MS = 90 * DAY_MS;

export interface ProfileUpdate {
  readonly organisation: Pick<Organisation, 'id' | 'status'>;
  readonly entered: EnteredProfile;
  /** 0 if there was none. */
  readonly version: number;
}

/** If a number changes, its check no longer applies, and the profile must be submitted again. */
export async function updateProfile(
  { organisation, entered, version }: ProfileUpdate,
  profiles: Pick<ProfileTable, 'getProfile' | 'saveProfile'>,
  nowMs: number,
): Promise<Profile> {
  const before = await profiles.getProfile(organisation.id);
  if ((before?.version ?? 0) !== version) throw new ServiceError('CHANGED_MEANWHILE');
  const kept = before && keptOf(before, entered);
  const changesNumbers = kept !== before;
  if (changesNumbers && organisation.status === 'APPROVED') throw new ServiceError('NUMBERS_FIXED');
  const isPending = organisation.status === 'PENDING';
  const changed: Profile = { ...kept, ...entered, version: version + 1 };
  const after = withExpiry(changed, isPending && changed.submittedAt === undefined, nowMs);
  const recorded = { after: { changed: changedFields(before, after) } };
  const save = { before, after, recorded, isForPending: changesNumbers || isPending };
  if (await profiles.saveProfile(organisation.id, save)) return after;
  throw new ServiceError('CHANGED_MEANWHILE');
}

/** Only a draft expires: neither submitted nor approved. */
export function withExpiry(row: Profile, isDraft: boolean, nowMs: number): Profile {
  const { expiresAt: _, ...kept } = row;
  return isDraft ? { ...kept, expiresAt: Math.ceil((nowMs + DRAFT_KEPT_MS) / 1000) } : kept;
}

/** Without checks of changed numbers, and then not submitted. */
function keptOf(before: Profile, entered: EnteredProfile): Profile {
  const isSame = {
    company: before.companyNumber === entered.companyNumber,
    tax: before.taxNumber === entered.taxNumber,
  };
  if (isSame.company && isSame.tax) return before;
  const { companyCheck, taxCheck, terms: _, submittedAt: __, submittedBy: ___, ...kept } = before;
  return {
    ...kept,
    ...(isSame.company && companyCheck && { companyCheck }),
    ...(isSame.tax && taxCheck && { taxCheck }),
  };
}

const FIELDS = ['companyNumber', 'taxNumber', 'address', 'billingContact', 'privacyContact'] as const;

/** For the audit trail, without values, which may be personal data. */
function changedFields(before: Profile | undefined, after: Profile): string[] {
  const text = (row: Profile | undefined, field: (typeof FIELDS)[number]) => JSON.stringify(row?.[field]);
  return FIELDS.filter((field) => text(before, field) !== text(after, field));
}

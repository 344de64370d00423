import type { Organisation } from '../accounts/organisation.ts';
import { ServiceError } from '../core/errors.ts';
import { type CheckDependencies, type CheckedType, checkNumber } from './check-number.ts';
import type { EnteredProfile } from './profile-fields.ts';
import type { ProfileTable } from './profile-table.ts';
import type { NumberCheck, Profile } from './rows.ts';

/** The maximum number of look-ups of profile numbers for one organisation on one day (UTC). */
export const MOST_CHECKS = 5;
/**
 * The maximum number of look-ups of profile numbers for all organisations together on one day (UTC). There is a limit,
 * because the operator pays for them and anyone can create organisations. Beyond the limit, no registry is queried, and
 * the operator checks the numbers.
 */
export const MOST_CHECKS_OF_STAGE = 500;

export interface ProfileDependencies extends CheckDependencies {
  readonly profiles: ProfileTable;
}

export interface ProfileUpdate {
  readonly organisation: Pick<Organisation, 'id' | 'status'>;
  readonly entered: EnteredProfile;
  /** The version that the member saw. 0 if there was no profile. */
  readonly version: number;
  readonly requestId: string;
}

/**
 * Saves a profile. Looks up the numbers that changed, and those that could not be looked up before. A number without a
 * record is saved with the result of its check. Throws CHECK_LIMIT_REACHED, and saves nothing, if the organisation has
 * too few look-ups left today for the changed numbers.
 */
export async function updateProfile(update: ProfileUpdate, deps: ProfileDependencies): Promise<Profile> {
  const { organisation, entered, version } = update;
  const before = await deps.profiles.getProfile(organisation.id);
  if ((before?.version ?? 0) !== version) throw new ServiceError('CHANGED_MEANWHILE');
  const isChanged = {
    CAC: before?.companyNumber !== entered.companyNumber,
    TIN: before?.taxNumber !== entered.taxNumber,
  };
  const changesNumbers = before !== undefined && (isChanged.CAC || isChanged.TIN);
  if (changesNumbers && organisation.status === 'APPROVED') throw new ServiceError('NUMBERS_FIXED');
  const checks = await checkNumbers(update, before, isChanged, deps);
  const { companyCheck: _, taxCheck: __, ...kept } = before ?? { version: 0 };
  const after: Profile = { ...kept, ...entered, ...checks, version: version + 1 };
  const recorded = recordedChange(before, after);
  const save = { before, after, recorded, isForPending: changesNumbers };
  if (await deps.profiles.saveProfile(organisation.id, save)) return after;
  throw new ServiceError('CHANGED_MEANWHILE');
}

/** Returns the UTC day of a time in epoch milliseconds, as `yyyy-mm-dd`. */
export function checkDay(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

type Checks = Pick<Profile, 'companyCheck' | 'taxCheck'>;

/** Returns the checks of both numbers: earlier checks if they still apply, and otherwise new ones. */
async function checkNumbers(
  { organisation, entered, requestId }: ProfileUpdate,
  before: Profile | undefined,
  isChanged: Readonly<Record<CheckedType, boolean>>,
  deps: ProfileDependencies,
): Promise<Checks> {
  const earlier: Checks = {
    ...(before?.companyCheck && !isChanged.CAC && { companyCheck: before.companyCheck }),
    ...(before?.taxCheck && !isChanged.TIN && { taxCheck: before.taxCheck }),
  };
  const isWanted = await takenChecks(organisation.id, isChanged, earlier, deps);
  const isPaid = await isWithinBudget(isWanted, deps);
  const check = async (idType: CheckedType, number: string): Promise<NumberCheck> => {
    if (isPaid) return checkNumber(idType, number, requestId, deps);
    return { number, result: 'UNAVAILABLE', checkedAt: new Date(deps.nowMs()).toISOString(), requestId };
  };
  const [companyCheck, taxCheck] = await Promise.all([
    isWanted.CAC ? check('CAC', entered.companyNumber) : earlier.companyCheck,
    isWanted.TIN ? check('TIN', entered.taxNumber) : earlier.taxCheck,
  ]);
  return { ...(companyCheck && { companyCheck }), ...(taxCheck && { taxCheck }) };
}

/**
 * Returns which numbers to look up, and counts them. Throws if too few look-ups are left for the changed numbers. An
 * unchanged number may remain unchecked, and the operator then checks it.
 */
async function takenChecks(
  organisationId: string,
  isChanged: Readonly<Record<CheckedType, boolean>>,
  earlier: Checks,
  { profiles, nowMs }: ProfileDependencies,
): Promise<Readonly<Record<CheckedType, boolean>>> {
  const isWanted = { CAC: isUnknown(earlier.companyCheck), TIN: isUnknown(earlier.taxCheck) };
  for (const wanted of [isWanted, isChanged]) {
    const count = Number(wanted.CAC) + Number(wanted.TIN);
    if (count === 0) return wanted;
    if (await profiles.takeChecks(organisationId, checkDay(nowMs()), count, MOST_CHECKS)) return wanted;
  }
  throw new ServiceError('CHECK_LIMIT_REACHED');
}

/** Counts these look-ups for the stage. Returns false if they exceed the stage's limit for the day. */
async function isWithinBudget(
  { CAC, TIN }: Readonly<Record<CheckedType, boolean>>,
  { profiles, nowMs }: ProfileDependencies,
): Promise<boolean> {
  const count = Number(CAC) + Number(TIN);
  return count === 0 || profiles.takeChecks(undefined, checkDay(nowMs()), count, MOST_CHECKS_OF_STAGE);
}

function isUnknown(check: NumberCheck | undefined): boolean {
  return check === undefined || check.result === 'UNAVAILABLE';
}

const FIELDS = ['companyNumber', 'taxNumber', 'address', 'billingContact', 'privacyContact'] as const;

/**
 * Returns what the audit trail records: which fields changed, and the results of the checks. Values are left out,
 * because they may be personal data and the audit trail is never deleted.
 */
function recordedChange(before: Profile | undefined, after: Profile) {
  const text = (row: Profile | undefined, field: (typeof FIELDS)[number]) => JSON.stringify(row?.[field]);
  const changed = FIELDS.filter((field) => text(before, field) !== text(after, field));
  const results = (row: Profile) => ({
    companyCheck: row.companyCheck?.result ?? null,
    taxCheck: row.taxCheck?.result ?? null,
  });
  return { ...(before && { before: results(before) }), after: { changed, ...results(after) } };
}

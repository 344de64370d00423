import type { IdType } from '../../core/id-types.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { NumberCheck, NumberLookUp, Profile } from '../../members/rows.ts';
import { numberLookUpTable } from '../../profiles/number-look-up-table.ts';
import { profileTable } from '../../profiles/profile-table.ts';
import { numberTags } from '../../verifications/number-tag.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** What Console contains about one number. */
export interface NumberInConsole {
  /** The look-ups of the number for the organisation's profile. */
  readonly lookUps: readonly NumberLookUp[];
  /** The organisation's profile, if it contains the number, with the check of the number. */
  readonly profile: { readonly row: Profile; readonly check: NumberCheck | undefined } | undefined;
}

/** What an erasure removed from Console. */
export interface ErasedNumber {
  readonly lookUps: number;
  /** Null if the profile does not contain the number. The profile of an organisation that was approved is kept. */
  readonly profile: 'erased' | 'kept' | null;
}

const MAX_ATTEMPTS = 5;

/**
 * Finds and erases a number that members entered in the profile of their organisation. The numbers of profiles are
 * looked up at the live registries, so Console contains nothing about numbers of the test environment.
 */
export function numbersInConsole(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables, pepper } = deployment;
  const { nowMs } = clock;
  const organisations = organisationsIn(place);
  const rows = numberLookUpTable(client, tables.console);
  const profiles = profileTable(client, tables, recorder, nowMs);

  async function profileWith(scope: WalletId, tags: readonly string[]): Promise<NumberInConsole['profile']> {
    const row = await profiles.getProfile(scope.organisationId);
    if (!row) return undefined;
    const secret = await pepper();
    const isSame = (idType: IdType, number: string) =>
      numberTags(secret, scope, idType, number).some((tag) => tags.includes(tag));
    if (isSame('CAC', row.companyNumber)) return { row, check: row.companyCheck };
    return isSame('TIN', row.taxNumber) ? { row, check: row.taxCheck } : undefined;
  }

  async function eraseProfile(scope: WalletId, tags: readonly string[]): Promise<ErasedNumber['profile']> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const found = await profileWith(scope, tags);
      if (!found) return null;
      const { status } = await requireOrganisation(organisations, scope.organisationId);
      if (status !== 'PENDING') return 'kept';
      if (await profiles.eraseProfile(scope.organisationId, found.row)) return 'erased';
    }
    throw notPossible('The members keep changing the profile, so it was not erased. Repeat the erasure.');
  }

  return {
    async find(scope: WalletId, tags: readonly string[]): Promise<NumberInConsole> {
      if (scope.env !== 'live') return { lookUps: [], profile: undefined };
      return {
        lookUps: await rows.lookUpsOf(scope.organisationId, tags, nowMs()),
        profile: await profileWith(scope, tags),
      };
    },
    /** Deletes the look-ups of a number, and the profile that contains it unless the organisation was approved. */
    async erase(scope: WalletId, tags: readonly string[]): Promise<ErasedNumber> {
      if (scope.env !== 'live') return { lookUps: 0, profile: null };
      const profile = await eraseProfile(scope, tags);
      return { lookUps: await rows.deleteLookUps(scope.organisationId, tags), profile };
    },
  };
}

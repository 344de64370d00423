import * as v from 'valibot';
import {
  amountField,
  dateField,
  flagField,
  genderField,
  listOf,
  percentageField,
  phoneField,
  textField,
} from '../fields.ts';
import type { CacAffiliate, CacRecord } from '../records/cac.ts';
import { sharePercentages } from '../shareholding.ts';

export const affiliateEntry = v.object({
  surname: textField,
  firstname: textField,
  otherName: textField,
  corporationName: textField,
  rcNumber: textField,
  isCorporate: flagField,
  affiliateType: v.nullish(v.union([textField, v.object({ name: textField })])),
  nationality: textField,
  gender: genderField,
  occupation: textField,
  email: textField,
  phoneNumber: phoneField,
  streetNumber: textField,
  address: textField,
  city: textField,
  state: textField,
  status: textField,
  dateOfAppointment: dateField,
  numSharesAlloted: amountField,
  typeOfShares: textField,
  shareholdingPercentage: percentageField,
});

export const affiliateEntries = v.nullish(listOf(affiliateEntry), []);
type AffiliateEntry = v.InferOutput<typeof affiliateEntry>;

/** Returns affiliates with the documented field names. */
export function affiliatesFrom(entries: readonly AffiliateEntry[], defaultType = ''): CacAffiliate[] {
  const types = entries.map((entry) => typeName(entry) || defaultType);
  const derived = derivedPercentages(entries, types);
  return entries.map((entry, index) => {
    const { streetNumber, affiliateType: _, ...rest } = entry;
    const percentage = entry.shareholdingPercentage ?? derived[index] ?? null;
    return {
      ...rest,
      affiliateType: types[index] ?? '',
      address: [streetNumber, entry.address].filter(Boolean).join(' '),
      isCorporate: entry.isCorporate || (entry.corporationName !== '' && entry.surname === ''),
      shareholdingPercentage: percentage,
      shareholdingPercentageDerived: entry.shareholdingPercentage === null && percentage !== null,
    };
  });
}

function typeName({ affiliateType }: AffiliateEntry): string {
  const name = typeof affiliateType === 'object' ? affiliateType?.name : affiliateType;
  return (name ?? '').toUpperCase();
}

/** A person can be listed both as a director and as a shareholder, so if there are shareholders, only they count. */
function derivedPercentages(entries: readonly AffiliateEntry[], types: readonly string[]): (number | null)[] {
  const hasHolders = types.some(isShareholder);
  return sharePercentages(
    entries.map((entry, index) =>
      !hasHolders || isShareholder(types[index] ?? '') ? entry.numSharesAlloted : 0,
    ),
  );
}

function isShareholder(type: string): boolean {
  return /SHAREHOLDER|MEMBER/.test(type);
}

/** Returns the directors who are natural persons, as in the basic record (contract D4). */
export function directorsAmong(affiliates: readonly CacAffiliate[]): CacRecord['directors'] {
  return affiliates
    .filter(({ affiliateType, isCorporate }) => /DIRECTOR/.test(affiliateType) && !isCorporate)
    .map(({ surname, firstname, otherName }) => ({ surname, firstname, otherName }));
}

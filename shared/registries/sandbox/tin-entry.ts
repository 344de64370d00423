import type { TinFormat } from '../../core/id-types.ts';
import { tinFormat } from '../../core/numbers.ts';
import { cacEntry } from './cac-entry.ts';
import { inventPerson, type Person, twoDigits } from './person.ts';
import { type Random, seededRandom } from './random.ts';
import { personSeed, sharedKey } from './seed.ts';
import { variantOf } from './variants.ts';

interface TaxNumberKind {
  /** Who has numbers of this format. @default people and businesses */
  readonly holder?: 'person' | 'business';
  readonly business: { readonly entityType: string; readonly prefix: string };
  readonly taxOffice: (home: Person['home']) => string;
  readonly firstYear: number;
  readonly years: number;
  /** Dates after today count as missing, so those of 2026 are in its first months. @default 12 */
  readonly months?: number;
}

const COMPANY = { entityType: 'COMPANY', prefix: 'RC' };
const BUSINESS_NAME = { entityType: 'BUSINESS_NAME', prefix: 'BN' };

const NEW_TAX_ID: TaxNumberKind = {
  business: COMPANY,
  taxOffice: () => 'NIGERIA REVENUE SERVICE',
  firstYear: 2026,
  years: 1,
  months: 6,
};

const KINDS: Readonly<Record<TinFormat, TaxNumberKind>> = {
  FIRS: {
    business: COMPANY,
    taxOffice: ({ name }) => `MSTO ${name.toUpperCase()}`,
    firstYear: 2008,
    years: 17,
  },
  JTB: {
    business: BUSINESS_NAME,
    taxOffice: ({ state }) => `${state.toUpperCase()} STATE INTERNAL REVENUE SERVICE`,
    firstYear: 2008,
    years: 17,
  },
  TAX_ID: NEW_TAX_ID,
  NIN: { ...NEW_TAX_ID, holder: 'person' },
  RC: { ...NEW_TAX_ID, holder: 'business' },
};

/** Returns a record in the tax registry's format: a person or a business, with "N/A" for missing values. */
export function tinEntry(tin: string): Record<string, unknown> {
  const random = seededRandom(personSeed('TIN', tin));
  const variant = variantOf(tin);
  const person = inventPerson(random, variant);
  const kind = KINDS[tinFormat(tin)];
  const either = variant === 'none' && random.below(2) === 0 && sharedKey('TIN', tin) === undefined;
  const isBusiness = kind.holder ? kind.holder === 'business' : either;
  const { entityType, prefix } = kind.business;
  const ownNumber = () => (tin.startsWith('RC') ? tin : `${prefix}${random.digits(6)}`);
  const business = isBusiness ? cacEntry(ownNumber()) : undefined;
  return {
    search: tin,
    taxpayer_name: business
      ? business['companyName']
      : [person.firstname, person.middlename, person.surname].filter(Boolean).join(' '),
    cac_reg_number: business ? business['rcNumber'] : 'N/A',
    entity_type: isBusiness ? entityType : 'INDIVIDUAL',
    date_of_registration: dateIn(random, kind),
    tax_office: kind.taxOffice(person.home),
    phone_number: person.phone,
    email: person.email || 'N/A',
  };
}

function dateIn(random: Random, { firstYear, years, months = 12 }: TaxNumberKind): string {
  const year = firstYear + random.below(years);
  return `${year}/${twoDigits(1 + random.below(months))}/${twoDigits(1 + random.below(28))}`;
}

import type { CompanyType } from '../../core/id-types.ts';
import { companyNumber } from '../../core/numbers.ts';
import { affiliatesOf } from './cac-affiliates.ts';
import { inventPerson, twoDigits } from './person.ts';
import { seededRandom } from './random.ts';
import { personSeed, sharedKey } from './seed.ts';
import { variantOf } from './variants.ts';

const TRADES = [
  'Agro-Allied',
  'Textiles',
  'Logistics',
  'Software',
  'Foods',
  'Building Materials',
  'Health Services',
];
const CAUSES = ['Education', 'Health', 'Youth Development', 'Faith'];
const SHARES_IN_WORDS: Readonly<Record<number, string>> = {
  1000000: 'ONE MILLION',
  2500000: 'TWO MILLION FIVE HUNDRED THOUSAND',
  10000000: 'TEN MILLION',
};

interface RegistrationKind {
  readonly classification: string;
  readonly companyType: string;
  readonly ending: string;
  readonly purposes: readonly string[];
}

const KINDS: Readonly<Record<CompanyType, RegistrationKind>> = {
  RC: {
    classification: 'COMPANY',
    companyType: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
    ending: 'Limited',
    purposes: TRADES,
  },
  BN: {
    classification: 'BUSINESS_NAME',
    companyType: 'SOLE_PROPRIETORSHIP',
    ending: 'Ventures',
    purposes: TRADES,
  },
  IT: {
    classification: 'INCORPORATED_TRUSTEES',
    companyType: 'INCORPORATED_TRUSTEES',
    ending: 'Foundation',
    purposes: CAUSES,
  },
  LP: {
    classification: 'LIMITED_PARTNERSHIP',
    companyType: 'LIMITED_PARTNERSHIP',
    ending: 'LP',
    purposes: TRADES,
  },
  LLP: {
    classification: 'LIMITED_LIABILITY_PARTNERSHIP',
    companyType: 'LIMITED_LIABILITY_PARTNERSHIP',
    ending: 'LLP',
    purposes: TRADES,
  },
};

/** Returns a status report in CAC's format. */
export function cacEntry(number: string): Record<string, unknown> {
  const random = seededRandom(`CAC/${number}`);
  const { type } = companyNumber(number);
  const kind = KINDS[type];
  const purpose = random.pick(kind.purposes);
  const shareCapital = type === 'RC' ? random.pick([1_000_000, 2_500_000, 10_000_000]) : 0;
  const date = `${1985 + random.below(38)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
  const variant = variantOf(number);
  // The affiliates of a number that belongs to a person begin with this person.
  const own = sharedKey('CAC', number) === undefined ? random : seededRandom(personSeed('CAC', number));
  const first = inventPerson(own, variant);
  const rows = affiliatesOf(random, first, { type, date, shareCapital });
  const { home } = first;
  return {
    // CAC numbers each type separately: BN 7000 and RC 7000 are different registrations.
    rcNumber: number,
    companyName: `${first.surname} ${purpose} ${kind.ending}`.toUpperCase(),
    companyStatus: random.below(6) === 0 ? 'INACTIVE' : 'ACTIVE',
    classification: kind.classification,
    companyType: kind.companyType,
    registrationDate: `${date}T00:00:00.000+00:00`,
    headOfficeAddress: `${first.street}, ${home.name}`,
    branchAddress: null,
    city: home.name,
    lga: home.lga,
    state: home.state.toUpperCase(),
    companyEmail: `office@${purpose.toLowerCase().replace(/[^a-z]/g, '')}-${random.digits(4)}.example.com`,
    natureOfBusiness: purpose.toUpperCase(),
    shareCapital,
    shareCapitalInWords: SHARES_IN_WORDS[shareCapital] ?? null,
    affiliates: rows,
  };
}

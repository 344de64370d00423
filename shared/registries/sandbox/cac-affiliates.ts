import type { CompanyType } from '../../core/id-types.ts';
import { inventPerson, type Person, twoDigits } from './person.ts';
import type { Random } from './random.ts';
import type { Variant } from './variants.ts';

/** The affiliates of a registration as CAC writes them. */
export interface Affiliates {
  /** The person of the first row, whom the variant concerns. */
  readonly first: Person;
  readonly rows: readonly Record<string, unknown>[];
}

/** Invents the affiliates that a registration of this type has. Only companies have shares. */
export function inventAffiliates(
  random: Random,
  { type, variant, shareCapital }: { type: CompanyType; variant: Variant; shareCapital: number },
): Affiliates {
  const first = inventPerson(random, variant);
  const others = (role: string, count: number) =>
    Array.from({ length: count }, () => individual(random, inventPerson(random), role));
  const firstAs = (role: string) => individual(random, first, role);
  switch (type) {
    case 'RC': {
      const directors = [firstAs('DIRECTOR'), ...others('DIRECTOR', 1 + random.below(3))];
      return { first, rows: [...directors, ...shareholders(random, shareCapital)] };
    }
    case 'BN':
      return { first, rows: [firstAs('PROPRIETOR')] };
    case 'IT':
      return { first, rows: [firstAs('TRUSTEE'), ...others('TRUSTEE', 1 + random.below(4))] };
    case 'LP': {
      const limited = others('LIMITED PARTNER', 1 + random.below(3));
      return { first, rows: [firstAs('GENERAL PARTNER'), ...limited] };
    }
    case 'LLP':
      return { first, rows: [firstAs('PARTNER'), ...others('PARTNER', 1 + random.below(3))] };
  }
}

/** Two to four shareholders, one of them a company. */
function shareholders(random: Random, shareCapital: number): Record<string, unknown>[] {
  return splitShares(random, shareCapital, 2 + random.below(3)).map((shares, index) =>
    index === 0
      ? corporation(random, shares)
      : individual(random, inventPerson(random), 'SHAREHOLDER', shares),
  );
}

/** Divides the shares into uneven holdings, none of them empty. */
function splitShares(random: Random, total: number, count: number): number[] {
  const weights = Array.from({ length: count }, () => 1 + random.below(97));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight) => Math.floor((total * weight) / sum));
  const rest = total - shares.reduce((all, share) => all + share, 0);
  return shares.map((share, index) => (index === 0 ? share + rest : share));
}

function individual(random: Random, person: Person, role: string, shares = 0): Record<string, unknown> {
  return {
    ...appointment(random, role, shares),
    surname: person.surname,
    firstname: person.firstname,
    otherName: person.middlename || null,
    isCorporate: false,
    gender: person.gender === 'm' ? 'MALE' : 'FEMALE',
    nationality: 'NIGERIAN',
    occupation: random.pick(['BUSINESS', 'LEGAL PRACTITIONER', 'ENGINEER', 'TRADER']),
    email: person.email || null,
    phoneNumber: `234${person.phone.slice(1)}`,
    address: person.street,
    city: person.home.name,
    state: person.home.state,
  };
}

function corporation(random: Random, shares: number): Record<string, unknown> {
  const namesake = inventPerson(random);
  return {
    ...appointment(random, 'SHAREHOLDER', shares),
    corporationName: `${namesake.surname} HOLDINGS LIMITED`,
    rcNumber: `${1 + random.below(9)}${random.digits(5)}`,
    isCorporate: true,
    nationality: 'NIGERIAN',
    address: namesake.street,
    city: namesake.home.name,
    state: namesake.home.state,
  };
}

function appointment(random: Random, role: string, shares: number): Record<string, unknown> {
  return {
    affiliateType: { name: role },
    status: 'ACTIVE',
    dateOfAppointment: `${2010 + random.below(14)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`,
    numSharesAlloted: shares,
    typeOfShares: shares > 0 ? 'ORDINARY' : null,
  };
}

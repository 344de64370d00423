import type { CompanyType } from '../../core/id-types.ts';
import { inventPerson, type Person } from './person.ts';
import type { Random } from './random.ts';

interface Registration {
  readonly type: CompanyType;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly shareCapital: number;
}

/** Returns the affiliates of a registration of this type, which begin with `first`. */
export function affiliatesOf(
  random: Random,
  first: Person,
  registration: Registration,
): Record<string, unknown>[] {
  const { type, date } = registration;
  const firstAs = (role: string) => individual(random, first, { role, date });
  const others = (role: string, count: number) =>
    Array.from({ length: count }, () => individual(random, inventPerson(random), { role, date }));
  switch (type) {
    case 'RC': {
      const directors = [firstAs('DIRECTOR'), ...others('DIRECTOR', 1 + random.below(3))];
      return [...directors, ...shareholders(random, registration)];
    }
    case 'BN':
      return [firstAs('PROPRIETOR')];
    case 'IT':
      return [firstAs('TRUSTEE'), ...others('TRUSTEE', 1 + random.below(4))];
    case 'LP': {
      const limited = others('LIMITED PARTNER', 1 + random.below(3));
      return [firstAs('GENERAL PARTNER'), ...limited];
    }
    case 'LLP':
      return [firstAs('PARTNER'), ...others('PARTNER', 1 + random.below(3))];
  }
}

/** Invents two to four shareholders, one of them a company. */
function shareholders(random: Random, { shareCapital, date }: Registration): Record<string, unknown>[] {
  return splitShares(random, shareCapital, 2 + random.below(3)).map((shares, index) => {
    const holder = { role: 'SHAREHOLDER', date, shares };
    return index === 0 ? corporation(random, holder) : individual(random, inventPerson(random), holder);
  });
}

/** Divides the shares into random holdings, none of them empty. */
function splitShares(random: Random, total: number, count: number): number[] {
  const weights = Array.from({ length: count }, () => 1 + random.below(97));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight) => Math.floor((total * weight) / sum));
  const rest = total - shares.reduce((all, share) => all + share, 0);
  return shares.map((share, index) => (index === 0 ? share + rest : share));
}

interface Appointment {
  readonly role: string;
  readonly date: string;
  readonly shares?: number;
}

function individual(random: Random, person: Person, appointment: Appointment): Record<string, unknown> {
  return {
    ...appointed(appointment),
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

function corporation(random: Random, appointment: Appointment): Record<string, unknown> {
  const namesake = inventPerson(random);
  return {
    ...appointed(appointment),
    corporationName: `${namesake.surname} HOLDINGS LIMITED`,
    rcNumber: `${1 + random.below(9)}${random.digits(5)}`,
    isCorporate: true,
    nationality: 'NIGERIAN',
    address: namesake.street,
    city: namesake.home.name,
    state: namesake.home.state,
  };
}

function appointed({ role, date, shares = 0 }: Appointment): Record<string, unknown> {
  return {
    affiliateType: { name: role },
    status: 'ACTIVE',
    dateOfAppointment: date,
    numSharesAlloted: shares,
    typeOfShares: shares > 0 ? 'ORDINARY' : null,
  };
}

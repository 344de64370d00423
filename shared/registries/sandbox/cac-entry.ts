import { inventPerson, twoDigits } from './person.ts';
import { type Random, seededRandom } from './random.ts';

const TRADES = [
  'Agro-Allied',
  'Textiles',
  'Logistics',
  'Software',
  'Foods',
  'Building Materials',
  'Health Services',
];
const SHARES_IN_WORDS: Readonly<Record<number, string>> = {
  1000000: 'ONE MILLION',
  2500000: 'TWO MILLION FIVE HUNDRED THOUSAND',
  10000000: 'TEN MILLION',
};

/** A status report as CAC writes it, with two to four directors and two to four shareholders, one of them a company. */
export function cacEntry(rcNumber: string): Record<string, unknown> {
  const random = seededRandom(`CAC/${rcNumber}`);
  const owner = inventPerson(random);
  const trade = random.pick(TRADES);
  const shareCapital = random.pick([1_000_000, 2_500_000, 10_000_000]);
  const affiliates = affiliateRows(random, shareCapital);
  const companyName = `${owner.surname} ${trade} Limited`.toUpperCase();
  const date = `${1985 + random.below(38)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
  return {
    rcNumber: rcNumber.replace(/^RC/, ''),
    companyName,
    companyStatus: random.below(6) === 0 ? 'INACTIVE' : 'ACTIVE',
    classification: 'COMPANY',
    companyType: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
    registrationDate: `${date}T00:00:00.000+00:00`,
    headOfficeAddress: `${owner.street}, ${owner.home.name}`,
    branchAddress: null,
    city: owner.home.name,
    lga: owner.home.lga,
    state: owner.home.state.toUpperCase(),
    companyEmail: `office@${trade.toLowerCase().replace(/[^a-z]/g, '')}-${random.digits(4)}.example.com`,
    natureOfBusiness: trade.toUpperCase(),
    shareCapital,
    shareCapitalInWords: SHARES_IN_WORDS[shareCapital],
    affiliates,
  };
}

function affiliateRows(random: Random, shareCapital: number): Record<string, unknown>[] {
  const directors = Array.from({ length: 2 + random.below(3) }, () => individual(random, 'DIRECTOR', 0));
  const holdings = splitShares(random, shareCapital, 2 + random.below(3));
  const holders = holdings.map((shares, index) =>
    index === 0 ? corporation(random, shares) : individual(random, 'SHAREHOLDER', shares),
  );
  return [...directors, ...holders];
}

/** Divides the shares into uneven holdings, none of them empty. */
function splitShares(random: Random, total: number, count: number): number[] {
  const weights = Array.from({ length: count }, () => 1 + random.below(97));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight) => Math.floor((total * weight) / sum));
  const rest = total - shares.reduce((all, share) => all + share, 0);
  return shares.map((share, index) => (index === 0 ? share + rest : share));
}

function individual(random: Random, type: string, shares: number): Record<string, unknown> {
  const person = inventPerson(random);
  return {
    ...appointment(random, type, shares),
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
    corporationName: `${namesake.surname} Holdings Limited`.toUpperCase(),
    rcNumber: `${1 + random.below(9)}${random.digits(5)}`,
    isCorporate: true,
    nationality: 'NIGERIAN',
    address: namesake.street,
    city: namesake.home.name,
    state: namesake.home.state,
  };
}

function appointment(random: Random, type: string, shares: number): Record<string, unknown> {
  return {
    affiliateType: { name: type },
    status: 'ACTIVE',
    dateOfAppointment: `${2010 + random.below(14)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`,
    numSharesAlloted: shares,
    typeOfShares: shares > 0 ? 'ORDINARY' : null,
  };
}

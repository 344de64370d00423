import { drawPerson, twoDigits } from './person.ts';
import { drawsOf, type Random } from './pick.ts';

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

/** As the register of companies writes a status report: two to four directors, two to four shareholders, one corporate. */
export function cacEntry(rcNumber: string): Record<string, unknown> {
  const draws = drawsOf(`CAC/${rcNumber}`);
  const owner = drawPerson(draws);
  const trade = draws.pick(TRADES);
  const shareCapital = draws.pick([1_000_000, 2_500_000, 10_000_000]);
  const affiliates = affiliateRows(draws, shareCapital);
  const companyName = `${owner.surname} ${trade} Limited`.toUpperCase();
  const date = `${1985 + draws.below(38)}-${twoDigits(1 + draws.below(12))}-${twoDigits(1 + draws.below(28))}`;
  return {
    rcNumber: rcNumber.replace(/^RC/, ''),
    companyName,
    companyStatus: draws.below(6) === 0 ? 'INACTIVE' : 'ACTIVE',
    classification: 'COMPANY',
    companyType: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
    registrationDate: `${date}T00:00:00.000+00:00`,
    headOfficeAddress: `${owner.street}, ${owner.home.town}`,
    branchAddress: null,
    city: owner.home.town,
    lga: owner.home.lga,
    state: owner.home.state.toUpperCase(),
    companyEmail: `office@${trade.toLowerCase().replace(/[^a-z]/g, '')}-${draws.digits(4)}.example.com`,
    natureOfBusiness: trade.toUpperCase(),
    shareCapital,
    shareCapitalInWords: SHARES_IN_WORDS[shareCapital],
    affiliates,
  };
}

function affiliateRows(draws: Random, shareCapital: number): Record<string, unknown>[] {
  const directors = Array.from({ length: 2 + draws.below(3) }, () => individual(draws, 'DIRECTOR', 0));
  const parts = split(draws, shareCapital, 2 + draws.below(3));
  const holders = parts.map((shares, index) =>
    index === 0 ? corporation(draws, shares) : individual(draws, 'SHAREHOLDER', shares),
  );
  return [...directors, ...holders];
}

/** Splits the shares into uneven parts, none of them empty. */
function split(draws: Random, total: number, parts: number): number[] {
  const weights = Array.from({ length: parts }, () => 1 + draws.below(97));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight) => Math.floor((total * weight) / sum));
  const rest = total - shares.reduce((all, count) => all + count, 0);
  return shares.map((count, index) => (index === 0 ? count + rest : count));
}

function individual(draws: Random, type: string, shares: number): Record<string, unknown> {
  const person = drawPerson(draws);
  return {
    ...appointment(draws, type, shares),
    surname: person.surname,
    firstname: person.firstname,
    otherName: person.middlename || null,
    isCorporate: false,
    gender: person.gender === 'm' ? 'MALE' : 'FEMALE',
    nationality: 'NIGERIAN',
    occupation: draws.pick(['BUSINESS', 'LEGAL PRACTITIONER', 'ENGINEER', 'TRADER']),
    email: person.email || null,
    phoneNumber: `234${person.phone.slice(1)}`,
    address: person.street,
    city: person.home.town,
    state: person.home.state,
  };
}

function corporation(draws: Random, shares: number): Record<string, unknown> {
  const namesake = drawPerson(draws);
  return {
    ...appointment(draws, 'SHAREHOLDER', shares),
    corporationName: `${namesake.surname} Holdings Limited`.toUpperCase(),
    rcNumber: `${1 + draws.below(9)}${draws.digits(5)}`,
    isCorporate: true,
    nationality: 'NIGERIAN',
    address: namesake.street,
    city: namesake.home.town,
    state: namesake.home.state,
  };
}

function appointment(draws: Random, type: string, shares: number): Record<string, unknown> {
  return {
    affiliateType: { name: type },
    status: 'ACTIVE',
    dateOfAppointment: `${2010 + draws.below(14)}-${twoDigits(1 + draws.below(12))}-${twoDigits(1 + draws.below(28))}`,
    numSharesAlloted: shares,
    typeOfShares: shares > 0 ? 'ORDINARY' : null,
  };
}

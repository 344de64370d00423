import { DEPOSIT_BANKS } from './deposit-banks.ts';
import { inventPerson, twoDigits } from './person.ts';
import { PORTRAITS } from './pictures.ts';
import { seededRandom } from './random.ts';
import { personSeed } from './seed.ts';
import { variantOf } from './variants.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LEVELS = [
  'Level 1 - Low Level Accounts',
  'Level 2 - Medium Level Accounts',
  'Level 3 - High Level Accounts',
];

/**
 * Returns a record in NIBSS's format: camel case, DD-MMM-YYYY, a code for the enrolling bank, and a data URI for the
 * photo.
 */
export function bvnEntry(bvn: string, withPhoto: boolean): Record<string, unknown> {
  const random = seededRandom(personSeed('BVN', bvn));
  const person = inventPerson(random, variantOf(bvn));
  const { birth, home, origin, gender, isMarried } = person;
  const bank = random.pick(DEPOSIT_BANKS);
  // BVNs have existed since 2014, and only for adults.
  const firstYear = Math.max(2014, birth.year + 18);
  return {
    responseCode: '00',
    bvn,
    title: gender === 'm' ? 'Mr' : isMarried ? 'Mrs' : 'Miss',
    firstName: person.firstname,
    middleName: person.middlename,
    lastName: person.surname,
    dateOfBirth: `${twoDigits(birth.day)}-${MONTHS[birth.month - 1]}-${birth.year}`,
    gender: gender === 'm' ? 'Male' : 'Female',
    phoneNumber1: `+234${person.phone.slice(1)}`,
    phoneNumber2: '',
    email: person.email || null,
    nationality: 'Nigeria',
    maritalStatus: isMarried ? 'Married' : 'Single',
    residentialAddress: `${person.street}, ${home.name}`,
    stateOfOrigin: `${origin.state} State`,
    lgaOfOrigin: origin.lga,
    stateOfResidence: `${home.state} State`,
    lgaOfResidence: home.lga,
    nameOnCard: [person.firstname, person.surname].join(' '),
    nin: `9${bvn.slice(1)}`,
    registrationDate: `${twoDigits(1 + random.below(28))}-${random.pick(MONTHS)}-${firstYear + random.below(2026 - firstYear)}`,
    enrollmentBank: bank.cbnCode,
    enrollmentBranch: home.name,
    levelOfAccount: random.pick(LEVELS),
    watchListed: 'NO',
    base64Image: withPhoto ? `data:image/jpeg;base64,${PORTRAITS[person.culture][gender]}` : null,
  };
}

import { BANKS } from '../mapping/nuban.ts';
import { drawPerson, twoDigits } from './person.ts';
import { drawsOf } from './pick.ts';
import { PORTRAITS } from './pictures.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LEVELS = [
  'Level 1 - Low Level Accounts',
  'Level 2 - Medium Level Accounts',
  'Level 3 - High Level Accounts',
];
const DEPOSIT_BANKS = BANKS.filter((bank) => bank.cbnCode.length === 3);

/** As the banks' register writes it: camel case, DD-MMM-YYYY, the enrolling bank as a code, the photo as a data URI. */
export function bvnEntry(bvn: string, withPhoto: boolean): Record<string, unknown> {
  const draws = drawsOf(`BVN/${bvn}`);
  const person = drawPerson(draws);
  const { birth, home, origin, gender } = person;
  const bank = draws.pick(DEPOSIT_BANKS);
  return {
    responseCode: '00',
    bvn,
    title: gender === 'm' ? 'Mr' : 'Miss',
    firstName: person.firstname,
    middleName: person.middlename,
    lastName: person.surname,
    dateOfBirth: `${twoDigits(birth.day)}-${MONTHS[birth.month - 1]}-${birth.year}`,
    gender: gender === 'm' ? 'Male' : 'Female',
    phoneNumber1: `+234${person.phone.slice(1)}`,
    phoneNumber2: '',
    email: person.email || null,
    nationality: 'Nigeria',
    maritalStatus: draws.pick(['Single', 'Married']),
    residentialAddress: `${person.street}, ${home.town}`,
    stateOfOrigin: `${origin.state} State`,
    lgaOfOrigin: origin.lga,
    stateOfResidence: `${home.state} State`,
    lgaOfResidence: home.lga,
    nameOnCard: [person.firstname, person.surname].join(' ').toUpperCase(),
    nin: draws.digits(11),
    registrationDate: `${twoDigits(1 + draws.below(28))}-${draws.pick(MONTHS)}-${2014 + draws.below(10)}`,
    enrollmentBank: bank.cbnCode,
    enrollmentBranch: home.town,
    levelOfAccount: draws.pick(LEVELS),
    watchListed: 'NO',
    base64Image: withPhoto ? `data:image/jpeg;base64,${PORTRAITS[person.culture][gender]}` : null,
  };
}

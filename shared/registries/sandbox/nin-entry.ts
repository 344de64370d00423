import { NAMES } from './names.ts';
import { inventPerson, twoDigits } from './person.ts';
import { PORTRAITS, SIGNATURES } from './pictures.ts';
import { seededRandom } from './random.ts';
import { personSeed } from './seed.ts';
import { variantOf } from './variants.ts';

const PROFESSIONS = [
  'TRADER',
  'TEACHER',
  'NURSE',
  'FARMER',
  'ACCOUNTANT',
  'DRIVER',
  'ENGINEER',
  'TAILOR',
  'STUDENT',
];
const LETTERS_AND_DIGITS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'];

/** Returns a record in NIMC's format: misspelt field names, decomposed letters (NFD) and base64 with line breaks. */
export function ninEntry(nin: string, withPhoto: boolean): Record<string, unknown> {
  const random = seededRandom(personSeed('NIN', nin));
  const person = inventPerson(random, variantOf(nin));
  const { birth, home, origin, culture, gender, isMarried } = person;
  return {
    nin,
    title: gender === 'm' ? 'mr' : isMarried ? 'mrs' : 'miss',
    firstname: person.firstname.normalize('NFD'),
    middlename: person.middlename.normalize('NFD') || null,
    surname: person.surname.normalize('NFD'),
    telephoneno: person.phone,
    email: person.email || '****',
    gender,
    birthdate: `${twoDigits(birth.day)}-${twoDigits(birth.month)}-${birth.year}`,
    birthcountry: 'nigeria',
    birthstate: random.below(4) === 0 ? home.state : origin.state,
    self_origin_state: origin.state,
    self_origin_lga: origin.lga,
    residence_AdressLine1: person.street,
    residence_Town: home.name,
    residence_lga: home.lga,
    residence_state: home.state,
    maritalstatus: isMarried ? 'married' : 'single',
    emplymentstatus: random.pick(['employed', 'self-employed', 'unemployed']),
    profession: random.pick(PROFESSIONS),
    religion: random.pick(NAMES[culture].religions),
    nspokenlang: NAMES[culture].language,
    nok_firstname: '****',
    nok_surname: '****',
    trackingId: Array.from({ length: 15 }, () => random.pick(LETTERS_AND_DIGITS)).join(''),
    photo: withPhoto ? wrapped(PORTRAITS[culture][gender]) : '',
    signature: wrapped(random.pick(SIGNATURES)),
  };
}

function wrapped(base64: string): string {
  return base64.replace(/.{76}/g, '$&\n');
}

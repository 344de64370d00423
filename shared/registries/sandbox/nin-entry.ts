import { NAMES } from './names.ts';
import { drawPerson, twoDigits } from './person.ts';
import { drawsOf } from './pick.ts';
import { PORTRAITS, SIGNATURES } from './pictures.ts';

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

/** As the national register writes it: its field names with their spelling mistakes, decomposed letters, wrapped base64. */
export function ninEntry(nin: string, withPhoto: boolean): Record<string, unknown> {
  const draws = drawsOf(`NIN/${nin}`);
  const person = drawPerson(draws);
  const { birth, home, origin, culture, gender } = person;
  const married = draws.below(2) === 0;
  return {
    nin,
    title: gender === 'm' ? 'mr' : married ? 'mrs' : 'miss',
    firstname: person.firstname.normalize('NFD'),
    middlename: person.middlename.normalize('NFD') || null,
    surname: person.surname.normalize('NFD'),
    telephoneno: person.phone,
    email: person.email || '****',
    gender,
    birthdate: `${twoDigits(birth.day)}-${twoDigits(birth.month)}-${birth.year}`,
    birthcountry: 'nigeria',
    birthstate: draws.below(4) === 0 ? home.state : origin.state,
    self_origin_state: origin.state,
    self_origin_lga: origin.lga,
    residence_AdressLine1: person.street,
    residence_Town: home.town,
    residence_lga: home.lga,
    residence_state: home.state,
    maritalstatus: married ? 'married' : 'single',
    emplymentstatus: draws.pick(['employed', 'self-employed', 'unemployed']),
    profession: draws.pick(PROFESSIONS),
    religion: draws.pick(NAMES[culture].religions),
    nspokenlang: NAMES[culture].language,
    nok_firstname: '****',
    nok_surname: '****',
    trackingId: Array.from({ length: 15 }, () => draws.pick(LETTERS_AND_DIGITS)).join(''),
    photo: withPhoto ? wrapped(PORTRAITS[culture][gender]) : '',
    signature: wrapped(draws.pick(SIGNATURES)),
  };
}

function wrapped(base64: string): string {
  return base64.replace(/.{76}/g, '$&\n');
}

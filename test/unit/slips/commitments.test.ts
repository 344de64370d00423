import { describe, expect, test } from '@jest/globals';
import { foldBirthDate, foldGivenNames, foldText } from '../../../shared/slips/canonical-details.ts';
import type { TypedDetails } from '../../../shared/slips/commitments.ts';
import { createSlipToken, readSlipToken, type SlipFacts } from '../../../shared/slips/token.ts';

const KEY = 'a-key-for-tests-only-1';
const NOW = new Date('2026-12-01T00:00:00Z');
const FACTS: SlipFacts = {
  slipType: 'premium',
  issuedAt: new Date('2026-11-21T11:31:07Z'),
  expiresAt: new Date('2027-11-21T11:31:07Z'),
  reference: '0a1b2c3d4e5f',
  specimen: false,
};
const DETAILS = {
  nin: '12345678901',
  surname: 'Ọláṣùbọ̀mí-Ogunmọlasuyi Ɗanƙwambo',
  givenNames: 'Ọláńrewájú, Chịọma Ayọ̀-mídé',
  birthDate: '12 MAR 1990',
};
const PERSON = { givenNames: DETAILS.givenNames, birthDate: DETAILS.birthDate };

function proofOf(details = DETAILS, facts = FACTS, key = KEY) {
  const check = readSlipToken(createSlipToken(facts, details, key), [key], NOW);
  if (check.kind === 'invalid' || check.proof === undefined) throw new Error('the token proves nothing');
  return check.proof;
}
const proof = proofOf();
const compare = (changes: Partial<TypedDetails> = {}) =>
  proof.compare({ nin: DETAILS.nin, surname: DETAILS.surname, ...changes });

describe('a token proves', () => {
  test('the number and the surname that are printed', () => {
    expect(compare()).toEqual({ numberAndSurname: true });
  });

  test('the given names and the date of birth, if they are typed', () => {
    expect(compare({ person: PERSON })).toEqual({ numberAndSurname: true, givenNamesAndBirthDate: true });
  });

  test.each([
    'OLASUBOMI OGUNMOLASUYI DANKWAMBO',
    'olasubomi-ogunmolasuyi dankwambo',
    '  Olasubomiogunmolasuyi   Ɗankwambo ',
    DETAILS.surname.normalize('NFD'),
  ])('the surname, whatever its capitals, marks, spaces and hyphens: %s', (surname) => {
    expect(compare({ surname })).toEqual({ numberAndSurname: true });
  });

  test.each([
    'OLANREWAJU CHIOMA AYOMIDE',
    'Chioma, Ayo Mide Olanrewaju',
    'ayọ-midé olanrewaju chịọma',
    'Olanrewaju Chioma Ayo-Mide',
  ])('the given names in any order: %s', (givenNames) => {
    expect(compare({ person: { ...PERSON, givenNames } }).givenNamesAndBirthDate).toBe(true);
  });

  test.each(['12-03-1990', '12/3/1990', '12.03.1990', '1990-03-12', '12 March 1990', '12 mar 1990'])(
    'the date of birth in usual formats: %s',
    (birthDate) => {
      expect(compare({ person: { ...PERSON, birthDate } }).givenNamesAndBirthDate).toBe(true);
    },
  );
});

describe('a token does not prove', () => {
  test('a different surname with the right number, as on a forged slip', () => {
    for (const surname of ['Adebayo', 'Olasubomi', 'Olasubomi-Ogunmolasuyi', '', '—'])
      expect(compare({ surname })).toEqual({ numberAndSurname: false });
  });

  test('the right names and date of birth with a different number', () => {
    expect(compare({ nin: '12345678902', person: PERSON })).toEqual({
      numberAndSurname: false,
      givenNamesAndBirthDate: false,
    });
  });

  test.each([
    { ...PERSON, birthDate: '03-12-1990' },
    { ...PERSON, birthDate: '12 MAR 1991' },
    { ...PERSON, givenNames: 'Olanrewaju Chioma' },
    { ...PERSON, givenNames: 'Olanrewaju Chioma Ayomide Ayomide' },
    { ...PERSON, givenNames: DETAILS.surname },
  ])('different given names or a different date of birth: %j', (person) => {
    expect(compare({ person })).toEqual({ numberAndSurname: true, givenNamesAndBirthDate: false });
  });

  test('details in which a letter was moved from the surname to the number', () => {
    expect(proofOf({ ...DETAILS, surname: 'AB' }).compare({ nin: '12345678901A', surname: 'B' })).toEqual({
      numberAndSurname: false,
    });
  });
});

describe('commitments', () => {
  const bytes = (details = DETAILS, facts = FACTS, key = KEY) =>
    Buffer.from(createSlipToken(facts, details, key), 'base64url');

  test('differ between two slips of one person, and between two keys', () => {
    const [one, other, keyed] = [
      bytes(),
      bytes(DETAILS, { ...FACTS, reference: '0a1b2c3d4e60' }),
      bytes(DETAILS, FACTS, 'another-key'),
    ];
    for (const different of [other, keyed]) {
      expect(different.subarray(16, 24)).not.toEqual(one.subarray(16, 24));
      expect(different.subarray(24, 32)).not.toEqual(one.subarray(24, 32));
    }
  });

  test('do not reveal that two slips have the same surname', () => {
    const [one, sibling] = [bytes(), bytes({ ...DETAILS, nin: '10987654321' })];
    expect(sibling.subarray(16, 32).equals(one.subarray(16, 32))).toBe(false);
    expect(sibling.subarray(0, 16)).toEqual(one.subarray(0, 16));
  });

  test('cannot be exchanged between tokens, because the signature covers them', () => {
    const [one, other] = [bytes(), bytes({ ...DETAILS, surname: 'Forged' })];
    const mixed = Buffer.concat([one.subarray(0, 16), other.subarray(16, 32), one.subarray(32)]);
    expect(readSlipToken(mixed.toString('base64url'), [KEY], NOW)).toEqual({ kind: 'invalid' });
  });
});

test('the row of attempts is named by a keyed hash that does not contain the reference', () => {
  expect(proof.attemptsName).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(proof.attemptsName).toBe(proofOf({ ...DETAILS, surname: 'Other' }).attemptsName);
  expect(proof.attemptsName).not.toBe(proofOf(DETAILS, FACTS, 'another-key').attemptsName);
  expect(Buffer.from(proof.attemptsName, 'base64url').toString('hex')).not.toContain(FACTS.reference);
});

describe('the canonical form of details:', () => {
  test.each([
    ['Ƙasimu ʼYarʼaduwa', 'KASIMUYARADUWA'],
    ["O'Brien–D’Arcy", 'OBRIENDARCY'],
    ['Ẹ̀kọ́', 'EKO'],
    ['ＡＤＥ', 'ADE'],
    ['—', ''],
    ['محمد', 'محمد'],
  ])('the form of %s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test.each([
    ['12-03-1990', '1990-03-12'],
    ['12-13-1990', '12131990'],
    ['**-**-1990', '1990'],
    ['', ''],
    ['12 XYZ 1990', '12XYZ1990'],
  ])('the form of the date of birth %s is %s', (text, folded) => {
    expect(foldBirthDate(text)).toBe(folded);
  });

  test('more than five given names keep their order', () => {
    expect(foldGivenNames('a b c d e')).toHaveLength(120);
    expect(foldGivenNames('a b c d e f')).toEqual(['ABCDEF']);
    expect(foldGivenNames('—')).toEqual(['']);
  });
});

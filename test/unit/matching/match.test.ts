import { describe, expect, test } from '@jest/globals';
import {
  ALGORITHM,
  type Claimed,
  comparePerson,
  matchPerson,
  type Reason,
  type Registered,
} from '../../../shared/matching/match.ts';

const RECORD: Registered = {
  firstname: 'ADEBAYO',
  lastname: 'OGUNLEYE',
  middlename: 'SAMUEL',
  birthdate: '04-09-1988',
  gender: 'm',
  phone: '08030000001',
};

const ALL = { birthdate: '1988-09-04', gender: 'male', phone: '+2348030000001' };

const overallOf = (claimed: Claimed, registered: Partial<Registered> = {}) =>
  matchPerson(claimed, { ...RECORD, ...registered }).overall;

const names = (firstname: string, lastname: string): Claimed => ({ firstname, lastname });

const ofNames = (claimed: Claimed, firstname: string, lastname: string) =>
  matchPerson(claimed, { firstname, lastname, middlename: '', birthdate: '', gender: '', phone: '' });

test.each([
  [names('Adebayo', 'Ogunleye'), false],
  [names('Samuel Adebayo', 'Ogunleye'), false],
  [names('Adebayo', 'Ogunleye Chinedu'), true],
  [names('Adebayo', 'Samuel Chinedu'), true],
  [names('Chinedu', 'Ogunleye'), true],
  [names('Ad?b?yo', 'Ogunleye'), true],
  [names('Adebayo', 'Og\ufffdnleye'), true],
])('%j: whether a name is not in the record, or lacks letters: %s', (claimed, isUnknown) => {
  expect(comparePerson(claimed, RECORD).mayBeGuess).toBe(isUnknown);
});

test.each([
  ['1988-01-01', '1988-09-04', true],
  ['1988-09-04', '1988-01-01', false],
  ['1988-01-01', '1988-01-01', false],
  ['1988-09-04', '1988-09-04', false],
  ['1988-01-01', '', false],
])(
  'the birth date %s of a record with %s may be a guess at its year: %s',
  (birthdate, registered, mayBeGuess) => {
    const claimed = { ...names('Adebayo', 'Ogunleye'), birthdate };
    const person = comparePerson(claimed, { ...RECORD, birthdate: registered });
    expect(person.mayBeGuess).toBe(mayBeGuess);
  },
);

test('without the names, a wrong date tells nothing about the year, unless the record has 1 January', () => {
  const fieldOf = (birthdate: string, registered: string, claimed: Claimed = {}) =>
    matchPerson({ ...claimed, birthdate }, { ...RECORD, birthdate: registered }).fields.birthdate;
  for (const claimed of [{}, { firstname: 'Adebayo' }, names('Chinedu', 'Okafor')]) {
    const ofRightYear = fieldOf('1988-01-01', '1988-09-14', claimed);
    expect(ofRightYear).toEqual({ result: 'none', score: 0, reasons: [] });
    expect(ofRightYear).toEqual(fieldOf('1967-01-01', '1988-09-14', claimed));
  }
  expect(fieldOf('1988-09-14', '1988-01-01')).toMatchObject({ reasons: ['DEFAULT_DATE'] });
});

describe('matchPerson', () => {
  test('returns only the fields that were claimed', () => {
    const match = matchPerson({ firstname: 'Adébáyọ̀', lastname: 'Ogunleye' }, { ...RECORD, middlename: '' });
    expect(match).toMatchObject({ overall: 'exact', score: 1, algorithm: ALGORITHM });
    expect(Object.keys(match.fields)).toEqual(['firstname', 'lastname']);
  });

  test('marks a field that the record lacks as not_in_record, neither equal nor different', () => {
    const { overall, fields } = matchPerson({ middlename: 'Samuel' }, { ...RECORD, middlename: '' });
    expect(overall).toBe('insufficient');
    expect(fields.middlename).toEqual({ result: 'not_in_record', score: 0, reasons: [] });
  });

  test('marks a value that is not a name, date, gender or phone number as unreadable', () => {
    const { overall, fields } = matchPerson(
      { firstname: '--', birthdate: '31-02-1988', gender: 'x', phone: '12' },
      RECORD,
    );
    expect(Object.values(fields).map(({ result }) => result)).toEqual(Array(4).fill('unreadable'));
    expect(overall).toBe('insufficient');
  });

  test('without a name, returns insufficient for equal fields, and none if one differs', () => {
    expect(overallOf(ALL)).toBe('insufficient');
    expect(overallOf({ ...ALL, birthdate: '1990-01-02' })).toBe('none');
  });

  test('returns insufficient for one of several names, unless the birth date and phone number agree', () => {
    expect(overallOf({ firstname: 'Adebayo' })).toBe('insufficient');
    expect(overallOf({ firstname: 'Adebayo', ...ALL })).toBe('exact');
  });
});

describe('reasons for a match:', () => {
  test.each<[Reason, Claimed, Partial<Registered>, string]>([
    ['ORDER_SWAPPED', names('Ogunleye', 'Adebayo'), {}, 'strong'],
    ['TONE_MARKS', names('Adébáyọ̀', 'Ògúnlẹ́yẹ'), {}, 'exact'],
    ['INITIAL', names('A.', 'Ogunleye'), { middlename: '' }, 'partial'],
    ['SHORT_FORM', names('Bayo', 'Ogunleye'), {}, 'strong'],
    ['SURNAME_CHANGED', { ...names('Adebayo', 'Okafor'), ...ALL }, {}, 'strong'],
    ['SPELLING_VARIANT', names('Mohammed', 'Bello'), { firstname: 'MUHAMMAD', lastname: 'BELLO' }, 'strong'],
    ['COMPOUND_SPLIT', names('Oluwa Seun', 'Bello'), { firstname: 'OLUWASEUN', lastname: 'BELLO' }, 'strong'],
    ['DAY_MONTH_SWAPPED', { ...names('Adebayo', 'Ogunleye'), birthdate: '09-04-1988' }, {}, 'strong'],
    [
      'DEFAULT_DATE',
      { ...names('Adebayo', 'Ogunleye'), birthdate: '04-09-1988' },
      { birthdate: '01-01-1988' },
      'strong',
    ],
    ['COUNTRY_CODE', { ...names('Adebayo', 'Ogunleye'), phone: '+234 803 000 0001' }, {}, 'strong'],
  ])('%s is given when it applies', (reason, claimed, registered, overall) => {
    const match = matchPerson(claimed, { ...RECORD, ...registered });
    const reasons = Object.values(match.fields).flatMap((field) => field.reasons);
    expect(reasons).toContain(reason);
    if (reason !== 'COUNTRY_CODE' && reason !== 'TONE_MARKS') expect(match.overall).toBe(overall);
    else expect(['exact', 'strong']).toContain(match.overall);
  });

  test('equal names have none', () => {
    const { fields } = matchPerson(names('Adebayo', 'Ogunleye'), RECORD);
    expect(Object.values(fields).flatMap(({ reasons }) => reasons)).toEqual([]);
  });
});

describe('similar names of two people are not a match', () => {
  test.each([
    ['Oluwaseun', 'Oluwasegun'],
    ['Adewale', 'Adewole'],
    ['Chukwuemeka', 'Chukwuebuka'],
    ['Abdullahi', 'Abdulkadir'],
    ['Olufemi', 'Olumide'],
    ['Taiwo', 'Kehinde'],
    ['Kabiru', 'Kabira'],
    ['Emmanuel', 'Emmanuella'],
  ])('%s and %s', (one, other) => {
    const { overall, fields } = ofNames(names(one, 'Bello'), other, 'Bello');
    expect(overall).toBe('partial');
    expect(fields.firstname?.result).toBe('none');
    expect(ofNames(names(other, 'Bello'), one, 'Bello').overall).toBe('partial');
    expect(ofNames({ firstname: one }, other, '').overall).toBe('none');
  });
});

describe('forms of one name are a match', () => {
  test.each([
    ['Mohammed', 'Muhammad'],
    ['Ibrahim', 'Ebrahim'],
    ['Chinonso', 'Chinoso'],
    ['Aisha', 'Aishatu'],
    ['Tunde', 'Babatunde'],
    ['Emeka', 'Chukwuemeka'],
    ['Ƙasimu', 'KASIMU'],
    ["Sa'adatu", 'Saadatu'],
    ['Alhaji Musa', 'Musa'],
    ['Oluwafemi', 'Olufemi'],
  ])('%s and %s', (one, other) => {
    expect(['exact', 'strong']).toContain(ofNames(names(one, 'Bello'), other, 'Bello').overall);
    expect(['exact', 'strong']).toContain(ofNames({ firstname: `Bello ${one}` }, other, 'Bello').overall);
    expect(['exact', 'strong']).toContain(ofNames({ firstname: one }, other, '').overall);
  });
});

describe('details that may limit the result:', () => {
  const same = names('Adebayo', 'Ogunleye');

  test('a different birth date makes a match at most partial, because a father and son may have the same names', () => {
    expect(overallOf({ ...same, ...ALL, birthdate: '04-09-1960' })).toBe('partial');
  });

  test('a different gender makes a match at most partial', () => {
    expect(overallOf({ ...same, ...ALL, gender: 'f' })).toBe('partial');
  });

  test('a different phone number does not prevent a match if the birth date agrees', () => {
    expect(overallOf({ ...same, ...ALL, phone: '08099999999' })).toBe('strong');
  });

  test('an initial and a surname are at most partial, whatever else agrees', () => {
    expect(overallOf({ ...names('A.', 'Ogunleye'), ...ALL })).toBe('partial');
  });

  test('a different surname is a match only if the given name, birth date and phone number agree', () => {
    const married = { ...names('Adebayo', 'Okafor'), ...ALL };
    expect(overallOf(married)).toBe('strong');
    expect(overallOf({ ...married, phone: '08099999999' })).toBe('partial');
    expect(overallOf({ ...married, birthdate: '05-09-1988' })).not.toBe('strong');
    expect(overallOf({ ...married, firstname: 'Adewale' })).not.toBe('strong');
  });

  test('twins with the same surname, birth date and phone number are not a match', () => {
    expect(overallOf({ ...names('Taiwo', 'Ogunleye'), ...ALL }, { firstname: 'KEHINDE' })).toBe('partial');
  });
});

describe('the verdict and its score', () => {
  test('leave out a field that could not be compared, and stay below 1 because of it', () => {
    const match = matchPerson({ ...names('Adebayo', 'Ogunleye'), birthdate: '31-02-1988' }, RECORD);
    expect(match).toMatchObject({ overall: 'strong', score: 0.99 });
  });

  test('stay below a match if the gender differs, however well the names agree', () => {
    const match = matchPerson({ ...names('Adebayo', 'Ogunleye'), gender: 'f' }, RECORD);
    expect(match).toMatchObject({ overall: 'partial', score: 0.84 });
  });

  test('are those of no match if both the surname and the birth date differ', () => {
    expect(overallOf(names('Adebayo', 'Okafor'))).toBe('partial');
    expect(overallOf({ ...names('Adebayo', 'Okafor'), birthdate: '1990-01-02' })).toBe('none');
  });

  test('need more evidence for two typing mistakes, but not for one', () => {
    const record = { firstname: 'CHUKWUEMEKA', middlename: '', lastname: 'OGUNBANJO' };
    expect(overallOf(names('Chukwuemrka', 'Ogunbanjo'), record)).toBe('strong');
    expect(overallOf(names('Chukwuemrka', 'Ogunbamjo'), record)).toBe('partial');
    expect(overallOf({ ...names('Chukwuemrka', 'Ogunbamjo'), birthdate: '1988-09-04' }, record)).toBe(
      'strong',
    );
  });

  test('accept a different phone number only with three agreeing names', () => {
    const phone = '08099999999';
    expect(overallOf({ ...names('Adebayo', 'Ogunleye'), phone })).toBe('partial');
    expect(overallOf({ ...names('Adebayo', 'Ogunleye'), middlename: 'Samuel', phone })).toBe('strong');
  });

  test('are not a match if names were left out, which begins with the ninth word', () => {
    const eight = 'Ade Bola Chidi Dayo Efe Femi Gozie';
    const claimed = (more: string) => names('Harmattan', `${eight}${more}`);
    expect(ofNames(claimed(''), eight, 'Harmattan').overall).toBe('strong');
    expect(ofNames(claimed(' Ike'), `${eight} Ike`, 'Harmattan').overall).toBe('partial');
  });
});

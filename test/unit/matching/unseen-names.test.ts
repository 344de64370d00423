import { describe, expect, test } from '@jest/globals';
import { matchPerson, type Reason } from '../../../shared/matching/match.ts';

/** Compares two names, whose parts are separated by bars: first name, middle name, surname. */
const compare = (claim: string, record: string, birthdate = '') => {
  const [firstname = '', middlename = '', lastname = ''] = record.split('|');
  const [first = '', middle = '', last = ''] = claim.split('|');
  return matchPerson(
    { firstname: first, middlename: middle, lastname: last, ...(birthdate && { birthdate }) },
    { firstname, middlename, lastname, birthdate, gender: '', phone: '' },
  );
};
const reasonsOf = (claim: string, record: string) =>
  Object.values(compare(claim, record).fields).flatMap(({ reasons }) => reasons);
const isMatch = (claim: string, record: string, birthdate?: string) =>
  ['exact', 'strong'].includes(compare(claim, record, birthdate).overall);

describe('evidence against a match, which even an equal birth date does not outweigh:', () => {
  test.each<[Reason, string, string]>([
    ['FIRST_NAME_ABSENT', 'Hadiza|Bello|Tambuwal', 'BELLO||TAMBUWAL'],
    ['FIRST_NAME_ABSENT', 'Hadiza Bello||Tambuwal', 'BELLO||TAMBUWAL'],
    ['FIRST_NAME_ABSENT', 'Tambuwal Hadiza Bello||', 'BELLO||TAMBUWAL'],
    ['FIRST_NAME_ABSENT', 'Tambuwal|Bello|Hadiza', 'BELLO||TAMBUWAL'],
    ['FIRST_NAME_ABSENT', 'Grace|Mary|Okafor', 'MARY||OKAFOR'],
    ['GENERATION_DIFFERS', 'Emeka||Okafor Jnr', 'EMEKA||OKAFOR SNR'],
    ['GENERATION_DIFFERS', 'Emeka Junior||Okafor', 'EMEKA|SENIOR|OKAFOR'],
    ['GENERATION_DIFFERS', 'Emeka||Okafor II', 'EMEKA||OKAFOR III'],
    ['TITLE_DIFFERS', 'Prince Ade||Okon', 'PRINCESS ADE||OKON'],
    ['TITLE_DIFFERS', 'Mr Taiwo||Ojo', 'MRS. TAIWO||OJO'],
    ['TITLE_DIFFERS', 'Alhaji Bello||Musa', 'HAJIYA BELLO||MUSA'],
    ['OTHER_NAME', 'Adewale||Ojo', 'ADEWOLE||OJO'],
    ['OTHER_NAME', 'Chidi||Okoro', 'CHIDI||OKOLO'],
  ])('%s: %s and %s', (reason, claim, record) => {
    expect(compare(claim, record, '04-09-1988').overall).toBe('partial');
    expect(reasonsOf(claim, record)).toContain(reason);
  });
});

describe('evidence that an equal birth date outweighs:', () => {
  test.each<[Reason | undefined, string, string]>([
    ['AMBIGUOUS_SHORT_FORM', 'Kunle||Ojo', 'OLAKUNLE||OJO'],
    ['AMBIGUOUS_SHORT_FORM', 'Benedict||Ojo', 'BEN||OJO'],
    [undefined, 'Bello||Tambuwal', 'HADIZA|BELLO|TAMBUWAL'],
    [undefined, 'Ibrahim||Sani', 'YUSUF|IBRAHIM|SANI'],
    [undefined, 'Emeka||Okafor', 'NGOZI|EMEKA|OKAFOR'],
  ])('%s: %s and %s', (reason, claim, record) => {
    expect(compare(claim, record).overall).toBe('partial');
    expect(compare(claim, record, '04-09-1988').overall).toBe('strong');
    if (reason) expect(reasonsOf(claim, record)).toContain(reason);
  });
});

describe('two people are not a match by their names alone:', () => {
  test.each([
    ['Prince||Okafor', 'EMEKA||OKAFOR'],
    ['Prince Emeka||Okafor', 'PRINCE JOHN||OKAFOR'],
    ['Chief Emeka||Okafor', 'CHIEF OBI||OKAFOR'],
    ['Emeka|Chidi|Eze', 'EMEKA|CHIDI|OKAFOR'],
    ['Emeka Chidi Eze||', 'EMEKA|CHIDI|OKAFOR'],
    ['Prince||Okon', 'PRINCESS||OKON'],
    ['Abdullahi||Sani', 'ABDULLATEEF||SANI'],
    ['Talano||Ojo', 'TARANO||OJO'],
  ])('%s and %s', (claim, record) => {
    expect(isMatch(claim, record)).toBe(false);
    expect(isMatch(record, claim)).toBe(false);
  });
});

describe('one person is a match by the names alone:', () => {
  test.each([
    ['Justice||Okafor', 'JUSTICE EMEKA||OKAFOR'],
    ['Prince||Okafor', 'PRINCE|EMEKA|OKAFOR'],
    ['Queen Esther||Okafor', 'QUEENESTHER||OKAFOR'],
    ['Queen Esther||Okafor', 'ESTHER||OKAFOR'],
    ['Pastor Emeka||Okafor', 'EMEKA||OKAFOR'],
    ['Emeka||Okafor Jnr', 'EMEKA||OKAFOR'],
    ['Emeka||Okafor Jnr', 'EMEKA||OKAFOR II'],
    ['Mrs Ngozi||Eze', 'NGOZI||EZE'],
    ['Eze Emeka Chidi||', 'EMEKA|CHIDI|EZE'],
    ['Ismail||Bello', 'SAMAILA||BELLO'],
    ['Salah al-Din||Bello', 'SALAHUDEEN||BELLO'],
    ['Nur ud-Din||Bello', 'NURADEEN||BELLO'],
    ['Abd al-Rahman||Bello', 'ABDURRAHMAN||BELLO'],
    ['Abu Bakr||Bello', 'ABUBAKAR||BELLO'],
    ['Habib Allah||Bello', 'HABIBULLAHI||BELLO'],
    ['Musa||Al-Mustapha', 'MUSA||MUSTAPHA'],
    ['Muhammad bin Sani||Bello', 'MUHAMMAD|SANI|BELLO'],
    ['Chukwuemrka||Okafor', 'CHUKWUEMEKA||OKAFOR'],
  ])('%s and %s', (claim, record) => {
    expect(isMatch(claim, record)).toBe(true);
    expect(isMatch(record, claim)).toBe(true);
  });
});

test('a middle name may be claimed as first name, but not the first name as middle name of another', () => {
  expect(isMatch('Emmanuel||Okafor', 'CHIDI|EMMANUEL|OKAFOR')).toBe(true);
  expect(isMatch('Chidi|Emmanuel|Okafor', 'EMMANUEL||OKAFOR')).toBe(false);
});

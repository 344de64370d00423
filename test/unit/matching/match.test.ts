import { describe, expect, test } from '@jest/globals';
import { ALGORITHM, matchPerson } from '../../../shared/matching/match.ts';

const RECORD = {
  firstname: 'ADEBAYO',
  lastname: 'OGUNLEYE',
  middlename: '',
  birthdate: '04-09-1988',
  gender: 'm',
  phone: '08030000001',
};

describe('matchPerson', () => {
  test('the response contains only the fields that were claimed', () => {
    const match = matchPerson({ firstname: 'Adébáyọ̀', lastname: 'Ogunleye' }, RECORD);
    expect(match).toMatchObject({ overall: 'exact', score: 1, algorithm: ALGORITHM });
    expect(Object.keys(match.fields)).toEqual(['firstname', 'lastname']);
  });

  test('a field that the record lacks is not_in_record, and neither equal nor different', () => {
    const { overall, fields } = matchPerson({ middlename: 'Samuel' }, RECORD);
    expect(overall).toBe('insufficient');
    expect(fields.middlename).toEqual({ result: 'not_in_record', score: 0, reasons: [] });
  });
});

import { describe, expect, test } from '@jest/globals';
import { slipFileName, slipValues } from '../../../shared/slips/slip.ts';
import { USUAL_RECORD } from '../../slips/records.ts';
import { EMPTY_NIN } from '../../support/registries/empty-records.ts';

const NEW_YEAR = new Date('2025-12-31T23:30:00Z');

describe('the values of a slip', () => {
  test('come from the record, and are formatted for print', () => {
    expect(slipValues(USUAL_RECORD, NEW_YEAR, 'req_0a1b2c3d4e5f')).toEqual({
      nin: '12345678901',
      ninGrouped: '1234 567 8901',
      trackingId: 'S7Y0ALMQKW1ZTRX',
      surname: 'Adébáyọ̀',
      firstName: 'Ọláńrewájú',
      middleName: 'Chịọma',
      givenNames: 'Ọláńrewájú, Chịọma',
      gender: 'Female',
      sex: 'F',
      birthDate: '12 MAR 1990',
      address: '14 Ẹ̀kọ́ Close, off Ɗanƙwambo Road, Ìbàdàn',
      lga: 'Ìbàdàn North-East',
      state: 'Ọ̀yọ́',
      date: '01 JAN 2026',
      time: '00:30 WAT',
      requestId: 'req_0a1b2c3d4e5f',
    });
  });

  test('are dashes for an empty record', () => {
    const {
      date: _date,
      time: _time,
      requestId: _request,
      ...values
    } = slipValues(EMPTY_NIN, NEW_YEAR, 'req_');
    expect(new Set(Object.values(values))).toEqual(new Set(['—']));
  });

  test.each([
    ['31-12-1979', '31 DEC 1979'],
    ['12-13-1979', '12-13-1979'],
    ['1979-12-31', '1979-12-31'],
    ['**-**-1979', '**-**-1979'],
  ])('show the date of birth %s as %s', (birthdate, written) => {
    expect(slipValues({ ...USUAL_RECORD, birthdate }, NEW_YEAR, '').birthDate).toBe(written);
  });

  test('the file name follows the specification', () => {
    expect(slipFileName('premium', '12345678901')).toBe('premium_12345678901_slip.pdf');
  });
});

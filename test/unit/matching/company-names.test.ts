import { describe, expect, test } from '@jest/globals';
import { isSameCompanyName } from '../../../shared/matching/company-names.ts';

describe('the names of companies', () => {
  test.each([
    ['Kainji Pay', 'KAINJI PAY LTD'],
    ['Kainji Pay Limited', 'KAINJI PAY LTD.'],
    ['The Kainji-Pay Company Ltd', 'Kainji Pay Co. Limited'],
    ['Ọ̀ṣun & Sons Enterprises', 'OSUN AND SONS ENTERPRISE'],
    ['4 Rivers Nigeria Plc', '4-RIVERS (NIG) PLC'],
  ])('are the same: %j and %j', (entered, registered) => {
    expect(isSameCompanyName(entered, registered)).toBe(true);
    expect(isSameCompanyName(registered, entered)).toBe(true);
  });

  test.each([
    ['Kainji Pay', 'KANJI PAY LTD'],
    ['Kainji Pay', 'KAINJI PAYMENTS LTD'],
    ['Kainji', 'KAINJI PAY LTD'],
    ['Chief Foods', 'PRINCE FOODS LTD'],
    ['Rivers 4', 'RIVERS 5'],
    ['Limited', 'LTD'],
    ['', ''],
  ])('are different: %j and %j', (entered, registered) => {
    expect(isSameCompanyName(entered, registered)).toBe(false);
    expect(isSameCompanyName(registered, entered)).toBe(false);
  });
});

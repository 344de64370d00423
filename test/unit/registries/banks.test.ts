import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  BANK_ROWS,
  BANK_SOURCES,
  type BankRow,
  PUBLISHED_CODES,
} from '../../../shared/registries/mapping/bank-rows.ts';
import { BANKS, bankByCode, banksThatFit } from '../../../shared/registries/mapping/banks.ts';
import { checkDigit, hasCheckDigit, providerCode } from '../../../shared/registries/mapping/nuban.ts';
import dojahSample from '../../fixtures/providers/dojah/banks.found.json' with { type: 'json' };
import paystackSample from '../../fixtures/providers/paystack/banks.found.json' with { type: 'json' };

const rows: readonly BankRow[] = Object.values(BANK_ROWS).flat();

describe('the list of banks', () => {
  test('has well-formed codes', () => {
    for (const [name, , cbnCode, nipCode, paystackCode] of rows) {
      expect(name).toMatch(/^[ -~]+$/);
      expect(cbnCode).toMatch(/^(?:|[0-9]{3}|[0-9]{5})$/);
      expect(nipCode).toMatch(/^(?:|[0-9]{6})$/);
      expect(paystackCode).toMatch(/^(?:|[0-9A-Za-z]{2,10})$/);
    }
  });

  test('has each code for only one bank, in any column', () => {
    const codes = BANKS.flatMap(({ cbnCode, nipCode, providerCodes }) => [
      ...new Set([cbnCode, nipCode, ...Object.values(providerCodes)].filter(Boolean)),
    ]);
    expect(new Set(codes.map((code) => code.toUpperCase())).size).toBe(codes.length);
    for (const bank of BANKS)
      for (const code of [bank.cbnCode, bank.nipCode, ...Object.values(bank.providerCodes)].filter(Boolean))
        expect(bankByCode(code)).toBe(bank);
  });

  test('names known sources for every row with a code, and none for others', () => {
    for (const [name, , cbnCode, nipCode, paystackCode, sources] of rows) {
      for (const source of sources) expect(Object.keys(BANK_SOURCES)).toContain(source);
      expect([name, sources !== '']).toEqual([name, `${cbnCode}${nipCode}${paystackCode}` !== '']);
      expect([name, paystackCode === '' || /[PKD]/.test(sources)]).toEqual([name, true]);
    }
  });

  test('has both codes of all licensed commercial banks except one, whose NIP code no source has', () => {
    const incomplete = BANKS.filter(
      ({ kind, cbnCode, nipCode }) => kind === 'commercial' && !(cbnCode && nipCode),
    );
    // The last two are parts of Access Bank and Wema Bank with codes of their own.
    expect(incomplete.map(({ name }) => name)).toEqual([
      'Tatum Bank Limited',
      'Access Bank (Diamond)',
      'ALAT by Wema',
    ]);
    expect(BANK_ROWS.commercial).toHaveLength(30);
  });

  test('has the 16 licensed mobile money operators', () => {
    expect(BANK_ROWS.mobile_money).toHaveLength(16);
    expect(BANKS.find(({ name }) => name === 'PALMPAY LIMITED')).toMatchObject({
      shortName: 'PalmPay',
      kind: 'mobile_money',
      nipCode: '100033',
      providerCodes: { paystack: '999991' },
    });
  });

  test.each([
    ['50211', 'Kuda', '090267'],
    ['50515', 'Moniepoint', '090405'],
    ['999992', 'OPay', '100004'],
  ])('has the NIP code of the bank with the code %s', (code, shortName, nipCode) => {
    expect(bankByCode(code)).toMatchObject({ shortName, nipCode });
  });

  test.each([
    ['035A', 'ALAT'],
    ['035a', 'ALAT'],
    ['MFB50094', 'Astra Polaris Microfinance Bank Limited'],
    ['FC40163', 'Branch'],
    ['00ZAP', 'Zap'],
    ['100039', 'Paystack-Titan'],
    ['50126', 'Eyowo'],
    ['100022', 'GoMoney'],
    ['51211', 'TCF MFB'],
    ['063', 'Access Bank (Diamond)'],
    ['00305', 'Summit Bank'],
  ])('has the bank with the current code %s of Paystack', (code, shortName) => {
    expect(bankByCode(code)).toMatchObject({ shortName });
    expect(providerCode({ bank: bankByCode(code), bankCode: code }, 'paystack').toUpperCase()).toBe(
      code.toUpperCase(),
    );
  });

  test.each(['090278', '090287', '090317', '090335'])(
    'has %s as an NIP code with its leading zero, and no CBN code',
    (nipCode) => expect(bankByCode(nipCode)).toMatchObject({ nipCode, cbnCode: '' }),
  );

  test('contains every code that a provider publishes', () => {
    for (const [provider, codes] of Object.entries(PUBLISHED_CODES))
      for (const code of codes) expect(bankByCode(code)?.providerCodes).toMatchObject({ [provider]: code });
  });

  // Paystack's sample from 2020 lists Abbey as 801. Since 2023, its list has contained 404 instead.
  test.each(paystackSample.body.data.filter(({ code }) => code !== '801'))(
    "agrees with Paystack's sample about $name",
    ({ code }) => expect(bankByCode(code)?.providerCodes.paystack).toBe(code),
  );

  test.each(dojahSample.body.entity)("agrees with Dojah's sample about $name", ({ code }) => {
    expect(bankByCode(code)?.providerCodes.dojah).toBe(code);
  });
});

describe('the bank code that is sent to a provider', () => {
  test.each([
    ['000013', 'paystack', '058'],
    ['100004', 'paystack', '999992'],
    ['103', 'paystack', '00103'],
    ['000013', 'prembly', '058'],
    ['100033', 'prembly', '999991'],
    ['100033', 'dojah', '999991'],
    ['000014', 'qoreid', '044'],
    // No code of another kind.
    ['100033', 'qoreid', ''],
    ['090476', 'paystack', ''],
    ['060002', 'paystack', ''],
    ['060002', 'prembly', ''],
    ['060002', 'dojah', ''],
  ] as const)('for the bank %s at %s is %s', (bankCode, provider, code) => {
    expect(providerCode({ bank: bankByCode(bankCode), bankCode }, provider)).toBe(code);
  });

  test("is the caller's code if the bank is unknown", () => {
    expect(providerCode({ bankCode: '888' }, 'paystack')).toBe('888');
  });
});

describe('the NUBAN check digit', () => {
  test.each([
    ['011', '000001457', 9],
    ['011', '000000022', 0],
    ['058', '012345678', 5],
    ['950547', '000000022', 4],
    ['950547', '000001457', 3],
    ['950547', '000000008', 0],
  ])('of %s and %s is %d', (institution, serial, digit) => {
    expect(checkDigit(institution, serial)).toBe(digit);
  });

  test.each([
    ['0000014579', '011', 'the CBN standard, example 1'],
    ['0000000220', '011', 'the CBN standard, example 2'],
    ['1001111111', '044', "QoreID's sample of NUBAN"],
  ])('of %s is correct at bank %s: %s', (number, cbnCode) => {
    expect(hasCheckDigit(number, { cbnCode })).toBe(true);
    expect(weightedSum(`${cbnCode}${number}`) % 10).toBe(0);
  });

  test.each([
    ['0022728151', '063', "Paystack's API reference"],
    ['0001234567', '058', "Paystack's guide"],
    ['4444444444', '214', "Prembly's test account"],
  ])('of %s is wrong at bank %s, so a wrong check digit is only a warning: %s', (number, cbnCode) => {
    expect(hasCheckDigit(number, { cbnCode })).toBe(false);
    expect(weightedSum(`${cbnCode}${number}`) % 10).not.toBe(0);
  });

  test('is the same for the 3-digit and the padded 6-digit form of a bank code', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{3}$/), fc.stringMatching(/^[0-9]{9}$/), (code, serial) => {
        expect(checkDigit(`000${code}`, serial)).toBe(checkDigit(code, serial));
      }),
    );
  });

  test('is based on the CBN code, even for a bank that was found by its NIP code', () => {
    const bank = bankByCode('000013');
    expect(bank).toMatchObject({ cbnCode: '058' });
    expect(bank && hasCheckDigit('0123456785', bank)).toBe(true);
    expect(bank && hasCheckDigit('0123456784', bank)).toBe(false);
  });

  test('is computed with a 9 before five-digit codes, and is unknown for banks without a CBN code', () => {
    expect(hasCheckDigit('0000000224', { cbnCode: '50547' })).toBe(true);
    expect(hasCheckDigit('0000000225', { cbnCode: '50547' })).toBe(false);
    expect(hasCheckDigit('0000000224', { cbnCode: '' })).toBeUndefined();
  });

  test('selects the banks at which an account can exist', () => {
    const fitting = banksThatFit('0000014579').map(({ cbnCode }) => cbnCode);
    expect(fitting).toContain('011');
    expect(fitting).not.toContain('');
    for (const cbnCode of fitting) expect(hasCheckDigit('0000014579', { cbnCode })).toBe(true);
  });
});

/** Returns the sum that the standard requires to be a multiple of 10, with a weight of 1 for the check digit. */
function weightedSum(digits: string): number {
  return [...digits].reduce((sum, digit, index) => {
    const isCheckDigit = index === digits.length - 1;
    return sum + Number(digit) * (isCheckDigit ? 1 : index % 3 === 1 ? 7 : 3);
  }, 0);
}

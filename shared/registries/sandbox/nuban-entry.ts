import { BANKS, type Bank, bankByCode, hasCheckDigit } from '../mapping/nuban.ts';
import { drawPerson } from './person.ts';
import { drawsOf } from './pick.ts';

const DEPOSIT_BANKS = BANKS.filter((bank) => bank.cbnCode.length === 3);

/** As a name enquiry answers. Undefined where there is no bank of that code. */
export function nubanEntry(accountNumber: string, bankCode?: string): Record<string, unknown> | undefined {
  const draws = drawsOf(`NUBAN/${accountNumber}`);
  const person = drawPerson(draws);
  const bank = bankCode === undefined ? likelyBank(accountNumber) : bankByCode(bankCode);
  if (!bank) return undefined;
  return {
    accountNumber,
    accountName: [person.surname, person.firstname, person.middlename]
      .filter(Boolean)
      .join(' ')
      .toUpperCase(),
    bankCode: bankCode ?? (bank.cbnCode || bank.nipCode),
    bankName: bank.name,
    currency: 'NGN',
  };
}

/** Without a code: the first bank whose check digit the number carries. */
function likelyBank(accountNumber: string): Bank | undefined {
  return DEPOSIT_BANKS.find((bank) => hasCheckDigit(accountNumber, bank)) ?? DEPOSIT_BANKS[0];
}

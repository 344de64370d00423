import { BANKS, type Bank, bankByCode, hasCheckDigit } from '../mapping/nuban.ts';
import { inventPerson } from './person.ts';
import { seededRandom } from './random.ts';

const DEPOSIT_BANKS = BANKS.filter((bank) => bank.cbnCode.length === 3);

/** The response to a name enquiry; undefined if no bank has the code. */
export function nubanEntry(accountNumber: string, bankCode?: string): Record<string, unknown> | undefined {
  const random = seededRandom(`NUBAN/${accountNumber}`);
  const person = inventPerson(random);
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

/** For a query without a bank code: the first bank whose check digit fits the number. */
function likelyBank(accountNumber: string): Bank | undefined {
  return DEPOSIT_BANKS.find((bank) => hasCheckDigit(accountNumber, bank)) ?? DEPOSIT_BANKS[0];
}

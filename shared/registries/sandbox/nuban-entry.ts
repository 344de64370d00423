import { BANKS, bankByCode } from '../mapping/banks.ts';
import { type Bank, hasCheckDigit } from '../mapping/nuban.ts';
import { DEPOSIT_BANKS } from './deposit-banks.ts';
import { inventPerson } from './person.ts';
import { seededRandom } from './random.ts';
import { personSeed } from './seed.ts';

const WALLETS = BANKS.filter(({ shortName }) =>
  ['OPay', 'PalmPay', 'Moniepoint', 'Kuda'].includes(shortName),
);

/**
 * Returns the entry for a response to a name enquiry. Undefined if the code belongs to a different bank, or to none.
 */
export function nubanEntry(accountNumber: string, bankCode?: string): Record<string, unknown> | undefined {
  const random = seededRandom(personSeed('NUBAN', accountNumber));
  const person = inventPerson(random);
  const bank = bankOfAccount(accountNumber);
  if (bankCode !== undefined && bankByCode(bankCode) !== bank) return undefined;
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

/**
 * Returns the bank of an account: one of the deposit banks whose check digit fits, or any of them if none fits. Numbers
 * that start with 7, 8 or 9 belong to wallets, and are phone numbers without the leading zero.
 */
function bankOfAccount(accountNumber: string): Bank {
  const random = seededRandom(`NUBAN-BANK/${accountNumber}`);
  if (/^[789]/.test(accountNumber)) return random.pick(WALLETS);
  const fitting = DEPOSIT_BANKS.filter((bank) => hasCheckDigit(accountNumber, bank));
  return random.pick(fitting.length > 0 ? fitting : DEPOSIT_BANKS);
}

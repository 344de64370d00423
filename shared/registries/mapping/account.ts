import type { RegistryQuery, RegistryResult } from '../port.ts';
import { bankByCode, CHECK_DIGIT_WARNING, hasCheckDigit } from './nuban.ts';
import { foundOrFailed } from './results.ts';

/** What a provider told about an account; whatever it leaves out comes from the question and the list of banks. */
export interface ResolvedAccount {
  /** As the provider wrote it, or the query's where its documented answer has none. */
  readonly accountNumber: string;
  readonly accountName: string;
  readonly bankCode?: string;
  readonly bankName?: string;
  readonly currency?: string;
}

/** The account as a record; a wrong check digit warns and never refuses. */
export function accountResult(query: RegistryQuery, account: ResolvedAccount): RegistryResult {
  const bankCode = account.bankCode || query.bankCode || '';
  const bank = bankByCode(bankCode);
  const isSuspect = bank !== undefined && hasCheckDigit(query.number, bank) === false;
  const record = {
    account_number: query.number,
    account_name: account.accountName,
    bank_code: bankCode,
    bank_name: account.bankName || bank?.name || '',
    currency: account.currency || 'NGN',
  };
  return foundOrFailed(query, account.accountNumber, record, isSuspect ? CHECK_DIGIT_WARNING : undefined);
}

import type { RegistryQuery, RegistryResult } from '../port.ts';
import { CHECK_DIGIT_WARNING, hasCheckDigit, type ProviderWithCodes, providerCode } from './nuban.ts';
import { BANK_NOT_SERVED, foundOrFailed, notSent, type RegistryFailure } from './results.ts';

interface ResolvedAccount {
  readonly accountNumber: string;
  readonly accountName: string;
  readonly bankCode?: string;
  readonly bankName?: string;
  readonly currency?: string;
}

/** Returns the failure for an account whose bank is not named, or is not served by this provider. */
export function bankNotServed(
  query: RegistryQuery,
  provider: ProviderWithCodes,
): RegistryFailure | undefined {
  if (query.idType !== 'NUBAN') return undefined;
  if (!query.bankCode) return notSent('bank-code-needed');
  return providerCode(query, provider) === '' ? notSent(BANK_NOT_SERVED) : undefined;
}

/** Returns the result for an account. */
export function accountResult(query: RegistryQuery, account: ResolvedAccount): RegistryResult {
  const bankCode = account.bankCode || query.bankCode || '';
  const { bank } = query;
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

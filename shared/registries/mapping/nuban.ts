import type { BankKind } from './bank-rows.ts';

/**
 * Bank codes and the check digit of account numbers (CBN, Nigeria Uniform Bank Account Number, revised 2020). The list
 * of banks is in banks.ts, so that functions that only pass on a bank do not load it.
 */

export interface Bank {
  readonly name: string;
  /** The name if there is no shorter one. */
  readonly shortName: string;
  readonly kind: BankKind;
  /** The CBN's code: 3 digits for commercial, merchant and non-interest banks, 5 for other institutions, or empty. */
  readonly cbnCode: string;
  /** The code of the NIP switch: 6 digits, or empty. */
  readonly nipCode: string;
  readonly providerCodes: ProviderCodes;
}

export type ProviderWithCodes = 'paystack' | 'prembly' | 'dojah' | 'qoreid';
export type ProviderCodes = Partial<Readonly<Record<ProviderWithCodes, string>>>;

/**
 * Prembly and Dojah publish only parts of their bank lists. These parts agree with Paystack's list, except for
 * Prembly's code 039 (bank-rows.ts).
 */
const USE_PAYSTACK_CODES: readonly ProviderWithCodes[] = ['prembly', 'dojah'];

export interface QueriedBank {
  readonly bankCode?: string;
  /** Undefined if no bank has this code. */
  readonly bank?: Bank | undefined;
}

/**
 * Returns the code that a provider expects for the bank. Empty if the provider has none: a code of another kind could
 * be another bank's. QoreID's example has a CBN code, and no page lists its codes. Without a bank, returns the caller's
 * code.
 */
export function providerCode({ bank, bankCode = '' }: QueriedBank, provider: ProviderWithCodes): string {
  if (!bank) return bankCode;
  const { providerCodes, cbnCode } = bank;
  const shared = USE_PAYSTACK_CODES.includes(provider) ? providerCodes.paystack : undefined;
  return providerCodes[provider] ?? shared ?? (provider === 'qoreid' ? cbnCode : '');
}

const WEIGHTS = [3, 7, 3];

/**
 * Calculates the tenth digit of an account number. `institutionCode` is a CBN code of 3 digits, or 9 followed by a CBN
 * code of 5 digits. `serial` is the first nine digits of the account number.
 */
export function checkDigit(institutionCode: string, serial: string): number {
  const sum = [...institutionCode, ...serial].reduce(
    (total, digit, index) => total + Number(digit) * (WEIGHTS[index % 3] ?? 0),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Whether the account number has the bank's check digit. Undefined if the bank has no CBN code. */
export function hasCheckDigit(
  accountNumber: string,
  { cbnCode }: Pick<Bank, 'cbnCode'>,
): boolean | undefined {
  if (!cbnCode) return undefined;
  const institutionCode = cbnCode.length === 5 ? `9${cbnCode}` : cbnCode;
  return checkDigit(institutionCode, accountNumber.slice(0, 9)) === Number(accountNumber[9]);
}

/**
 * A warning rather than an error, because real wallet accounts whose numbers were derived from phone numbers fail this
 * check.
 */
export const CHECK_DIGIT_WARNING =
  'The account number does not have the check digit of this bank; confirm the bank code.';

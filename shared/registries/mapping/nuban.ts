import { BANK_ROWS } from './bank-rows.ts';

/**
 * Bank codes and the check digit of account numbers (CBN, Nigeria Uniform Bank Account Number, revised 2020). Two
 * code spaces name the same banks: the CBN's own (3 digits for banks, 5 for other institutions) and the 6 digits of
 * the NIP switch.
 */
export interface Bank {
  readonly name: string;
  /** 3 or 5 digits, or empty. */
  readonly cbnCode: string;
  /** 6 digits, or empty. */
  readonly nipCode: string;
}

export const BANKS: readonly Bank[] = BANK_ROWS.map(([name, cbnCode, nipCode]) => ({
  name,
  cbnCode,
  nipCode,
}));
const byCode = new Map<string, Bank>();
for (const bank of BANKS) {
  if (bank.cbnCode) byCode.set(bank.cbnCode, bank);
  if (bank.nipCode) byCode.set(bank.nipCode, bank);
}

/** The bank of a CBN or NIP code. */
export function bankByCode(code: string): Bank | undefined {
  return byCode.get(code);
}

/** The code that most providers want: the CBN's, where the bank has one; else the code as it was given. */
export function preferredCode(code: string): string {
  return byCode.get(code)?.cbnCode || code;
}

const WEIGHTS = [3, 7, 3];

/**
 * The tenth digit that a bank's account number should have. `institutionCode`: 3 digits of a bank, or the 6-digit
 * form (9 and 5 digits for other institutions); `serial`: the account number's first nine digits.
 */
export function checkDigit(institutionCode: string, serial: string): number {
  const sum = [...institutionCode, ...serial].reduce(
    (total, digit, index) => total + Number(digit) * (WEIGHTS[index % 3] ?? 0),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Does the account number carry the bank's check digit? Undefined where the bank has no CBN code to tell. */
export function hasCheckDigit(accountNumber: string, bank: Bank): boolean | undefined {
  if (!bank.cbnCode) return undefined;
  const institutionCode = bank.cbnCode.length === 5 ? `9${bank.cbnCode}` : bank.cbnCode;
  return checkDigit(institutionCode, accountNumber.slice(0, 9)) === Number(accountNumber[9]);
}

/** Wallet accounts made from phone numbers fail the test and are real: it warns, and never refuses. */
export const CHECK_DIGIT_WARNING =
  'The account number does not have the check digit of this bank; confirm the bank code.';

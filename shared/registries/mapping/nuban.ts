import { BANK_ROWS } from './bank-rows.ts';

/**
 * Bank codes and the check digit of account numbers (CBN, Nigeria Uniform Bank Account Number, revised 2020). A bank
 * has up to two codes: the CBN's (3 digits for banks, 5 for other institutions) and that of the NIP switch (6 digits).
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

/** The bank with this CBN or NIP code. */
export function bankByCode(code: string): Bank | undefined {
  return byCode.get(code);
}

/** The code that most providers expect: the CBN code if the bank has one, else the given code. */
export function preferredCode(code: string): string {
  return byCode.get(code)?.cbnCode || code;
}

const WEIGHTS = [3, 7, 3];

/**
 * Calculates the tenth digit of an account number. `institutionCode` has 3 digits for a bank, and 6 for another
 * institution (9 and its 5 digits). `serial` is the first nine digits of the account number.
 */
export function checkDigit(institutionCode: string, serial: string): number {
  const sum = [...institutionCode, ...serial].reduce(
    (total, digit, index) => total + Number(digit) * (WEIGHTS[index % 3] ?? 0),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Whether the account number has the bank's check digit. Undefined if the bank has no CBN code. */
export function hasCheckDigit(accountNumber: string, bank: Bank): boolean | undefined {
  if (!bank.cbnCode) return undefined;
  const institutionCode = bank.cbnCode.length === 5 ? `9${bank.cbnCode}` : bank.cbnCode;
  return checkDigit(institutionCode, accountNumber.slice(0, 9)) === Number(accountNumber[9]);
}

/** A warning and never an error: real wallet accounts that were made from phone numbers fail this check. */
export const CHECK_DIGIT_WARNING =
  'The account number does not have the check digit of this bank; confirm the bank code.';

import { CREDIT_REFERENCE } from '../../ledger/rows/credit.ts';

/**
 * The service generates references: `TOPUP-` and 26 characters. Only an order for a bank transfer can have an
 * operator's own reference.
 */

/** Paystack allows only letters, digits, `-`, `.` and `=`. */
const GENERATED_REFERENCE = /^TOPUP-[-.=0-9A-Za-z]{1,94}$/;

/** Generated ones, and those of operators. */
export const ORDER_REFERENCE = CREDIT_REFERENCE;

/** `id` is a ULID, or has its format. */
export function generatedReference(id: string): string {
  return `TOPUP-${id}`;
}

/** Then it is safe in a key and an address. */
export function isGeneratedReference(text: string): boolean {
  return GENERATED_REFERENCE.test(text);
}

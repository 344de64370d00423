import { CREDIT_REFERENCE } from '../../ledger/rows/credit.ts';

/**
 * The references of orders. The service generates most of them: `TOPUP-` and 26 characters. Only an order for a bank
 * transfer can have a different reference, chosen by the operator who booked the transfer. Orders at Paystack always
 * have generated references. Routes that show orders to customers accept both kinds.
 */

/** Paystack allows only letters, digits, `-`, `.` and `=`. */
const GENERATED_REFERENCE = /^TOPUP-[-.=0-9A-Za-z]{1,94}$/;

/** The format of all references of orders: generated ones, and those of operators. */
export const ORDER_REFERENCE = CREDIT_REFERENCE;

/** Returns the reference for an order that the service opens. `id` is a ULID, or has its format. */
export function generatedReference(id: string): string {
  return `TOPUP-${id}`;
}

/** Whether a string has the format of a generated reference. It is then safe as part of a key and of an address. */
export function isGeneratedReference(text: string): boolean {
  return GENERATED_REFERENCE.test(text);
}

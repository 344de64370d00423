import { BANKS } from '../mapping/banks.ts';

/**
 * The banks with a 3-digit code, in the order of their codes, so that the position of a new bank in the list changes
 * no record.
 */
export const DEPOSIT_BANKS = BANKS.filter(({ cbnCode }) => cbnCode.length === 3).toSorted((a, b) =>
  a.cbnCode.localeCompare(b.cbnCode),
);

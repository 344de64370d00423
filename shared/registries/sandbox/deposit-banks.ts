import { BANKS } from '../mapping/banks.ts';

/** The banks with a 3-digit code, sorted by code, so that records do not depend on the order of the list of banks. */
export const DEPOSIT_BANKS = BANKS.filter(({ cbnCode }) => cbnCode.length === 3).toSorted((a, b) =>
  a.cbnCode.localeCompare(b.cbnCode),
);

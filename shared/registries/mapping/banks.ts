import { BANK_ROWS, type BankKind, type BankRow, PUBLISHED_CODES } from './bank-rows.ts';
import { type Bank, hasCheckDigit, type ProviderCodes } from './nuban.ts';

export const BANKS: readonly Bank[] = Object.entries(BANK_ROWS).flatMap(([kind, rows]) =>
  rows.map((row) => bankOf(kind as BankKind, row)),
);

function bankOf(kind: BankKind, [name, shortName, cbnCode, nipCode, paystackCode]: BankRow): Bank {
  const published = Object.entries(PUBLISHED_CODES).flatMap(([provider, codes]) => {
    const code = [cbnCode, nipCode, paystackCode].find(
      (one) => one && (codes as readonly string[]).includes(one),
    );
    return code ? [[provider, code]] : [];
  });
  const providerCodes: ProviderCodes = {
    ...(paystackCode && { paystack: paystackCode }),
    ...Object.fromEntries(published),
  };
  return { name, shortName: shortName || name, kind, cbnCode, nipCode, providerCodes };
}

const byCode = new Map<string, Bank>(
  BANKS.flatMap((bank) =>
    [...Object.values(bank.providerCodes), bank.nipCode, bank.cbnCode]
      .filter(Boolean)
      .map((code): [string, Bank] => [code.toUpperCase(), bank]),
  ),
);

/** Returns the bank with this CBN code, NIP code or provider's code, in any case. */
export function bankByCode(code: string): Bank | undefined {
  return byCode.get(code.toUpperCase());
}

/** Returns the banks whose check digit fits the account number. */
export function banksThatFit(accountNumber: string): Bank[] {
  return BANKS.filter((bank) => hasCheckDigit(accountNumber, bank));
}

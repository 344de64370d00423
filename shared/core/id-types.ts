/** The identity numbers that the service can verify. Source: specification "ID number formats", decisions D6 and C7. */

export const ID_TYPES = ['NIN', 'BVN', 'CAC', 'TIN', 'NUBAN'] as const;
export type IdType = (typeof ID_TYPES)[number];

/** The format of a number: as a pattern for code, and as text for people. */
export interface NumberFormat {
  /** Anchored, ASCII digits only. The text is never trimmed or normalised before the check (D6). */
  readonly pattern: RegExp;
  /** Completes the sentence "id_number must be ...". */
  readonly text: string;
  /** A sandbox number for docs and examples, for which a record is found. */
  readonly example: string;
}

const FORMATS: Readonly<Record<IdType, NumberFormat>> = {
  NIN: { pattern: /^[0-9]{11}$/, text: 'exactly 11 digits', example: '12345678901' },
  BVN: { pattern: /^[0-9]{11}$/, text: 'exactly 11 digits', example: '22345678901' },
  CAC: { pattern: /^RC[0-9]{1,8}$/, text: 'RC followed by 1 to 8 digits', example: 'RC1234567' },
  TIN: {
    pattern: /^[0-9]{8}-[0-9]{4}$/,
    text: '8 digits, a hyphen and 4 digits',
    example: '12345678-0001',
  },
  NUBAN: { pattern: /^[0-9]{10}$/, text: 'exactly 10 digits', example: '0123456789' },
};

/** The 13-digit Tax ID in force since January 2026, accepted besides the TIN if a setting says so (D6). */
const TIN_WITH_TAX_ID: NumberFormat = {
  pattern: /^(?:[0-9]{8}-[0-9]{4}|[0-9]{13})$/,
  text: '8 digits, a hyphen and 4 digits, or the 13 digits of a Tax ID',
  example: FORMATS.TIN.example,
};

/** The number format of a type. With `acceptTaxId`, TIN also accepts the 13-digit Tax ID. */
export function numberFormat(idType: IdType, acceptTaxId = false): NumberFormat {
  return idType === 'TIN' && acceptTaxId ? TIN_WITH_TAX_ID : FORMATS[idType];
}

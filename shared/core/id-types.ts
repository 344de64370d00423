/**
 * The identity numbers that the service can check, and what each looks like.
 * Source: specification "ID number formats", decisions D6 and C7.
 */

export const ID_TYPES = ['NIN', 'BVN', 'CAC', 'TIN', 'NUBAN'] as const;
export type IdType = (typeof ID_TYPES)[number];

/** What a number of one type looks like, in a pattern for code and in words for people. */
export interface NumberFormat {
  /** Anchored, ASCII digits only: the text is never trimmed or normalised before it is checked (D6). */
  readonly pattern: RegExp;
  /** Completes the sentence "A NIN is ...". */
  readonly words: string;
  /** A number of the sandbox for documents and examples; it finds a record. */
  readonly example: string;
}

const FORMATS: Readonly<Record<IdType, NumberFormat>> = {
  NIN: { pattern: /^[0-9]{11}$/, words: 'exactly 11 digits', example: '12345678901' },
  BVN: { pattern: /^[0-9]{11}$/, words: 'exactly 11 digits', example: '22345678901' },
  CAC: { pattern: /^RC[0-9]{1,8}$/, words: 'RC followed by 1 to 8 digits', example: 'RC1234567' },
  TIN: { pattern: /^[0-9]{8}-[0-9]{4}$/, words: '8 digits, a hyphen and 4 digits', example: '12345678-0001' },
  NUBAN: { pattern: /^[0-9]{10}$/, words: 'exactly 10 digits', example: '0123456789' },
};

/** The 13-digit Tax ID in force since January 2026, accepted beside the TIN where a setting says so (D6). */
const TIN_WITH_TAX_ID: NumberFormat = {
  pattern: /^(?:[0-9]{8}-[0-9]{4}|[0-9]{13})$/,
  words: '8 digits, a hyphen and 4 digits, or the 13 digits of a Tax ID',
  example: FORMATS.TIN.example,
};

/** The format of a type's numbers. `acceptTaxId` widens TIN to the 13-digit Tax ID. */
export function numberFormat(idType: IdType, acceptTaxId = false): NumberFormat {
  return idType === 'TIN' && acceptTaxId ? TIN_WITH_TAX_ID : FORMATS[idType];
}

import { COMPANY_TYPES, type CompanyType, type IdType, type TinFormat } from './id-types.ts';

/** The formats of identity numbers: what callers may send, and the one form that the service uses (contract D6). */

interface NumberFormat {
  /**
   * Matches every accepted number, except a CAC number without its type. The OpenAPI document contains it. Anchored,
   * with ASCII digits only.
   */
  readonly pattern: RegExp;
  /** Completes the sentence "id_number must be ...". */
  readonly text: string;
  /** A sandbox number for docs and examples, for which a record is found. */
  readonly example: string;
}

const FORMATS: Readonly<Record<IdType, NumberFormat>> = {
  NIN: { pattern: digitsPattern(11), text: 'exactly 11 digits', example: '12345678901' },
  BVN: { pattern: digitsPattern(11), text: 'exactly 11 digits', example: '22345678901' },
  CAC: {
    pattern: /^ *(?:[Rr][Cc]|[Bb][Nn]|[Ii][Tt]|[Ll][Pp]|[Ll][Ll][Pp])[0-9]{1,8} *$/,
    text: 'RC, BN, IT, LP or LLP followed by 1 to 8 digits',
    example: 'RC1234567',
  },
  TIN: {
    pattern: /^ *(?:[0-9]{8}-?[0-9]{4}|[0-9]{10}|[0-9]{13}) *$/,
    text: '12 digits (a hyphen may follow the eighth), 10 digits or 13 digits',
    example: '12345678-0001',
  },
  NUBAN: { pattern: digitsPattern(10), text: 'exactly 10 digits', example: '0123456789' },
};

/** A CAC number without its type, which is then sent as `company_type`. */
export const BARE_COMPANY_NUMBER = /^ *[0-9]{1,8} *$/;

/** Returns a pattern for this many digits, between which people may write single spaces or hyphens. */
function digitsPattern(count: number): RegExp {
  return new RegExp(`^ *[0-9](?:[ -]?[0-9]){${count - 1}} *$`);
}

export function numberFormat(idType: IdType): NumberFormat {
  return FORMATS[idType];
}

/**
 * Converts a number as a person writes it to its canonical form: digits only for NIN, BVN and NUBAN, `RC123456` in
 * capitals for CAC, and `12345678-0001`, 10 or 13 digits for TIN. Returns undefined if the format is wrong.
 */
export function canonicalNumber(idType: IdType, text: string): string | undefined {
  if (!FORMATS[idType].pattern.test(text)) return undefined;
  if (idType === 'CAC') return text.trim().toUpperCase();
  const digits = text.replace(/[^0-9]/g, '');
  return idType === 'TIN' && digits.length === 12 ? `${digits.slice(0, 8)}-${digits.slice(8)}` : digits;
}

/** The characters that may separate the digits of a number: all except letters and digits. */
const SEPARATORS = /[^\p{L}\p{N}]/gu;

/**
 * Whether text from the caller contains this number, even with spaces, hyphens, dots or the like between its digits.
 * Numbers of fewer than 10 digits do not count: they may occur in any text and identify no person or account.
 */
export function containsNumber(text: string, number: string): boolean {
  const digits = number.replaceAll('-', '');
  return /^\d{10,}$/.test(digits) && text.normalize('NFKD').replaceAll(SEPARATORS, '').includes(digits);
}

/** Splits a canonical CAC number, such as `BN7000`, into its type and digits. Throws if it is not canonical. */
export function companyNumber(number: string): { readonly type: CompanyType; readonly digits: string } {
  const [, letters, digits = ''] = /^([A-Z]+)([0-9]{1,8})$/.exec(number) ?? [];
  const type = COMPANY_TYPES.find((known) => known === letters);
  if (!type) throw new Error('This is not a canonical CAC number.');
  return { type, digits };
}

/** Returns the format of a canonical tax number. */
export function tinFormat(number: string): TinFormat {
  if (number.includes('-')) return 'FIRS';
  return number.length === 10 ? 'JTB' : 'TAX_ID';
}

import { COMPANY_TYPES, type CompanyType, type IdType, type TinFormat } from './id-types.ts';
import { spellings } from './printable-text.ts';

/** The formats of identity numbers: what callers may send, and the one form that the service uses (contract D6). */

interface NumberFormat {
  /** Matches every accepted number, except a CAC number without its type. */
  readonly pattern: RegExp;
  /** Completes the sentence "id_number must be ...". */
  readonly text: string;
  readonly example: string;
}

/** White space around a number: ASCII, and the no-break spaces that copied text contains. */
const SPACE = String.raw`[\t-\r \xa0\u202f\ufeff]*`;
/** NIMC documents two letters, twelve digits and two letters. */
const VIRTUAL_NIN = '[A-Za-z][A-Za-z0-9]{15}';
const COMPANY_DIGITS = '[0-9]{1,8}';
const COMPANY_PREFIX = '(?:[Rr][Cc]|[Bb][Nn]|[Ii][Tt]|[Ll][Pp]|[Ll][Ll][Pp])[ -]?';
const RC_NUMBER = `[Rr][Cc][ -]?${COMPANY_DIGITS}`;

const FORMATS: Readonly<Record<IdType, NumberFormat>> = {
  NIN: {
    pattern: spaced(`(?:${digits(11)}|${VIRTUAL_NIN})`),
    text: 'exactly 11 digits, or a virtual NIN of 16 letters and digits',
    example: '12345678901',
  },
  BVN: { pattern: spaced(digits(11)), text: 'exactly 11 digits', example: '22345678901' },
  CAC: {
    pattern: spaced(COMPANY_PREFIX + COMPANY_DIGITS),
    text: 'RC, BN, IT, LP or LLP followed by 1 to 8 digits',
    example: 'RC1234567',
  },
  TIN: {
    pattern: spaced(`(?:[0-9]{8}-?[0-9]{4}|[0-9]{10,11}|[0-9]{13}|${RC_NUMBER})`),
    text: '12 digits (a hyphen may follow the eighth), 10 digits, 13 digits, a NIN or an RC number',
    example: '12345678-0001',
  },
  NUBAN: { pattern: spaced(digits(10)), text: 'exactly 10 digits', example: '0123456789' },
};

/** A NIN itself, which slips contain, and not a virtual one. */
export const NIN_ITSELF = spaced(digits(11));

/** A CAC number without its type, which is then sent as `company_type`. */
export const BARE_COMPANY_NUMBER = spaced(COMPANY_DIGITS);

export const COMPANY_NUMBER = spaced(`(?:${COMPANY_PREFIX})?${COMPANY_DIGITS}`);

function spaced(pattern: string): RegExp {
  return new RegExp(`^${SPACE}${pattern}${SPACE}$`);
}

function digits(count: number): string {
  return `[0-9](?:[ -]?[0-9]){${count - 1}}`;
}

export function numberFormat(idType: IdType): NumberFormat {
  return FORMATS[idType];
}

/**
 * Converts a number as a person writes it to its canonical form: digits for NIN, BVN, NUBAN and most TINs, capitals for
 * virtual NINs and CAC numbers, and a hyphen after the eighth of 12 digits of a TIN. Returns undefined if the format is
 * wrong.
 */
export function canonicalNumber(idType: IdType, text: string): string | undefined {
  if (!FORMATS[idType].pattern.test(text)) return undefined;
  const number = text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
  return idType === 'TIN' && number.length === 12 ? `${number.slice(0, 8)}-${number.slice(8)}` : number;
}

/** Whether a canonical NIN is a virtual one: a single-use token that its holder creates for one enterprise. */
export function isVirtualNin(number: string): boolean {
  return number.length === 16 && /^[A-Z]/.test(number);
}

/** Whether a canonical number is that of a company, which is a Tax ID too. */
export function isRcNumber(number: string): boolean {
  return /^RC[0-9]{1,8}$/.test(number);
}

/** The characters that may separate the digits of a number: all except letters and digits. */
const SEPARATORS = /[^\p{L}\p{N}]/gu;

/**
 * Whether text from the caller contains this number, even with spaces, hyphens, dots or the like between its digits.
 * The numbers of companies do not count: they are so short that they may occur in any text, and identify no person.
 */
export function containsNumber(text: string, number: string): boolean {
  if (COMPANY_NUMBER.test(number)) return false;
  const written = spellings(text).replaceAll(SEPARATORS, '').replaceAll(OTHER_DIGIT, asciiDigit);
  return written.toUpperCase().includes(number.replaceAll('-', ''));
}

const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;

/** Unicode lists the digits of each script from zero to nine. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
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
  if (number.startsWith('RC')) return 'RC';
  if (number.length === 11) return 'NIN';
  return number.length === 10 ? 'JTB' : 'TAX_ID';
}

/** Numbers that only some providers look up as an ID type: virtual NINs as NINs, and NINs and RC numbers as Tax IDs. */
export type SpecialNumber = 'VNIN' | 'NIN' | 'RC';

/** Returns the special kind of a canonical number. Undefined if every provider of the ID type takes it. */
export function specialNumber(idType: IdType, number: string): SpecialNumber | undefined {
  if (idType === 'NIN' && isVirtualNin(number)) return 'VNIN';
  if (idType !== 'TIN') return undefined;
  const format = tinFormat(number);
  return format === 'NIN' || format === 'RC' ? format : undefined;
}

import { MONTHS } from './slip.ts';

/**
 * The canonical form of the details on a slip, to which its token commits. Details typed on the check page are
 * converted to the same form. Tokens are valid for a year by default, so a change to these rules needs a new token
 * version.
 */

/** The details to which a token commits, as printed on the slip or as typed from it. */
export interface SlipDetails {
  readonly nin: string;
  readonly surname: string;
  readonly givenNames: string;
  readonly birthDate: string;
}

/** Hausa letters that Unicode does not decompose into a letter and a mark. */
const HOOKED: Readonly<Record<string, string>> = { Ɓ: 'B', Ɗ: 'D', Ƙ: 'K', Ƴ: 'Y' };
/**
 * Everything except letters and digits: marks, spaces, hyphens, commas and apostrophes. Unicode classifies some
 * apostrophes as letters.
 */
const IGNORED = /[^\p{L}\p{N}]|\p{Lm}/gu;

/** Returns the letters and digits of `text` in capitals, without tone marks or dots below. */
export function foldText(text: string): string {
  return text
    .toUpperCase()
    .normalize('NFKD')
    .replace(IGNORED, '')
    .replace(/[ƁƊƘƳ]/g, (letter) => HOOKED[letter] ?? letter);
}

const DAY_FIRST = /^([0-9]{1,2})[\s./-]+([0-9]{1,2}|[A-Z]{3,9})[\s./,-]+([0-9]{4})$/;
const YEAR_FIRST = /^([0-9]{4})[./-]([0-9]{1,2})[./-]([0-9]{1,2})$/;

function monthNumber(month: string): number {
  return /^[0-9]+$/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3)) + 1;
}

/** Returns a date of birth as `yyyy-mm-dd`. If `text` is not a date, returns its letters and digits. */
export function foldBirthDate(text: string): string {
  const plain = text.trim().toUpperCase();
  const [, year, monthOfYear, dayOfMonth] = YEAR_FIRST.exec(plain) ?? [];
  const [, day = dayOfMonth, month = monthOfYear, endingYear = year] = DAY_FIRST.exec(plain) ?? [];
  if (day === undefined || month === undefined || endingYear === undefined) return foldText(text);
  const number = monthNumber(month);
  if (number < 1 || number > 12 || Number(day) < 1 || Number(day) > 31) return foldText(text);
  return `${endingYear}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** With more names, only the typed order is tried, because 5 names already have 120 orders. */
const MOST_NAMES_IN_ANY_ORDER = 5;

/**
 * Returns the folded given names in every order, the typed one first. Slips print the first name before the middle
 * names, but other documents may not.
 */
export function foldGivenNames(text: string): readonly string[] {
  const names = text
    .split(/[\s,]+/)
    .map(foldText)
    .filter(Boolean);
  if (names.length > MOST_NAMES_IN_ANY_ORDER) return [names.join('')];
  return [...new Set(orders(names).map((order) => order.join('')))];
}

function orders(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length < 2) return [names];
  return names.flatMap((name, at) =>
    orders([...names.slice(0, at), ...names.slice(at + 1)]).map((rest) => [name, ...rest]),
  );
}

import { HOUR_MS } from '../../core/clock.ts';

/**
 * Converts the registries' formats to the service's own (contract D1 to D7). Unless its comment says otherwise, a
 * function returns the empty string if the value is not usable.
 */

/** What registries write instead of a missing value, in lower case. They also write rows of asterisks. */
const PLACEHOLDERS = new Set([
  'n/a',
  'na',
  'nil',
  'null',
  'undefined',
  'not found',
  'not available',
  '-',
  '--',
]);

/**
 * The time for NFC grows with the square of the number of consecutive combining marks, which begin at U+0300. No real
 * word contains 61 consecutive characters from U+0300 upwards.
 */
const ENDLESS_WORD = /(?<![\u0300-\uffff])[\u0300-\uffff]{61}/;

/**
 * Normalises text to NFC with single spaces and without control characters. Placeholders become empty. The schemas of
 * responses limit its length first (fields.ts). Text with an overlong word is not converted to NFC.
 */
export function plainText(value: string | number | boolean): string {
  // A fast path, because most fields of a long list are absent.
  if (value === '') return '';
  const oneLine = String(value)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const text = ENDLESS_WORD.test(oneLine) ? oneLine : oneLine.normalize('NFC');
  return /^\*+$/.test(text) || PLACEHOLDERS.has(text.toLowerCase()) ? '' : text;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2}|[a-z]{3,9})[-/. ,]+(\d{4})$/i;
const SHORT_YEAR = /^(\d{1,2})[-/. ]([a-z]{3,9})[-/. ,]+(\d{2})$/i;
const YEAR_FIRST = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})$/;
const LAGOS_OFFSET_MS = HOUR_MS;

/**
 * Converts a date to DD-MM-YYYY. Accepts DD-MM-YYYY and DD-MMM-YYYY (also with slashes, dots or spaces, or the full
 * name of the month), YYYY-MM-DD (also with slashes) and timestamps. The day and the month may have one digit. An ISO
 * timestamp with a time zone becomes the day in Lagos, and any other timestamp becomes the day as written. DD-MMM-YY,
 * as in `07-Jul-95`, means the latest such date that is not after today in Lagos. Two-digit years are not accepted next
 * to a numeric month, because they could also be days.
 */
export function plainDate(value: string | number, nowMs = Date.now()): string {
  const text = plainText(value);
  if (INSTANT.test(text)) {
    const instantMs = Date.parse(text);
    if (Number.isNaN(instantMs)) return '';
    return plainDate(new Date(instantMs + LAGOS_OFFSET_MS).toISOString().slice(0, 10));
  }
  const dayPart = /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? text.slice(0, 10) : text;
  const yearFirst = YEAR_FIRST.exec(dayPart);
  if (yearFirst) return dateOf(yearFirst[3], yearFirst[2], yearFirst[1]);
  const shortYear = SHORT_YEAR.exec(dayPart);
  if (shortYear) return pastDateOf(shortYear[1], shortYear[2], shortYear[3], nowMs);
  const dayFirst = DAY_FIRST.exec(dayPart);
  return dayFirst ? dateOf(dayFirst[1], dayFirst[2], dayFirst[3]) : '';
}

/**
 * Registries store past dates, so the year is in the latest century in which the date exists and is not in the future.
 */
function pastDateOf(day = '', month = '', shortYear = '', nowMs: number): string {
  const today = new Date(nowMs + LAGOS_OFFSET_MS).toISOString().slice(0, 10);
  const thisCentury = Number(today.slice(0, 2));
  for (const century of [thisCentury, thisCentury - 1]) {
    const date = dateOf(day, month, `${century}${shortYear}`);
    if (date !== '' && date.split('-').reverse().join('-') <= today) return date;
  }
  return '';
}

function dateOf(day = '', month = '', year = ''): string {
  const monthNumber = /^\d+$/.test(month)
    ? Number(month)
    : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const date = new Date(Date.UTC(Number(year), monthNumber - 1, Number(day)));
  // JavaScript moves days that do not exist, such as 31 February, to the next month.
  if (monthNumber < 1 || date.getUTCMonth() !== monthNumber - 1 || date.getUTCDate() !== Number(day))
    return '';
  return `${day.padStart(2, '0')}-${String(monthNumber).padStart(2, '0')}-${year}`;
}

/** Converts a gender to `m`, `f` or the empty string. */
export function plainGender(value: string): 'm' | 'f' | '' {
  const text = plainText(value).toLowerCase();
  if (text === 'm' || text === 'male') return 'm';
  return text === 'f' || text === 'female' ? 'f' : '';
}

/** Converts a Nigerian phone number to 0 plus ten digits. Returns any other text unchanged. */
export function localPhone(value: string | number): string {
  const text = plainText(value);
  const digits = text.replace(/[\s()+-]/g, '');
  const international = /^(?:234|00234)0?([0-9]{10})$/.exec(digits);
  if (international) return `0${international[1]}`;
  if (/^[789][0-9]{9}$/.test(digits)) return `0${digits}`;
  return /^0[0-9]{10}$/.test(digits) ? digits : text;
}

/**
 * Converts a photo or signature to base64 without a data-URI prefix or line breaks. Returns the empty string if it is
 * not a complete JPEG or PNG. Decoding checks more than a regular expression does, and takes a tenth of the time for an
 * 80 KB string.
 */
export function plainImage(value: string): string {
  const text = value.replace(/^data:image\/[a-z+.-]+;base64,/i, '');
  // White space is rare, and searching for it takes longer than decoding, so it is removed only if decoding fails.
  return completeImage(text) || completeImage(joinLines(text));
}

/** A string of 1.5 MB in lines of 64 or 76 characters has fewer lines than this. */
const MAX_LINES = 30_000;

/** Removes white space. Returns the empty string if it separates more than `MAX_LINES` parts. */
function joinLines(text: string): string {
  const lines = text.split(/\s+/, MAX_LINES + 1);
  return lines.length > MAX_LINES ? '' : lines.join('');
}

function completeImage(text: string): string {
  if (text === '' || text.length % 4 !== 0) return '';
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (bytes.length !== (text.length / 4) * 3 - padding) return '';
  if (!isJpeg(bytes) && !isPng(bytes)) return '';
  // Re-encoded, because the decoder accepts the URL-safe alphabet, but some clients do not.
  return text.includes('-') || text.includes('_') ? bytes.toString('base64') : text;
}

/** Requires an end-of-image marker, because faces cannot be compared with a truncated picture. */
function isJpeg(bytes: Buffer): boolean {
  return (
    bytes.length > 100 &&
    bytes.readUIntBE(0, 3) === 0xffd8ff &&
    bytes.lastIndexOf('ffd9', undefined, 'hex') > 100
  );
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(PNG_SIGNATURE) && bytes.lastIndexOf('IEND') > 8;
}

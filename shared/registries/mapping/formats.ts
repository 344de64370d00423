import { lagosDay } from '../../core/accounting-month.ts';

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
 * Normalises text to NFC with single spaces, and without control characters and HTML entities. Placeholders become
 * empty. The schemas of responses limit its length first (fields.ts). Text with an overlong word is not converted to
 * NFC.
 */
export function plainText(value: string | number | boolean): string {
  // A fast path, because most fields of a long list are absent.
  if (value === '') return '';
  // Twice, because systems in a row each escape the text: `O&amp;#39;BRIEN`.
  const oneLine = withoutEntities(withoutEntities(String(value)))
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const text = ENDLESS_WORD.test(oneLine) ? oneLine : oneLine.normalize('NFC');
  return /^\*+$/.test(text) || PLACEHOLDERS.has(text.toLowerCase()) ? '' : text;
}

/** The entities that escape functions write. Those of accented letters are not among them. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2}|[a-z]{3,9})[-/. ,]+(\d{4})$/i;
const SHORT_YEAR = /^(\d{1,2})[-/. ]([a-z]{3,9})[-/. ,]+(\d{2})$/i;
const YEAR_FIRST = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})$/;
/** As Java writes it: `Wed Mar 14 01:00:00 GMT 2018`. */
const JAVA_DATE = /^[a-z]{3} ([a-z]{3}) (\d{1,2}) [\d:]{8} [A-Z+:\d-]{1,9} (\d{4})$/i;
/** The time after a date in any order: `T13:33:22.770`, ` 00:00:00 +0100`, ` 12:00 AM`. */
const TIME = /[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[AP]M)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;
/** Systems in .NET and Go write 0001-01-01 for a missing date, and SQL Server 1753-01-01 or 1900-01-01. */
const FIRST_REAL_DATE = '1900-01-02';

/**
 * Converts a date to DD-MM-YYYY. Accepts DD-MM-YYYY and DD-MMM-YYYY (also with slashes, dots or spaces, or the full
 * name of the month), and YYYY-MM-DD (also with slashes), each with or without a time, and Java's own form. The day and the month may have
 * one digit. An ISO timestamp with a time zone becomes the day in Lagos, and any other timestamp becomes the day as
 * written. DD-MMM-YY, as in `07-Jul-95`, means the latest such date that is not after today in Lagos. Two-digit years
 * are not accepted next to a numeric month, because they could also be days. Registries store past dates, so a date
 * after today in Lagos is as unusable as a placeholder.
 */
export function plainDate(value: string | number, nowMs = Date.now()): string {
  const date = calendarDate(plainText(value), nowMs);
  const isReal = date >= FIRST_REAL_DATE && date <= lagosDay(nowMs);
  return isReal ? date.split('-').reverse().join('-') : '';
}

/** Converts a date in one of these forms to YYYY-MM-DD, even if it cannot be in a registry. */
export function calendarDate(text: string, nowMs = Date.now()): string {
  if (INSTANT.test(text)) {
    const instantMs = Date.parse(text);
    return Number.isNaN(instantMs) ? '' : lagosDay(instantMs);
  }
  const java = JAVA_DATE.exec(text);
  if (java) return dateOf(java[2], java[1], java[3]);
  const day = text.replace(TIME, '');
  const yearFirst = YEAR_FIRST.exec(day);
  if (yearFirst) return dateOf(yearFirst[3], yearFirst[2], yearFirst[1]);
  const dayFirst = DAY_FIRST.exec(day);
  if (dayFirst) return dateOf(dayFirst[1], dayFirst[2], dayFirst[3]);
  const [, dayOfMonth, month, shortYear] = SHORT_YEAR.exec(day) ?? [];
  if (shortYear === undefined) return '';
  const today = lagosDay(nowMs);
  const century = Number(today.slice(0, 2));
  const dates = [century, century - 1].map((one) => dateOf(dayOfMonth, month, `${one}${shortYear}`));
  return dates.find((date) => date !== '' && date <= today) ?? '';
}

function dateOf(day = '', month = '', year = ''): string {
  const monthNumber = /^\d+$/.test(month)
    ? Number(month)
    : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const date = new Date(Date.UTC(Number(year), monthNumber - 1, Number(day)));
  // JavaScript moves days that do not exist, such as 31 February, to the next month.
  if (monthNumber < 1 || date.getUTCMonth() !== monthNumber - 1 || date.getUTCDate() !== Number(day))
    return '';
  return `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`;
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

export type PictureProblem = 'picture-not-base64' | 'picture-of-unknown-format' | 'picture-incomplete';

/** A picture in base64, or empty with the reason. Also empty if there is none. */
interface ReadPicture {
  readonly picture: string;
  readonly problem?: PictureProblem;
}

/**
 * Converts a photo or signature to base64 without a data-URI prefix, line breaks, control characters or surrounding
 * quotes, and with complete padding. It must be a complete JPEG or PNG. Decoding checks more than a regular expression
 * does, and takes a tenth of the time for an 80 KB string.
 */
export function readPicture(value: string): ReadPicture {
  const text = withoutEdges(withoutEdges(value).replace(PREFIX, ''));
  if (text === '' || (text.length < 20 && plainText(text) === '')) return { picture: '' };
  // White space is rare, and searching for it takes longer than decoding, so it is removed only if decoding fails.
  const decoded = decode(text) ?? decode(joinLines(text));
  if (!decoded) return { picture: '', problem: 'picture-not-base64' };
  const { bytes, base64 } = decoded;
  if (isJpeg(bytes) || isPng(bytes)) return { picture: base64 };
  const isKnown = startsLikeJpeg(bytes) || startsLikePng(bytes);
  return { picture: '', problem: isKnown ? 'picture-incomplete' : 'picture-of-unknown-format' };
}

export function plainImage(value: string): string {
  return readPicture(value).picture;
}

/** The start of a data URI with any parameters, or only its end. Base64 contains no comma. */
const PREFIX = /^[^,]{0,100},/;

/** Removes white space, control characters and quotes at both ends. A regular expression would take quadratic time. */
function withoutEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text.charCodeAt(start))) start += 1;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const EDGES = new Set([0x22, 0x27, 0x7f, 0xa0, 0xfeff]);
const isEdge = (code: number): boolean => code <= 0x20 || EDGES.has(code);

/** A string of 1.5 MB in lines of 64 or 76 characters has fewer lines than this. */
const MAX_LINES = 30_000;

/** Removes white space and control characters. Returns the empty string if they separate more than `MAX_LINES` parts. */
function joinLines(text: string): string {
  const lines = text.split(/[\s\p{Cc}]+/u, MAX_LINES + 1);
  return lines.length > MAX_LINES ? '' : lines.join('');
}

/** Returns the bytes, and the text with complete padding. Undefined if the text is not base64. */
function decode(text: string): { readonly bytes: Buffer; readonly base64: string } | undefined {
  let end = text.length;
  while (text[end - 1] === '=') end -= 1;
  const bytes = Buffer.from(text.slice(0, end), 'base64');
  if (end === 0 || end % 4 === 1 || bytes.length !== Math.floor((end * 3) / 4)) return undefined;
  // Re-encoded, because the decoder accepts the URL-safe alphabet, but some clients do not.
  const isCanonical = text.length % 4 === 0 && text.length - end < 3 && !/[-_]/.test(text);
  return { bytes, base64: isCanonical ? text : bytes.toString('base64') };
}

/** Requires an end-of-image marker, because faces cannot be compared with a truncated picture. */
const isJpeg = (bytes: Buffer): boolean =>
  startsLikeJpeg(bytes) && bytes.lastIndexOf('ffd9', undefined, 'hex') > 100;
const isPng = (bytes: Buffer): boolean => startsLikePng(bytes) && bytes.lastIndexOf('IEND') > 8;

const startsLikeJpeg = (bytes: Buffer): boolean => bytes.toString('hex', 0, 3) === 'ffd8ff';
const startsLikePng = (bytes: Buffer): boolean => bytes.toString('hex', 0, 8) === '89504e470d0a1a0a';

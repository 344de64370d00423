/**
 * The rule for all text that people write: reasons, references, names, labels. Text that is already stored is escaped
 * when it is printed or exported, so that it cannot forge a line, control a terminal or change the direction of the
 * text around it.
 */

/**
 * Control and format characters (line breaks, ESC, bidirectional overrides, zero-width characters), lone surrogates,
 * private-use characters, line and paragraph separators, and invisible letters (U+3164, U+2800). An invisible mark, such
 * as the variation selector of a symbol, may follow a visible character only.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?!\p{M})\p{Default_Ignorable_Code_Point}|(?<![^\p{Z}\p{M}])\p{Default_Ignorable_Code_Point}/gu;

/** 10 or more digits of any script, even with one or two characters between neighbours that are no letters. */
export const LONG_NUMBER = /\p{Nd}(?:[^\p{L}\p{N}]{0,2}\p{Nd}){9,}/gu;

const START = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;
const DAY = '[0-3]\\d';
const MONTH = '(?:0\\d|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';
/** What is no identity number, but would look like a long number (contract N1). */
export const SET_ASIDE = new RegExp(
  [
    // UUIDs, and ULIDs, which have a letter among their digits.
    `${START}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}${END}`,
    `${START}(?=\\d*[a-z])[0-7][0-9a-hjkmnp-tv-z]{25}${END}`,
    // Dates, year or day first, with or without a time.
    `(?<!\\p{Nd})(?:${YEAR}([-/._])${MONTH}\\1${DAY}|${DAY}([-/._])${MONTH}\\2${YEAR})(?!\\p{Nd})(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:\\d\\d)?(?!\\p{Nd}))?`,
    // Milliseconds since 1970, as part of a word.
    '(?<=[\\p{L}-])1\\d{12}(?!\\p{Nd})|(?<!\\p{Nd})1\\d{12}(?=[\\p{L}-])',
  ].join('|'),
  'giu',
);
/** Marks that a normalised digit may carry, such as the variation selector of a symbol. */
const MARKS = /\p{M}/gu;

/** Of JSON and HTML, even if escaped twice. A name such as `&nbsp;` is read as a space. */
export const ESCAPE =
  /(?:\\+u[0-9a-f]{4})+|\\+[nrt]|&(?:amp;)?(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/giu;

/** Whether people can see every character of the text. */
export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}

/**
 * Whether the text contains a number of 10 or more digits, which may be an identity number. UUIDs, ULIDs, dates with
 * times, and milliseconds that touch a letter or a hyphen do not count.
 */
export function hasLongNumber(text: string): boolean {
  return spellings(text).replace(SET_ASIDE, 'x').search(LONG_NUMBER) !== -1;
}

/** Returns the text, and what it says if its escapes are resolved, in the form of `plainDigits`. */
export function spellings(text: string): string {
  const resolved = text.replace(ESCAPE, unescaped);
  return plainDigits(resolved === text ? text : `${text} x ${resolved}`);
}

const LAST_CODE = 0x10ffff;

function unescaped(written: string): string {
  const [, x, digits] = /#(x?)([0-9a-f]+)/i.exec(written) ?? [];
  if (digits) return String.fromCodePoint(Math.min(Number.parseInt(digits, x ? 16 : 10), LAST_CODE));
  const units = written.match(/(?<=u)[0-9a-f]{4}/gi) ?? ['20'];
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
}

const CHARACTER = /./gsu;
const ESCAPE_OR_CHARACTER = new RegExp(`${ESCAPE.source}|.`, `${ESCAPE.flags}s`);

/** Returns the text with `*` instead of each digit of the numbers that `hasLongNumber` finds. */
export function maskLongNumbers(text: string): string {
  return [ESCAPE_OR_CHARACTER, CHARACTER].reduce(masked, text);
}

function masked(text: string, part: RegExp): string {
  const parts: readonly string[] = text.match(part) ?? [];
  const plain = parts.map((one) => plainDigits(one.replace(ESCAPE, unescaped)));
  const found = plain.join('').replace(SET_ASIDE, ({ length }) => 'x'.repeat(length));
  const stars = ({ length }: string) => '*'.repeat(length);
  const starred = found.replace(LONG_NUMBER, (number) => number.replace(/\p{Nd}/gu, stars));
  let at = 0;
  return parts
    .map((one, index) => {
      const start = at;
      at += plain[index]?.length ?? 0;
      return starred.slice(start, at) === found.slice(start, at) ? one : '*';
    })
    .join('');
}

/** Digits in circles and those of Ethiopic, which NFKD keeps: each list has those from 1 to 9. */
const FIRST_OF_NINE = [0x2776, 0x2780, 0x278a, 0x24f5, 0x1369];
const OTHER_ZEROS = /[\u24ff\u{1f10b}\u{1f10c}]/gu;
const OTHER_NINES = /[\u2776-\u277e\u2780-\u2788\u278a-\u2792\u24f5-\u24fd\u1369-\u1371]/gu;

/** Returns the text in NFKD without marks, and with ordinary digits instead of those in circles. */
export function plainDigits(text: string): string {
  const digitOf = (symbol: string) => {
    const code = symbol.codePointAt(0) ?? 0;
    const first = FIRST_OF_NINE.find((one) => code >= one && code < one + 9) ?? code;
    return String(code - first + 1);
  };
  return text.normalize('NFKD').replace(MARKS, '').replace(OTHER_ZEROS, '0').replace(OTHER_NINES, digitOf);
}

/** Returns the text in a printable form: each unprintable character as `\uXXXX`, as in JSON. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** Returns the value as JSON in which every character is printable. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** Escapes each UTF-16 unit, as JSON does. */
export function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, unit) => {
    const code = characters.charCodeAt(unit).toString(16).padStart(4, '0');
    return `\\u${code}`;
  }).join('');
}

/**
 * Returns a sentence that begins with `subject` and says what is wrong with text that a person wrote. Returns undefined
 * if the text has 1 to `maxLength` printable characters and is not blank.
 */
export function textProblem(subject: string, text: string, maxLength: number): string | undefined {
  const isRight = text.length <= maxLength && text.trim() !== '' && isPrintable(text);
  if (isRight) return undefined;
  return `${subject} must have 1 to ${maxLength} characters. It must not be blank, or contain line breaks, control characters or invisible characters.`;
}

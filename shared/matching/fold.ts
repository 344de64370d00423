/**
 * Letters that have no decomposition in Unicode: the hooked letters of Hausa and Fulfulde, and some letters of other
 * languages.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ƙ: 'k', ɗ: 'd', ɓ: 'b', ƴ: 'y', ŋ: 'n', ɲ: 'n', ɔ: 'o', ɛ: 'e', ǝ: 'e', ə: 'e' },
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th' },
};

/**
 * Longer texts are truncated before they are normalised, which limits the cost. Registries and callers send at most 600
 * characters.
 */
const LONGEST_TEXT = 2_400;

const ASCII = /^[a-z ]*$/;

/** A letter that was lost when a name was stored in another encoding. */
export const LOST_LETTER = '\ufffd';

/**
 * Returns the words of a name in lower case, without marks, hooks, apostrophes or quotation marks. Every other
 * character that is not a letter separates words. Idempotent.
 */
export function fold(text: string): string {
  const lower = text.slice(0, LONGEST_TEXT).toLowerCase();
  if (ASCII.test(lower)) return oneSpace(lower);
  const plain = repaired(text.slice(0, LONGEST_TEXT))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’‘ʼʻʾʿ`´ˈʹ"”“]/g, '')
    .replace(/(?<=\p{L})[?\ufffd]+/gu, LOST_LETTER)
    .replace(/(?<!\p{L})\ufffd/gu, ' ')
    .replace(/[^a-z ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\ufffd]+/gu, ' ');
  return oneSpace(plain);
}

/** Repairs letters that were stored as entities of HTML, or as UTF-8 that was read as Windows-1252. */
function repaired(text: string): string {
  const decoded = text.includes('&') ? withoutEntities(withoutEntities(text)) : text;
  return /[\u0080-\u00ff][\u0080-\u2fff]/.test(decoded) ? (readAsUtf8(decoded) ?? decoded) : decoded;
}

/** Decodes numbers, and names of letters with a mark. */
// cspell:ignore circ macr caron cedil apos squo
function withoutEntities(text: string): string {
  return text
    .replace(/&amp;/gi, '&')
    .replace(/&#x([\da-f]{1,4});/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,5});/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&([a-z])(?:acute|grave|circ|tilde|uml|macr|caron|ring|cedil|breve|dot);/gi, '$1')
    .replace(/&(?:apos|[lr]squo|quot);/gi, "'");
}

/** The characters that Windows-1252 has at 0x80 to 0x9F, where Unicode has none. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function readAsUtf8(text: string): string | undefined {
  const bytes = [...text].map((letter) => {
    const place = WINDOWS.indexOf(letter);
    return place === -1 ? letter.charCodeAt(0) : 0x80 + place;
  });
  if (bytes.some((byte) => byte > 0xff)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

function oneSpace(text: string): string {
  return text.replace(/ +/g, ' ').trim();
}

/** Whether text contains marks or letters that `fold` replaces. Apostrophes and hyphens are not counted. */
export function hasMarks(text: string): boolean {
  return /[^ -~]/.test(text) && /\p{M}|[ƙɗɓƴŋɲɔɛǝəıłøđħßæœðþ]/u.test(text.toLowerCase().normalize('NFD'));
}

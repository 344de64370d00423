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

/**
 * Returns the words of a name in lower case, without marks, hooks, apostrophes or quotation marks. Every other
 * character that is not a letter separates words. Idempotent.
 */
export function fold(text: string): string {
  const lower = text.slice(0, LONGEST_TEXT).toLowerCase();
  if (ASCII.test(lower)) return oneSpace(lower);
  const plain = lower
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’‘ʼʻʾʿ`´ˈʹ"”“]/g, '')
    .replace(/[^a-z ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}]+/gu, ' ');
  return oneSpace(plain);
}

function oneSpace(text: string): string {
  return text.replace(/ +/g, ' ').trim();
}

/** Whether text contains marks or letters that `fold` replaces. Apostrophes and hyphens are not counted. */
export function hasMarks(text: string): boolean {
  return /[^ -~]/.test(text) && /\p{M}|[ƙɗɓƴŋɲɔɛǝəıłøđħßæœðþ]/u.test(text.toLowerCase().normalize('NFD'));
}

/** Pairs of letters that stand for one sound in Nigerian names, each with the letter for that sound. */
const PAIRS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ph: 'f',
    sh: 's',
    th: 't',
    kh: 'k',
    dh: 'd',
    wh: 'w',
    ck: 'k',
    ou: 'u',
    nm: 'm',
    ch: 'c',
  }),
);

/** The letters that begin a pair, become a different letter in the key, or sound different before some letters. */
const DEPENDENT = new Set('pstkdwconqxyea');

/**
 * Returns a key that is the same for spellings of one name that differ only in how a sound is written, such as Shola
 * and Sola, Rasheed and Rashid, Obinna and Obina, Rukayya and Rukaiya, Fatimah and Fatima. Takes a folded word.
 */
export function spellingKey(word: string): string {
  let key = '';
  let last = '';
  for (let index = 0; index < word.length; index += 1) {
    let sound = word[index] ?? '';
    if (DEPENDENT.has(sound)) {
      const next = word[index + 1] ?? '';
      const pair = PAIRS.get(sound + next);
      sound = pair ?? soundOf(sound, next, word[index + 2] ?? '');
      if (pair !== undefined || isTaken(sound, word[index], next, word[index + 2])) index += 1;
    }
    if (sound === last) continue;
    key += sound;
    last = sound.at(-1) ?? '';
  }
  return key.length > 2 && last === 'h' && isVowel(key.at(-2) ?? '') ? key.slice(0, -1) : key;
}

function isVowel(letter: string): boolean {
  return letter === 'a' || letter === 'e' || letter === 'i' || letter === 'o' || letter === 'u';
}

function soundOf(letter: string, next: string, third: string): string {
  switch (letter) {
    case 'c':
      return next === 'e' || next === 'i' || next === 'y' ? 's' : 'k';
    case 'q':
      return 'k';
    case 'x':
      return 'ks';
    case 'y':
      return 'i';
    case 'e':
      return eBefore(next, third);
    default:
      return letter;
  }
}

/** Before a consonant, `ee` is a long i, as in Rasheed, and `ei` and `ey` stand for `ai`, as in Zeinab. */
function eBefore(next: string, third: string): string {
  const isBeforeConsonant = third !== '' && !isVowel(third);
  if (next === 'e') return isBeforeConsonant ? 'i' : 'e';
  return isBeforeConsonant && (next === 'i' || next === 'y') ? 'ai' : 'e';
}

/** Whether a sound includes the next letter: `ee`, `ei`, `ey`, the u of `auw`, the w of `kwu`. */
function isTaken(
  sound: string,
  letter: string | undefined,
  next: string,
  third: string | undefined,
): boolean {
  if (letter === 'e') return next === 'e' || sound === 'ai';
  if (letter === 'a') return next === 'u' && third === 'w';
  return letter === 'k' && next === 'w' && third === 'u';
}

/** Returns the consonants of a spelling key. */
export function consonantsOf(key: string): string {
  return key.replace(/[aeiou]/g, '');
}

/**
 * Returns a coarser key for Arabic names, of which English, French, Hausa and Yoruba spellings differ in vowels, the h
 * and the ending. It also merges some different names, so it is for unknown words.
 */
export function arabicKey(word: string): string {
  return spellingKey(word)
    .replace(/^h/, '')
    .replace(/dj/g, 'j')
    .replace(/gh/g, 'g')
    .replace(/(?<=[aeiou])h(?=[^aeiou]|$)/g, '')
    .replace(/o/g, 'u')
    .replace(/[ei]+|ai/g, 'i')
    .replace(/(.)\1/g, '$1')
    .replace(/[au]?t[aiu]?$/, 'a')
    .replace(/[iu]$/, '');
}

import { areNeighbours, type Edit, isWithinTwoEdits, oneEdit } from './edits.ts';
import { LOST_LETTER } from './fold.ts';
import { rarestLetters } from './letters.ts';
import { givenNameOf, nameTables } from './name-tables.ts';
import { arabicKey, consonantsOf } from './spelling.ts';
import { isKnown, isVariant, LONGEST_WORD, shortFormOf, type Word } from './word.ts';

/**
 * How well two words agree. `typo` is a probable typing mistake. `weak` is a less probable one, or a short form of a
 * surname: it needs a birth date or phone number that agrees. `ambiguous` is a short form that several names share.
 */
export type Likeness = 'same' | 'variant' | 'short' | 'ambiguous' | 'typo' | 'weak' | 'initial' | 'other';

export interface WordMatch {
  readonly likeness: Likeness;
  readonly score: number;
  readonly reason?:
    | 'TONE_MARKS'
    | 'SPELLING_VARIANT'
    | 'SHORT_FORM'
    | 'AMBIGUOUS_SHORT_FORM'
    | 'INITIAL'
    | 'OTHER_NAME';
}

const OTHER: WordMatch = { likeness: 'other', score: 0 };
/** Two known names that differ in one letter. */
const OTHER_NAME: WordMatch = { likeness: 'other', score: 0, reason: 'OTHER_NAME' };
const SAME: WordMatch = { likeness: 'same', score: 1 };
const MARKED: WordMatch = { likeness: 'same', score: 1, reason: 'TONE_MARKS' };
const VARIANT: WordMatch = { likeness: 'variant', score: 0.95, reason: 'SPELLING_VARIANT' };
const SHORT: WordMatch = { likeness: 'short', score: 0.9, reason: 'SHORT_FORM' };
const SHARED_SHORT: WordMatch = { likeness: 'ambiguous', score: 0.75, reason: 'AMBIGUOUS_SHORT_FORM' };
export const CUT_OFF: WordMatch = { likeness: 'short', score: 0.9, reason: 'SHORT_FORM' };
const SURNAME_SHORT: WordMatch = { likeness: 'weak', score: 0.75, reason: 'SHORT_FORM' };
const TYPO: WordMatch = { likeness: 'typo', score: 0.88 };
const MISSPELT: WordMatch = { likeness: 'typo', score: 0.88, reason: 'SPELLING_VARIANT' };
const WEAK: WordMatch = { likeness: 'weak', score: 0.75 };
const INITIAL: WordMatch = { likeness: 'initial', score: 0.5, reason: 'INITIAL' };

/**
 * Compares two words of names. Symmetric. If `areSurnames`, a short form is only a weak agreement, because people
 * rarely shorten their surnames.
 */
export function compareWords(one: Word, other: Word, areSurnames: boolean): WordMatch {
  if (one.text === other.text) return one.hasMarks === other.hasMarks ? SAME : MARKED;
  if (one.text.length > LONGEST_WORD || other.text.length > LONGEST_WORD) return OTHER;
  if (one.text.length === 1 || other.text.length === 1)
    return one.text[0] === other.text[0] ? INITIAL : OTHER;
  if (isVariant(one, other)) return VARIANT;
  if (isDamaged(one.text, other.text)) return MISSPELT;
  const form = shortFormOf(one, other);
  if (form) return areSurnames ? SURNAME_SHORT : form === 'usual' ? SHORT : SHARED_SHORT;
  return typingMistake(one, other);
}

/** Whether two words are equal apart from letters that were lost when one was stored. */
function isDamaged(one: string, other: string): boolean {
  if (one.length !== other.length || !(one + other).includes(LOST_LETTER)) return false;
  return [...one].every(
    (letter, index) => [letter, LOST_LETTER].includes(other[index] ?? '') || letter === LOST_LETTER,
  );
}

/** Whether one word is the other, cut off where a long field ends. */
export function isCutOff(short: Word, long: Word): boolean {
  return (
    short.text.length >= SHORTEST_CUT &&
    short.text.length < long.text.length &&
    long.text.length <= LONGEST_WORD &&
    long.text.startsWith(short.text) &&
    !isKnown(short)
  );
}

const SHORTEST_CUT = 3;
const SHORTEST_MISTAKE = 4;
const SHORTEST_SURE_MISTAKE = 5;
const SHORTEST_WITH_TWO = 7;
const SHORTEST_WITH_ANY_LETTER = 8;
const FEWEST_CONSONANTS = 4;

/**
 * Compares two words as if one were a misspelling of the other. Two known names are different names, however similar
 * they are: only a word that is not a known name can be a mistake.
 */
function typingMistake(one: Word, other: Word): WordMatch {
  const shortest = Math.min(one.text.length, other.text.length);
  if (shortest < SHORTEST_MISTAKE) return OTHER;
  const edit = oneEdit(one.text, other.text);
  const isNear = edit !== undefined || mayBeMisspelt(one, other);
  if (!isNear) return OTHER;
  const [isOneKnown, isOtherKnown] = [isKnown(one), isKnown(other)];
  if (isOneKnown && isOtherKnown) return edit ? OTHER_NAME : OTHER;
  const isRare = !isOneKnown && !isOtherKnown;
  if (edit) return ofOneEdit(edit, isOneKnown ? [other.text, one.text] : [one.text, other.text], isRare);
  if (isOneKnown ? isMisspelt(other, one) : isOtherKnown && isMisspelt(one, other)) return MISSPELT;
  const hasTwoEdits = !isRare && shortest >= SHORTEST_WITH_TWO && isWithinTwoEdits(one.text, other.text);
  if (!hasTwoEdits || endsInOtherVowel(one.text, other.text)) return OTHER;
  return WEAK;
}

/** A cheap check that excludes most pairs of different names. */
function mayBeMisspelt(one: Word, other: Word): boolean {
  const isSameStart = one.text[0] === other.text[0] || one.text[0] === 'h' || other.text[0] === 'h';
  return isSameStart && Math.abs(one.text.length - other.text.length) <= 3;
}

/** Whether an unknown word, such as Mohameed, is similar to any spelling of a known name. */
function isMisspelt(unknown: Word, known: Word): boolean {
  const { groups, groupsOf } = nameTables();
  const numbers = groupsOf.get(known.key) ?? [];
  if (numbers.some((number) => (groups[number] ?? []).some((name) => isNearSpelling(unknown.text, name))))
    return true;
  if (givenNameOf(known.key)?.isMuslim && arabicKey(unknown.text) === arabicKey(known.text)) return true;
  const consonants = consonantsOf(unknown.key);
  return (
    numbers.length > 0 &&
    consonants.length >= FEWEST_CONSONANTS &&
    consonants === consonantsOf(known.key) &&
    !endsInOtherVowel(unknown.text, known.text)
  );
}

function isNearSpelling(word: string, name: string): boolean {
  const edit = name.length >= SHORTEST_SURE_MISTAKE ? oneEdit(word, name) : undefined;
  return edit !== undefined && ofOneEdit(edit, [word, name], false).likeness === 'typo';
}

/** The letters of a word look like a name if all are in the order of at least this many names. */
const USUAL_NAMES = 12;
/** Among names of at most this length, many differ in one letter. */
const LONGEST_CROWDED = 6;

/** Judges one edit of an unknown word. `isRare`: the other word is unknown too. */
function ofOneEdit(edit: Edit, [unknown, other]: readonly [string, string], isRare: boolean): WordMatch {
  const isReplaced = edit.kind === 'replaced';
  const rarest = [unknown, ...(isRare ? [other] : [])].map(rarestLetters);
  const isUnlikely = rarest.includes(0);
  if (edit.kind !== 'swapped' && endsInOtherVowel(unknown, other, isReplaced && isUnlikely)) return OTHER;
  if ((edit.kind === 'swapped' || edit.kind === 'doubled') && edit.index > 0) return TYPO;
  const isLikely = !isReplaced || areNeighbours(edit.letters);
  if (isLikely && isUnlikely && (!isRare || rarest.some((count) => count > 0))) return TYPO;
  const shortest = Math.min(unknown.length, other.length);
  const isUsual = shortest <= LONGEST_CROWDED && (rarest[0] ?? 0) >= USUAL_NAMES;
  if (isRare || isUsual || edit.index === 0) return WEAK;
  return shortest >= (isLikely ? SHORTEST_SURE_MISTAKE : SHORTEST_WITH_ANY_LETTER) ? TYPO : WEAK;
}

const LAST_VOWEL = /[aeiou]$/;

/**
 * Whether two names end like the male and female forms of one name: Kabiru and Kabira, or, unless the letters of one are
 * unlikely, Hassan and Hassana.
 */
function endsInOtherVowel(one: string, other: string, isUnlikely = false): boolean {
  const [last, otherLast] = [one.at(-1) ?? '', other.at(-1) ?? ''];
  if (last === otherLast) return false;
  const [isVowel, isOtherVowel] = [LAST_VOWEL.test(last), LAST_VOWEL.test(otherLast)];
  if (isVowel && isOtherVowel) return true;
  return !isUnlikely && ((last === 'a' && !isOtherVowel) || (otherLast === 'a' && !isVowel));
}

import { areNeighbours, type Edit, isWithinTwoEdits, oneEdit } from './edits.ts';
import { nameTables } from './name-tables.ts';
import { consonantsOf } from './spelling.ts';
import { isKnown, isShortForm, isVariant, type Word } from './word.ts';

/**
 * How well two words agree. `typo` is a probable typing mistake. `weak` is a less probable one, or a short form of a
 * surname: it needs a birth date or phone number that agrees.
 */
export type Likeness = 'same' | 'variant' | 'short' | 'typo' | 'weak' | 'initial' | 'other';

export interface WordMatch {
  readonly likeness: Likeness;
  readonly score: number;
  readonly reason?: 'TONE_MARKS' | 'SPELLING_VARIANT' | 'SHORT_FORM' | 'INITIAL';
}

const OTHER: WordMatch = { likeness: 'other', score: 0 };
const SAME: WordMatch = { likeness: 'same', score: 1 };
const MARKED: WordMatch = { likeness: 'same', score: 1, reason: 'TONE_MARKS' };
const VARIANT: WordMatch = { likeness: 'variant', score: 0.95, reason: 'SPELLING_VARIANT' };
const SHORT: WordMatch = { likeness: 'short', score: 0.9, reason: 'SHORT_FORM' };
const SURNAME_SHORT: WordMatch = { likeness: 'weak', score: 0.75, reason: 'SHORT_FORM' };
const TYPO: WordMatch = { likeness: 'typo', score: 0.88 };
const MISSPELT: WordMatch = { likeness: 'typo', score: 0.88, reason: 'SPELLING_VARIANT' };
const WEAK: WordMatch = { likeness: 'weak', score: 0.75 };
const INITIAL: WordMatch = { likeness: 'initial', score: 0.5, reason: 'INITIAL' };

/** Longer words are compared only for equality, which bounds the cost. */
const LONGEST_WORD = 40;

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
  if (isShortForm(one, other)) return areSurnames ? SURNAME_SHORT : SHORT;
  return typingMistake(one, other);
}

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
  if (isOneKnown && isOtherKnown) return OTHER;
  const isRare = !isOneKnown && !isOtherKnown;
  if (edit) return ofOneEdit(edit, one.text, other.text, isRare);
  if (isOneKnown ? isMisspelt(other, one) : isOtherKnown && isMisspelt(one, other)) return MISSPELT;
  const hasTwoEdits = !isRare && shortest >= SHORTEST_WITH_TWO && isWithinTwoEdits(one.text, other.text);
  if (!hasTwoEdits || endsInOtherVowel(one.text, other.text)) return OTHER;
  return WEAK;
}

/** A cheap check that excludes most pairs of different names. */
function mayBeMisspelt(one: Word, other: Word): boolean {
  return one.text[0] === other.text[0] && Math.abs(one.text.length - other.text.length) <= 3;
}

/** Whether an unknown word, such as Mohameed, is similar to any spelling of a known name. */
function isMisspelt(unknown: Word, known: Word): boolean {
  const { groups, groupsOf } = nameTables();
  const numbers = groupsOf.get(known.key) ?? [];
  if (numbers.some((number) => (groups[number] ?? []).some((name) => isNearSpelling(unknown.text, name))))
    return true;
  const consonants = consonantsOf(unknown.key);
  return (
    numbers.length > 0 &&
    consonants.length >= FEWEST_CONSONANTS &&
    consonants === consonantsOf(known.key) &&
    !endsInOtherVowel(unknown.text, known.text)
  );
}

function isNearSpelling(word: string, name: string): boolean {
  return (
    name.length >= SHORTEST_SURE_MISTAKE && oneEdit(word, name) !== undefined && !endsInOtherVowel(word, name)
  );
}

function ofOneEdit(edit: Edit, one: string, other: string, isRare: boolean): WordMatch {
  if (edit.kind !== 'swapped' && endsInOtherVowel(one, other)) return OTHER;
  const shortest = Math.min(one.length, other.length);
  const isLikely = edit.kind !== 'replaced' || areNeighbours(edit.letters);
  if (edit.index === 0 && edit.kind !== 'swapped') return WEAK;
  if (shortest < SHORTEST_SURE_MISTAKE)
    return edit.kind === 'swapped' || edit.kind === 'doubled' ? TYPO : WEAK;
  if (isRare && (!isLikely || shortest <= SHORTEST_SURE_MISTAKE)) return WEAK;
  return isLikely || shortest >= SHORTEST_WITH_ANY_LETTER ? TYPO : WEAK;
}

const LAST_VOWEL = /[aeiou]$/;

/** Whether two names end like the male and female forms of one name: Kabiru and Kabira, Hassan and Hassana. */
function endsInOtherVowel(one: string, other: string): boolean {
  const [last, otherLast] = [one.at(-1) ?? '', other.at(-1) ?? ''];
  if (last === otherLast) return false;
  const [isVowel, isOtherVowel] = [LAST_VOWEL.test(last), LAST_VOWEL.test(otherLast)];
  if (isVowel && isOtherVowel) return true;
  return (last === 'a' && !isOtherVowel) || (otherLast === 'a' && !isVowel);
}

import type { Comparison } from './agreement.ts';
import { assignWords, type WordPair } from './assign-tokens.ts';
import type { Likeness } from './compare-tokens.ts';
import { fold, hasMarks } from './fold.ts';
import {
  joinedLike,
  NAME_FIELDS,
  type NameField,
  type Names,
  type NameWord,
  wordsOfNames,
} from './name-tokens.ts';
import { TWIN_NAMES } from './names/titles.ts';
import { isVariant, wordOf } from './word.ts';

export const NAME_REASONS = [
  'ORDER_SWAPPED',
  'TONE_MARKS',
  'INITIAL',
  'SHORT_FORM',
  'SURNAME_CHANGED',
  'SPELLING_VARIANT',
  'COMPOUND_SPLIT',
] as const;

type NameReason = (typeof NAME_REASONS)[number];

type NameResult = Comparison<NameReason> | 'not_in_record';

/** The comparison of all claimed names with all names in a record. */
export interface NamesMatch {
  readonly fields: ReadonlyMap<NameField, NameResult>;
  readonly claimedWords: number;
  readonly registeredWords: number;
  /** The number of pairs for each degree of likeness. */
  readonly counts: Readonly<Record<Likeness, number>>;
  /** Which of the claimed names contradict the record. */
  readonly conflict: 'none' | 'middle' | 'surname' | 'other';
  /** Whether words were left out, so that the names may also differ in words that were not compared. */
  readonly isCut: boolean;
}

interface Assignment {
  readonly pairs: readonly WordPair[];
  readonly claimed: readonly NameWord[];
  readonly registered: readonly NameWord[];
}

/** Compares names word by word, even if words are in a different field, joined, split, or all in one field. */
export function compareNames(claimed: Names, registered: Names): NamesMatch {
  const [ours, theirs] = [wordsOfNames(claimed), wordsOfNames(registered)];
  const claimedWords = joinedLike(ours.words, theirs.words);
  const registeredWords = joinedLike(theirs.words, claimedWords);
  const pairs = assignWords(claimedWords, registeredWords);
  const assignment = { pairs, claimed: claimedWords, registered: registeredWords };
  const conflict = conflictOf(assignment);
  const fields = NAME_FIELDS.filter((field) => fold(claimed[field] ?? '') !== '');
  const equal = new Map(
    fields.map((field) => [field, equalField(claimed[field] ?? '', registered[field] ?? '')]),
  );
  const areEqual = [...equal.values()].every((result) => result !== undefined);
  const isCut = (ours.isCut || theirs.isCut) && !areEqual;
  const context = { ...assignment, hasConflict: conflict !== 'none', isCut };
  const countOf = (wanted: Likeness) => pairs.filter(({ match }) => match.likeness === wanted).length;
  return {
    fields: new Map(fields.map((field) => [field, equal.get(field) ?? fieldResult(field, context)])),
    claimedWords: claimedWords.length,
    registeredWords: registeredWords.length,
    counts: {
      ...{
        same: countOf('same'),
        variant: countOf('variant'),
        short: countOf('short'),
        typo: countOf('typo'),
      },
      ...{ weak: countOf('weak'), initial: countOf('initial'), other: 0 },
    },
    conflict,
    isCut,
  };
}

/** A word without a partner. `any`: all names on its side are in one field. */
interface LeftOver {
  readonly word: NameWord;
  readonly role: NameField | 'any';
}

/**
 * Returns the words of one side that have no partner and may contradict the other side, each with the kind of name that
 * it counts as.
 */
function leftOver(words: readonly NameWord[], paired: ReadonlySet<NameWord>): LeftOver[] {
  const isPaired = (field: NameField) =>
    words.some((word) => paired.has(word) && word.fields.includes(field));
  const hasOneField = new Set(words.flatMap(({ fields }) => fields)).size <= 1;
  return words
    .filter((word) => !paired.has(word) && !word.isOptional)
    .flatMap((word): LeftOver[] => {
      const [field = 'firstname'] = word.fields;
      if (hasOneField) return [{ word, role: 'any' }];
      if (!isPaired(field)) return [{ word, role: field }];
      // If one surname agrees, a second surname is not a contradiction, because many married women have two.
      return field === 'lastname' ? [] : [{ word, role: 'middlename' }];
    });
}

function conflictOf({ pairs, claimed, registered }: Assignment): NamesMatch['conflict'] {
  const ours = leftOver(claimed, new Set(pairs.map((pair) => pair.claimed)));
  const theirs = leftOver(registered, new Set(pairs.map((pair) => pair.registered)));
  if (ours.length === 0 || theirs.length === 0) return 'none';
  const all = [...ours, ...theirs];
  if (all.every(({ role }) => role === 'middlename')) {
    const areTwins = ours.some(({ word }) => theirs.some((other) => areTwinNames(word, other.word)));
    return areTwins ? 'other' : 'middle';
  }
  const isOfSurname =
    ours.some(({ role }) => role === 'lastname') && theirs.some(({ role }) => role === 'lastname');
  const others = all.every(({ role }) => role === 'lastname' || role === 'middlename');
  return isOfSurname && others && isGivenNameEqual(pairs) ? 'surname' : 'other';
}

const twinNames = TWIN_NAMES.trim()
  .split('\n')
  .map((line) => line.split(' ').map((name) => wordOf(name)));

function areTwinNames(one: NameWord, other: NameWord): boolean {
  return twinNames.some(([first, second]) => {
    if (!first || !second) return false;
    const isPair = isVariant(one, first) && isVariant(other, second);
    return isPair || (isVariant(one, second) && isVariant(other, first));
  });
}

function isGivenNameEqual(pairs: readonly WordPair[]): boolean {
  return pairs.some(
    ({ claimed, registered, match }) =>
      claimed.fields.includes('firstname') &&
      !registered.fields.includes('lastname') &&
      (match.likeness === 'same' || match.likeness === 'variant'),
  );
}

const MISSING_WORD = 0.9;
const OTHER_PLACE = 0.97;
const EXTRA_WORD = 0.97;

/** Returns `exact` if the fields contain equal words in the same order, even if other fields contain the same words. */
function equalField(claimed: string, registered: string): NameResult | undefined {
  if (fold(claimed) !== fold(registered)) return undefined;
  const reasons: NameReason[] = hasMarks(claimed) === hasMarks(registered) ? [] : ['TONE_MARKS'];
  return { result: 'exact', score: 1, reasons };
}

interface FieldContext extends Assignment {
  readonly hasConflict: boolean;
  readonly isCut: boolean;
}

function fieldResult(field: NameField, context: FieldContext): NameResult {
  const { hasConflict, isCut, ...assignment } = context;
  const words = assignment.claimed.filter((word) => word.fields.includes(field));
  const pairs = assignment.pairs.filter((pair) => pair.claimed.fields.includes(field));
  const theirs = assignment.registered.filter((word) => word.fields.includes(field));
  if (pairs.length === 0) return withoutPair(field, assignment, theirs.length > 0);
  const reasons = reasonsOf(field, pairs, assignment);
  const lengthOf = (list: readonly NameWord[]) => list.reduce((sum, { text }) => sum + text.length, 0);
  const total = pairs.reduce((sum, { claimed, match }) => sum + match.score * claimed.text.length, 0);
  const pairedLength = lengthOf(pairs.map(({ claimed }) => claimed));
  const isComplete = pairs.length === words.length;
  const isExtra = theirs.some((word) => !pairs.some(({ registered }) => registered === word));
  const isUnsure =
    isCut || pairs.some(({ match }) => match.likeness === 'initial' || match.likeness === 'weak');
  let score = hasConflict ? total / lengthOf(words) : total / pairedLength;
  if (!isComplete && !hasConflict) score *= MISSING_WORD;
  if (reasons.includes('ORDER_SWAPPED') || reasons.includes('COMPOUND_SPLIT')) score *= OTHER_PLACE;
  if (isExtra) score *= EXTRA_WORD;
  if (isUnsure || (!isComplete && hasConflict)) return { result: 'partial', score, reasons };
  const isEqual = isComplete && !isExtra && reasons.every((reason) => reason === 'TONE_MARKS');
  const areInField = pairs.every(
    ({ registered, match }) => registered.fields.includes(field) && match.score === 1,
  );
  return { result: isEqual && areInField ? 'exact' : 'strong', score, reasons };
}

function withoutPair(field: NameField, { pairs, registered }: Assignment, isInRecord: boolean): NameResult {
  const hasOthers = registered.some((word) => !pairs.some((pair) => pair.registered === word));
  const isAbsent = !isInRecord && (field === 'middlename' || !hasOthers);
  return isAbsent ? 'not_in_record' : { result: 'none', score: 0, reasons: [] };
}

function reasonsOf(
  field: NameField,
  pairs: readonly WordPair[],
  { claimed, registered }: Assignment,
): NameReason[] {
  const hasOneField = (words: readonly NameWord[]) =>
    new Set(words.flatMap(({ fields }) => fields)).size === 1;
  const isInOneField = hasOneField(claimed) || hasOneField(registered);
  const places = pairs.map((pair) => pair.places[1]);
  const isSwapped = isInOneField
    ? places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0))
    : pairs.some((pair) => !pair.registered.fields.includes(field));
  const isJoined = pairs.some((pair) => pair.claimed.isJoined || pair.registered.isJoined);
  const found = new Set<NameReason>(pairs.flatMap(({ match }) => match.reason ?? []));
  if (isSwapped) found.add('ORDER_SWAPPED');
  if (isJoined) found.add('COMPOUND_SPLIT');
  return NAME_REASONS.filter((reason) => found.has(reason));
}

import type { Comparison } from './agreement.ts';
import { assignWords, type WordPair } from './assign-tokens.ts';
import { compareWords, type Likeness } from './compare-tokens.ts';
import { firstNameDoubt } from './first-names.ts';
import { hasMarks } from './fold.ts';
import {
  type FoldedName,
  foldNames,
  joinedLike,
  type NameField,
  type Names,
  type NameWord,
  wordsOfNames,
} from './name-tokens.ts';
import { contradictionsOf, TWIN_NAMES } from './titles.ts';
import { isVariant, Word } from './word.ts';

export const NAME_REASONS = [
  'ORDER_SWAPPED',
  'TONE_MARKS',
  'INITIAL',
  'SHORT_FORM',
  'SURNAME_CHANGED',
  'SPELLING_VARIANT',
  'COMPOUND_SPLIT',
  'FIRST_NAME_ABSENT',
  'GENERATION_DIFFERS',
  'TITLE_DIFFERS',
  'OTHER_NAME',
  'AMBIGUOUS_SHORT_FORM',
] as const;

type NameReason = (typeof NAME_REASONS)[number];

type NameResult = Comparison<NameReason> | 'not_in_record';

export interface NamesMatch {
  readonly fields: ReadonlyMap<NameField, NameResult>;
  readonly claimedWords: number;
  readonly registeredWords: number;
  readonly counts: Readonly<Record<Likeness, number>>;
  readonly conflict: 'none' | 'middle' | 'surname' | 'other';
  /** Evidence against a match: `sure` whatever else agrees, `support` unless the birth date or phone number agrees. */
  readonly doubt: 'none' | 'support' | 'sure';
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
  const [ourNames, theirNames] = [foldNames(claimed), foldNames(registered)];
  const [ours, theirs] = wordsOfNames(ourNames, theirNames);
  const claimedWords = joinedLike(ours.words, theirs.words);
  const registeredWords = joinedLike(theirs.words, claimedWords);
  const pairs = assignWords(claimedWords, registeredWords);
  const assignment = { pairs, claimed: claimedWords, registered: registeredWords };
  const conflict = conflictOf(assignment);
  const fields = [...ourNames.keys()];
  const equal = new Map(
    fields.map((field) => [field, equalField(ourNames.get(field), theirNames.get(field))]),
  );
  const areEqual = fields.every((field) => equal.get(field) !== undefined);
  const isCut = (ours.isCut || theirs.isCut) && !areEqual;
  const titles = contradictionsOf(ours.titles, theirs.titles);
  const firstName = areEqual || pairs.length === 0 ? 'none' : firstNameDoubt(assignment);
  const hasConflict = conflict !== 'none';
  const against = (field: NameField): NameReason[] => {
    const reasons: NameReason[] = titles.filter((title) => title.field === field).map(({ reason }) => reason);
    if (hasConflict && hasOtherName(field, assignment)) reasons.push('OTHER_NAME');
    else if (field === 'firstname' && firstName !== 'none') reasons.push('FIRST_NAME_ABSENT');
    return reasons;
  };
  const resultOf = (field: NameField) =>
    equal.get(field) ?? fieldResult(field, { ...assignment, hasConflict, isCut, against: against(field) });
  return {
    fields: new Map(fields.map((field) => [field, resultOf(field)])),
    claimedWords: claimedWords.length,
    registeredWords: registeredWords.length,
    counts: countsOf(pairs),
    conflict,
    doubt: titles.length > 0 ? 'sure' : firstName,
    isCut,
  };
}

function countsOf(pairs: readonly WordPair[]): Record<Likeness, number> {
  const counts: Record<Likeness, number> = {
    ...{ same: 0, variant: 0, short: 0, ambiguous: 0, typo: 0, weak: 0, initial: 0, other: 0 },
  };
  for (const pair of pairs) counts[likenessAmong(pairs, pair)] += 1;
  return counts;
}

/** The number of agreeing names that makes a weak agreement of one that is not a first name as good as a mistake. */
const SURE_WITH_WEAK = 3;

function likenessAmong(pairs: readonly WordPair[], { claimed, registered, match }: WordPair): Likeness {
  const isFirst = claimed.fields.includes('firstname') || registered.fields.includes('firstname');
  return match.likeness === 'weak' && !isFirst && pairs.length >= SURE_WITH_WEAK ? 'typo' : match.likeness;
}

/** Whether a name of a field that has no partner differs in one letter from another name, and both are known. */
function hasOtherName(field: NameField, { pairs, claimed, registered }: Assignment): boolean {
  const left = registered.filter((word) => !pairs.some((pair) => pair.registered === word));
  return claimed.some(
    (word) =>
      word.fields.includes(field) &&
      !pairs.some((pair) => pair.claimed === word) &&
      left.some((other) => compareWords(word, other, false).reason === 'OTHER_NAME'),
  );
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

const twinNames = TWIN_NAMES.map((names) => names.map((name) => new Word(name)));

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
function equalField(
  claimed: FoldedName | undefined,
  registered: FoldedName | undefined,
): NameResult | undefined {
  if (claimed?.folded !== registered?.folded) return undefined;
  const areMarked = [claimed, registered].map((name) => hasMarks(name?.text ?? ''));
  return { result: 'exact', score: 1, reasons: areMarked[0] === areMarked[1] ? [] : ['TONE_MARKS'] };
}

interface FieldContext extends Assignment {
  readonly hasConflict: boolean;
  readonly isCut: boolean;
  /** The reasons against a match. */
  readonly against: readonly NameReason[];
}

function fieldResult(field: NameField, context: FieldContext): NameResult {
  const { hasConflict, isCut, against, ...assignment } = context;
  const words = assignment.claimed.filter((word) => word.fields.includes(field));
  const pairs = assignment.pairs.filter((pair) => pair.claimed.fields.includes(field));
  const theirs = assignment.registered.filter((word) => word.fields.includes(field));
  if (pairs.length === 0) return withoutPair(field, assignment, theirs.length > 0, against);
  const reasons = reasonsOf(field, pairs, assignment, against);
  const lengthOf = (list: readonly NameWord[]) => list.reduce((sum, { text }) => sum + text.length, 0);
  const total = pairs.reduce((sum, { claimed, match }) => sum + match.score * claimed.text.length, 0);
  const pairedLength = lengthOf(pairs.map(({ claimed }) => claimed));
  const isComplete = pairs.length === words.length;
  const isExtra = theirs.some((word) => !pairs.some(({ registered }) => registered === word));
  const isUnsure =
    isCut ||
    against.length > 0 ||
    pairs.some(
      ({ match: { likeness } }) => likeness === 'initial' || likeness === 'weak' || likeness === 'ambiguous',
    );
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

function withoutPair(
  field: NameField,
  { pairs, registered }: Assignment,
  isInRecord: boolean,
  reasons: readonly NameReason[],
): NameResult {
  const hasOthers = registered.some((word) => !pairs.some((pair) => pair.registered === word));
  const isAbsent = !isInRecord && reasons.length === 0 && (field === 'middlename' || !hasOthers);
  return isAbsent ? 'not_in_record' : { result: 'none', score: 0, reasons };
}

function reasonsOf(
  field: NameField,
  pairs: readonly WordPair[],
  { claimed, registered }: Assignment,
  against: readonly NameReason[],
): NameReason[] {
  const hasOneField = (words: readonly NameWord[]) =>
    new Set(words.flatMap(({ fields }) => fields)).size === 1;
  const isInOneField = hasOneField(claimed) || hasOneField(registered);
  const places = pairs.map((pair) => pair.places[1]);
  const isSwapped = isInOneField
    ? places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0))
    : pairs.some((pair) => !pair.registered.fields.includes(field));
  const isJoined = pairs.some((pair) => pair.claimed.isJoined || pair.registered.isJoined);
  const found = new Set<NameReason>([...pairs.flatMap(({ match }) => match.reason ?? []), ...against]);
  if (isSwapped) found.add('ORDER_SWAPPED');
  if (isJoined) found.add('COMPOUND_SPLIT');
  return NAME_REASONS.filter((reason) => found.has(reason));
}

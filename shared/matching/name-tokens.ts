import { fold, hasMarks } from './fold.ts';
import { isParticle, type TitleKind, titleKindOf } from './titles.ts';
import { isVariant, Word } from './word.ts';

/** The fields of a name, in the order in which names are written. */
export const NAME_FIELDS = ['firstname', 'middlename', 'lastname'] as const;

export type NameField = (typeof NAME_FIELDS)[number];

export type Names = { readonly [field in NameField]?: string };

/** Where a word is in a name. */
interface Place {
  /** Several if the word was joined from the words of several fields. */
  readonly fields: readonly NameField[];
  readonly isJoined: boolean;
  /** The word is a title or a particle, so it may be missing on the other side. */
  readonly isOptional: boolean;
  /** The word is the last one of a long field, where some registries cut off names. */
  readonly mayBeCut: boolean;
}

export class NameWord extends Word implements Place {
  readonly fields: readonly NameField[];
  readonly isJoined: boolean;
  readonly isOptional: boolean;
  readonly mayBeCut: boolean;

  constructor(text: string, hasMarks: boolean, { fields, isJoined, isOptional, mayBeCut }: Place) {
    super(text, hasMarks);
    this.fields = fields;
    this.isJoined = isJoined;
    this.isOptional = isOptional;
    this.mayBeCut = mayBeCut;
  }
}

interface NameWords {
  readonly words: readonly NameWord[];
  /** The titles and marks of generations, whether or not they are also among the words. */
  readonly titles: readonly TitleWord[];
  /** Whether words were left out because there are too many. */
  readonly isCut: boolean;
}

interface TitleWord {
  readonly text: string;
  readonly field: NameField;
}

interface RawWord extends TitleWord {
  readonly isMarked: boolean;
  /** `both`: a title that may be a name, before another word of its field. */
  readonly kind: TitleKind;
  /** Whether its field has nothing but titles. */
  readonly isAlone: boolean;
  readonly mayBeCut: boolean;
}

/** Some registries store fewer letters of a field than a long name has. */
const SHORTEST_LIMIT = 15;

/** Limits the cost of a comparison. */
const MOST_WORDS = 8;

export interface FoldedName {
  readonly text: string;
  readonly folded: string;
}

type FoldedNames = ReadonlyMap<NameField, FoldedName>;

/** Returns the names of one side, folded. Fields without words are left out. */
export function foldNames(names: Names): FoldedNames {
  const folded = new Map<NameField, FoldedName>();
  for (const field of NAME_FIELDS) {
    const text = names[field] ?? '';
    const words = text === '' ? '' : fold(text);
    if (words !== '') folded.set(field, { text, folded: words });
  }
  return folded;
}

/** Returns the words of both sides. A word that may be a title or a name is dropped only if the other side lacks it. */
export function wordsOfNames(claimed: FoldedNames, registered: FoldedNames): readonly [NameWords, NameWords] {
  const [ours, theirs] = [rawWords(claimed), rawWords(registered)];
  return [withoutTitles(ours, theirs), withoutTitles(theirs, ours)];
}

function rawWords(names: FoldedNames): RawWord[] {
  const raw: RawWord[] = [];
  for (const [field, { text, folded }] of names) {
    const isMarked = hasMarks(text);
    const words = folded.split(' ');
    const titles = words.map(titleKindOf);
    const isAlone = titles.every((kind) => kind === 'title');
    const firstName = titles.indexOf('none');
    for (const [index, word] of words.entries()) {
      const kind = titles[index] === 'both' && index > firstName ? 'none' : (titles[index] ?? 'none');
      const mayBeCut = text.length >= SHORTEST_LIMIT && index === words.length - 1;
      raw.push({ text: word, field, isMarked, kind, isAlone, mayBeCut });
    }
  }
  return raw;
}

function withoutTitles(ours: readonly RawWord[], theirs: readonly RawWord[]): NameWords {
  const titles = ours.filter(({ text, field, kind }, index) =>
    kind === 'none' ? index === 0 && field === 'firstname' && titleKindOf(text) === 'both' : true,
  );
  const kept = titles.length === 0 ? ours : namesAmong(ours, theirs);
  const words = kept.slice(0, MOST_WORDS).map(({ text, isMarked, field, kind, mayBeCut }, index) => {
    const isOptional = kind === 'title' || (isParticle(text) && kept[index + 1]?.field === field);
    return new NameWord(text, isMarked, { fields: [field], isJoined: false, isOptional, mayBeCut });
  });
  return { words, titles, isCut: kept.length > MOST_WORDS };
}

function namesAmong(ours: readonly RawWord[], theirs: readonly RawWord[]): readonly RawWord[] {
  const areFew = [ours, theirs].some((words) => words.filter(({ kind }) => kind === 'none').length < 2);
  const isNeeded = ({ text }: RawWord) =>
    theirs.some(
      (other) =>
        (other.text === text && (areFew || other.kind === 'none')) ||
        (other.kind === 'none' && other.text.startsWith(text) && titleKindOf(other.text) !== 'both'),
    );
  return ours.filter(
    (word) => word.kind === 'none' || word.isAlone || (word.kind === 'both' && isNeeded(word)),
  );
}

/** Joins words that the other side writes as one word, such as Oluwa Seun if the other side has Oluwaseun. */
export function joinedLike(words: readonly NameWord[], others: readonly NameWord[]): readonly NameWord[] {
  let joined = words;
  for (const length of [3, 2])
    for (let start = 0; start + length <= joined.length; start += 1) {
      const parts = joined.slice(start, start + length);
      if (!others.some((other) => mayBeWhole(parts, other))) continue;
      const isMarked = parts.some((part) => part.hasMarks);
      const whole = new NameWord(parts.map(({ text }) => text).join(''), isMarked, {
        fields: [...new Set(parts.flatMap(({ fields }) => fields))],
        ...{ isJoined: true, isOptional: false, mayBeCut: parts.at(-1)?.mayBeCut ?? false },
      });
      if (others.some((other) => isVariant(other, whole)))
        joined = [...joined.slice(0, start), whole, ...joined.slice(start + length)];
    }
  return joined;
}

/** The maximum difference in length between two spellings of one name. */
const LONGEST_DIFFERENCE = 3;

/** A cheap check that excludes most words. */
function mayBeWhole(parts: readonly NameWord[], { text }: NameWord): boolean {
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  return text[0] === parts[0]?.text[0] && Math.abs(text.length - length) <= LONGEST_DIFFERENCE;
}

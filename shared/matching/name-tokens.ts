import { fold, hasMarks } from './fold.ts';
import { OPTIONAL_WORDS, TITLES } from './names/titles.ts';
import { type Word, wordOf } from './word.ts';

/** The fields of a name, in the order in which names are written. */
export const NAME_FIELDS = ['firstname', 'middlename', 'lastname'] as const;

export type NameField = (typeof NAME_FIELDS)[number];

export type Names = { readonly [field in NameField]?: string };

export interface NameWord extends Word {
  /** Several if the word was joined from the words of several fields. */
  readonly fields: readonly NameField[];
  readonly isJoined: boolean;
  /** The word is also a title, so it may be missing on the other side. */
  readonly isOptional: boolean;
}

interface NameWords {
  readonly words: readonly NameWord[];
  /** Whether words were left out because there are too many. */
  readonly isCut: boolean;
}

/** Limits the cost of a comparison. */
const MOST_WORDS = 8;

const titles = new Set(TITLES.trim().split(/\s+/));
const optional = new Set(OPTIONAL_WORDS.split(' '));

/**
 * Returns the words of a person's names without titles. The words of a field that contains only titles count as names.
 */
export function wordsOfNames(names: Names): NameWords {
  const words = NAME_FIELDS.flatMap((field) => {
    const text = names[field] ?? '';
    const all = fold(text)
      .split(' ')
      .filter((word) => word !== '');
    const others = all.filter((word) => !titles.has(word));
    const isMarked = hasMarks(text);
    return (others.length > 0 ? others : all).map((word) => nameWord(word, isMarked, [field], false));
  });
  return { words: words.slice(0, MOST_WORDS), isCut: words.length > MOST_WORDS };
}

function nameWord(
  text: string,
  isMarked: boolean,
  fields: readonly NameField[],
  isJoined: boolean,
): NameWord {
  return { ...wordOf(text, isMarked), fields, isJoined, isOptional: optional.has(text) };
}

/** Joins words that the other side writes as one word, such as Oluwa Seun if the other side has Oluwaseun. */
export function joinedLike(words: readonly NameWord[], others: readonly NameWord[]): readonly NameWord[] {
  let joined = words;
  for (const length of [3, 2])
    for (let start = 0; start + length <= joined.length; start += 1) {
      const parts = joined.slice(start, start + length);
      if (!others.some((other) => mayBeWhole(parts, other))) continue;
      const whole = nameWord(
        parts.map(({ text }) => text).join(''),
        parts.some((part) => part.hasMarks),
        [...new Set(parts.flatMap(({ fields }) => fields))],
        true,
      );
      if (others.some(({ key }) => key === whole.key))
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

import { nameTables } from './name-tables.ts';
import { spellingKey } from './spelling.ts';

/** One word of a name, folded, with its spelling key and its possible parts. */
export interface Word {
  readonly text: string;
  readonly key: string;
  /** Whether the name was written with marks or hooked letters. */
  readonly hasMarks: boolean;
  /** Returns the ways to split the word into a head and a tail. */
  readonly parts: () => readonly Parts[];
}

/** The parts of a compound name, such as Olu-femi. The tail is a spelling key. */
interface Parts {
  readonly head: string;
  readonly tail: string;
  readonly isTailKnown: boolean;
}

const LONGEST_HEAD = 9;
const SHORTEST_TAIL = 2;

export function wordOf(text: string, hasMarks = false): Word {
  let parts: readonly Parts[] | undefined;
  const lazyParts = () => {
    parts ??= partsOf(text);
    return parts;
  };
  return { text, key: spellingKey(text), hasMarks, parts: lazyParts };
}

function partsOf(text: string): Parts[] {
  const { tailsOf } = nameTables();
  const parts: Parts[] = [];
  for (let length = 2; length <= LONGEST_HEAD && length <= text.length - SHORTEST_TAIL; length += 1) {
    const head = text.slice(0, length);
    const tails = tailsOf.get(head);
    if (!tails) continue;
    const tail = spellingKey(text.slice(length));
    parts.push({ head, tail, isTailKnown: tails.has(tail) });
  }
  return parts;
}

/** Whether a word is a name in use, and so probably not a typing mistake. */
export function isKnown(word: Word): boolean {
  return nameTables().known.has(word.key) || word.parts().some(({ isTailKnown }) => isTailKnown);
}

/** Whether two words are spellings of one name, by their keys or by the table. */
export function isVariant(one: Word, other: Word): boolean {
  if (one.key === other.key) return true;
  const { groupsOf } = nameTables();
  const groups = groupsOf.get(one.key);
  const others = groupsOf.get(other.key);
  return groups !== undefined && others !== undefined && groups.some((group) => others.includes(group));
}

/**
 * Whether one word is a short form of the other, or both are compounds with the same tail and with heads that have the
 * same meaning.
 */
export function isShortForm(one: Word, other: Word): boolean {
  return (
    isListed(one, other) ||
    isListed(other, one) ||
    isTailOf(one, other) ||
    isBeginningOf(one, other) ||
    haveEqualHeads(one, other)
  );
}

function isListed(short: Word, long: Word): boolean {
  const { longForms, groupsOf, groups } = nameTables();
  const forms = longForms.get(short.key);
  if (!forms) return false;
  if (forms.has(long.key)) return true;
  const numbers = groupsOf.get(long.key) ?? [];
  return numbers.some((number) => (groups[number] ?? []).some((name) => forms.has(spellingKey(name))));
}

const SHORTEST_SHORT_FORM = 3;

function isTailOf(one: Word, other: Word): boolean {
  const [short, long] = one.key.length <= other.key.length ? [one, other] : [other, one];
  if (short.key.length < SHORTEST_SHORT_FORM) return false;
  const { leftOutEnds, clippedHeads } = nameTables();
  if (leftOutEnds.some((end) => long.key === short.key + end)) return true;
  return long
    .parts()
    .some(
      ({ head, tail, isTailKnown }) =>
        (tail === short.key && (isTailKnown || tail.length > SHORTEST_SHORT_FORM)) ||
        (head === short.text && clippedHeads.has(head) && tail.length >= SHORTEST_SHORT_FORM),
    );
}

const SHORTEST_BEGINNING = 6;
const FEWEST_LEFT_OUT = 2;
/** Endings of the female forms of male names. */
const FEMALE_ENDS = ['na', 'ne', 'la', 'lla', 'ta', 'tte', 'sa', 'ia', 'ya'];

/** Whether the short word is the long name without its ending. A shortened name ends in a vowel. */
function isBeginningOf(one: Word, other: Word): boolean {
  const [short, long] =
    one.text.length <= other.text.length ? [one.text, other.text] : [other.text, one.text];
  const end = long.slice(short.length);
  return (
    short.length >= SHORTEST_BEGINNING &&
    end.length >= FEWEST_LEFT_OUT &&
    long.startsWith(short) &&
    'aeiou'.includes(short.at(-1) ?? '') &&
    !FEMALE_ENDS.includes(end)
  );
}

function haveEqualHeads(one: Word, other: Word): boolean {
  const { equalHeads } = nameTables();
  return one.parts().some(({ head, tail }) => {
    const meaning = equalHeads.get(head);
    return (
      meaning !== undefined &&
      other.parts().some((parts) => parts.tail === tail && equalHeads.get(parts.head) === meaning)
    );
  });
}

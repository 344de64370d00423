import { nameTables } from './name-tables.ts';
import { spellingKey } from './spelling.ts';

/** Longer words are compared only for equality, which bounds the cost. */
export const LONGEST_WORD = 40;

/** The parts of a compound name, such as Olu-femi. The tail is a spelling key. */
interface Parts {
  readonly head: string;
  readonly tail: string;
  readonly isTailKnown: boolean;
}

interface Entry {
  readonly groups: readonly number[] | undefined;
  /** The full names that it is a short form of. */
  readonly usual: ReadonlySet<string> | undefined;
  readonly shared: ReadonlySet<string> | undefined;
}

/** One word of a name, folded. Equal words need no key and no tables, so these are computed on demand. */
export class Word {
  readonly text: string;
  /** Whether the name was written with marks or hooked letters. */
  readonly hasMarks: boolean;
  #key: string | undefined;
  #entry: Entry | undefined;
  #parts: readonly Parts[] | undefined;

  constructor(text: string, hasMarks = false) {
    this.text = text;
    this.hasMarks = hasMarks;
  }

  get key(): string {
    this.#key ??= spellingKey(this.text);
    return this.#key;
  }

  get entry(): Entry {
    this.#entry ??= entryOf(this.key);
    return this.#entry;
  }

  /** The ways to split the word into a head and a tail. */
  get parts(): readonly Parts[] {
    this.#parts ??= partsOf(this.text);
    return this.#parts;
  }
}

function entryOf(key: string): Entry {
  const { groupsOf, usualForms, sharedForms } = nameTables();
  return { groups: groupsOf.get(key), usual: usualForms.get(key), shared: sharedForms.get(key) };
}

const LONGEST_HEAD = 9;
const SHORTEST_TAIL = 2;

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
  return nameTables().known.has(word.key) || word.parts.some(({ isTailKnown }) => isTailKnown);
}

/** Whether two words are spellings of one name, by their keys, by the table, or as Arabic words written in two ways. */
export function isVariant(one: Word, other: Word): boolean {
  if (one.key === other.key || shareGroup(one.entry.groups, other.entry.groups)) return true;
  const [short, long] = one.text.length <= other.text.length ? [one, other] : [other, one];
  if (long.text.length > LONGEST_WORD) return false;
  return isWithArticle(long, short) || isWithEnding(long, short) || haveEqualFaith(one, other);
}

function shareGroup(one: readonly number[] | undefined, other: readonly number[] | undefined): boolean {
  return one !== undefined && other !== undefined && one.some((group) => other.includes(group));
}

const SHORTEST_WITH_ENDING = 4;
const VOWEL_OR_GLIDE = /[aeiou]$|[h-kw-y]$/;

/** Whether only one side has an Arabic or Hausa ending: Kabir and Kabiru, Aisha and Aishatu. */
function isWithEnding({ text: long }: Word, { text: short }: Word): boolean {
  if (short.length < SHORTEST_WITH_ENDING || !long.startsWith(short)) return false;
  const end = long.slice(short.length);
  return short.endsWith('a')
    ? end === 't' || end === 'tu' || end === 'h'
    : end === 'u' && !VOWEL_OR_GLIDE.test(short);
}

/** Whether only one side has the Arabic article: Alhassan and Hassan. */
function isWithArticle({ text: long }: Word, { text: short, entry }: Word): boolean {
  return (
    entry.groups !== undefined &&
    long.length === short.length + 2 &&
    (long.startsWith('al') || long.startsWith('el')) &&
    long.endsWith(short)
  );
}

/** The ways to write the Arabic `al-din`, the faith: Nur al-Din, Nurudeen. */
const FAITH = /[aeiou]*[ld]?d(?:ee|i|y|e)n[eiu]?$/;
const SHORTEST_STEM = 3;

function haveEqualFaith(one: Word, other: Word): boolean {
  const isPossible = one.text[0] === other.text[0] && one.text.includes('d') && other.text.includes('d');
  if (!isPossible || !FAITH.test(one.text) || !FAITH.test(other.text)) return false;
  const [stem, otherStem] = [one, other].map(({ text }) => text.replace(FAITH, ''));
  return stem === otherStem && (stem ?? '').length >= SHORTEST_STEM;
}

/**
 * Whether one word is a short form of the other, or both are compounds with the same tail and with heads that have the
 * same meaning. `shared`: people of several names use the short form.
 */
export function shortFormOf(one: Word, other: Word): 'usual' | 'shared' | undefined {
  if (isListed(one.entry.usual, other) || isListed(other.entry.usual, one)) return 'usual';
  if (isListed(one.entry.shared, other) || isListed(other.entry.shared, one)) return 'shared';
  const [short, long] = one.key.length <= other.key.length ? [one, other] : [other, one];
  return tailForm(short, long) ?? beginningForm(one, other) ?? equalHeadsForm(one, other);
}

function isListed(fullNames: ReadonlySet<string> | undefined, { key, entry }: Word): boolean {
  if (!fullNames) return false;
  if (fullNames.has(key)) return true;
  const { groupKeys } = nameTables();
  return entry.groups?.some((group) => [...fullNames].some((name) => groupKeys[group]?.has(name))) ?? false;
}

const SHORTEST_SHORT_FORM = 3;

function tailForm(short: Word, long: Word): 'usual' | 'shared' | undefined {
  if (short.key.length < SHORTEST_SHORT_FORM) return undefined;
  const { leftOutEnds, clippedHeads, equalHeads } = nameTables();
  const isBeginning = long.key.startsWith(short.key);
  if (isBeginning && leftOutEnds.includes(long.key.slice(short.key.length))) return 'usual';
  for (const { head, tail, isTailKnown } of long.parts) {
    if (tail === short.key && (isTailKnown || tail.length > SHORTEST_SHORT_FORM))
      return equalHeads.has(head) ? 'usual' : 'shared';
    if (head === short.text && clippedHeads.has(head) && tail.length >= SHORTEST_SHORT_FORM) return 'shared';
  }
  return undefined;
}

const SHORTEST_BEGINNING = 6;
const FEWEST_LEFT_OUT = 2;
/** Endings of the female forms of male names. */
const FEMALE_ENDS = ['na', 'ne', 'la', 'lla', 'ta', 'tte', 'sa', 'ia', 'ya', 'ss'];

/**
 * Whether the short word is the long name without its ending: a usual short form, unless both are names of their own. A
 * shortened name ends in a vowel.
 */
function beginningForm(one: Word, other: Word): 'usual' | 'shared' | undefined {
  const [short, long] =
    one.text.length <= other.text.length ? [one.text, other.text] : [other.text, one.text];
  const end = long.slice(short.length);
  const isBeginning =
    short.length >= SHORTEST_BEGINNING &&
    end.length >= FEWEST_LEFT_OUT &&
    long.startsWith(short) &&
    'aeiou'.includes(short.at(-1) ?? '') &&
    !FEMALE_ENDS.includes(end);
  if (!isBeginning) return undefined;
  if (one.entry.groups && other.entry.groups) return undefined;
  const { known } = nameTables();
  return known.has(one.key) && known.has(other.key) ? 'shared' : 'usual';
}

/** Short tails with heads of one meaning are different names. */
const SHORTEST_SURE_TAIL = 3;

function equalHeadsForm(one: Word, other: Word): 'usual' | 'shared' | undefined {
  const { equalHeads } = nameTables();
  for (const { head, tail } of one.parts) {
    const meaning = equalHeads.get(head);
    const isEqual =
      meaning !== undefined &&
      other.parts.some((parts) => parts.tail === tail && equalHeads.get(parts.head) === meaning);
    if (isEqual) return tail.length >= SHORTEST_SURE_TAIL ? 'usual' : 'shared';
  }
  return undefined;
}

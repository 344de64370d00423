import titles from './data/titles.json' with { type: 'json' };

/** Words before and after names that do not name a person, and what they say about the person. */

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const mapOf = <T extends string>(lists: Readonly<Record<T, string>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries<string>(lists).flatMap(([kind, text]) => text.split(' ').map((word) => [word, kind as T])),
  );

const pure = mapOf(titles.titles);
/** Titles that are also given names or surnames, such as Prince and Eze. */
const names = mapOf(titles.names);
const generations = mapOf(titles.generations);
const particles = setOf(titles.particles);

export type TitleKind = 'title' | 'both' | 'none';

const kinds: ReadonlyMap<string, TitleKind> = new Map([
  ...[...pure.keys(), ...generations.keys()].map((word) => [word, 'title'] as const),
  ...[...names.keys()].map((word) => [word, 'both'] as const),
]);

/** Returns whether a word is a title or a mark of a generation, or a title that may also be a name. */
export const titleKindOf = (word: string): TitleKind => kinds.get(word) ?? 'none';
export const isParticle = (word: string): boolean => particles.has(word);

/** Pairs of names that are given to twins. */
export const TWIN_NAMES = titles.twins.map((line) => line.split(' '));

interface TitleWord<Field> {
  readonly text: string;
  readonly field: Field;
}

interface Contradiction<Field> {
  readonly reason: 'GENERATION_DIFFERS' | 'TITLE_DIFFERS';
  /** The field of the claimed title. */
  readonly field: Field;
}

/** Returns how the titles of two sides contradict each other: Mr and Mrs, Prince and Princess, Junior and Senior. */
export function contradictionsOf<Field>(
  ours: readonly TitleWord<Field>[],
  theirs: readonly TitleWord<Field>[],
): Contradiction<Field>[] {
  if (ours.length === 0 || theirs.length === 0) return [];
  const differ = (reason: Contradiction<Field>['reason'], kindOf: (word: string) => string | undefined) => {
    const claimed = ours.filter(({ text }) => kindOf(text) !== undefined);
    const kinds = theirs.map(({ text }) => kindOf(text)).filter((kind) => kind !== undefined);
    const agree = claimed.some(({ text }) => kinds.some((kind) => kind === kindOf(text)));
    return kinds.length === 0 || agree ? [] : claimed.map(({ field }) => ({ reason, field }));
  };
  return [
    ...differ('GENERATION_DIFFERS', (word) => generations.get(word)),
    ...differ('TITLE_DIFFERS', (word) => {
      const gender = pure.get(word) ?? names.get(word);
      return gender === 'any' ? undefined : gender;
    }),
  ];
}

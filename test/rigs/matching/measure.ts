import { compareDates, readDate } from '../../../shared/matching/dates.ts';
import { fold } from '../../../shared/matching/fold.ts';
import { type Match, matchPerson } from '../../../shared/matching/match.ts';
import type { Pair, View } from './pairs.ts';
import { YARDSTICKS } from './yardsticks.ts';

/** Measures how often the match and the yardsticks are wrong about labelled pairs. */

export interface Rates {
  /** The share of the pairs of different people that match. */
  readonly falseMatches: number;
  /** The share of the pairs of one person that do not match. */
  readonly falseNonMatches: number;
}

export const GOALS: Rates = { falseMatches: 0.005, falseNonMatches: 0.03 };

/** The goals for the upper bounds of the intervals of a set that the algorithm was not tuned on. */
export const UNSEEN_GOALS = {
  'names alone': { falseMatches: 0.015, falseNonMatches: 0.04 },
  'with birth date': { falseMatches: 0.003, falseNonMatches: 0.03 },
} as const satisfies Record<View, Rates>;

/** How often the match is wrong about pairs with one label. */
export interface Errors {
  readonly wrong: number;
  readonly pairs: number;
}

const Z_95 = 1.959964;

/** Returns the bounds of the 95% interval of a share (Wilson). */
export function wilson({ wrong, pairs }: Errors): readonly [lower: number, upper: number] {
  if (pairs === 0) return [0, 1];
  const [share, z2] = [wrong / pairs, Z_95 ** 2];
  const middle = share + z2 / (2 * pairs);
  const half = Z_95 * Math.sqrt((share * (1 - share)) / pairs + z2 / (4 * pairs ** 2));
  return [Math.max(0, (middle - half) / (1 + z2 / pairs)), (middle + half) / (1 + z2 / pairs)];
}

/** Returns the errors about the pairs of each label and kind, in the order of the kinds' names. */
export function errorsByKind(pairs: readonly Pair[]): { kind: string; isSame: boolean; errors: Errors }[] {
  const wrong = new Set(mistakes(pairs).map(({ pair }) => pair));
  const kinds = Object.entries(Object.groupBy(pairs, ({ kind, isSame }) => `${isSame ? 1 : 0}${kind}`));
  return kinds
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, list = []]) => ({
      kind: key.slice(1),
      isSame: key.startsWith('1'),
      errors: { wrong: list.filter((pair) => wrong.has(pair)).length, pairs: list.length },
    }));
}

/** Returns the errors about all pairs of a label. */
export function errorsOf(pairs: readonly Pair[], isSame: boolean): Errors {
  const list = pairs.filter((pair) => pair.isSame === isSame);
  return { wrong: mistakes(list).length, pairs: list.length };
}

export interface YardstickRates {
  readonly name: string;
  /** False non-matches at the best threshold whose false matches are at most ours. */
  readonly falseNonMatches: number;
  /** False matches at the best threshold whose false non-matches are at most ours. */
  readonly falseMatches: number;
}

/** Returns whether a result counts as a match: `exact` and `strong` do. */
export function isMatch({ overall }: Match): boolean {
  return overall === 'exact' || overall === 'strong';
}

/** Returns the pairs about which the match is wrong, with its result. */
export function mistakes(pairs: readonly Pair[]): { pair: Pair; match: Match }[] {
  return pairs
    .map((pair) => ({ pair, match: matchPerson(pair.claimed, pair.registered) }))
    .filter(({ pair, match }) => isMatch(match) !== pair.isSame);
}

export function ratesOf(pairs: readonly Pair[]): Rates {
  const wrong = mistakes(pairs);
  const share = (isSame: boolean) =>
    wrong.filter(({ pair }) => pair.isSame === isSame).length /
    pairs.filter((pair) => pair.isSame === isSame).length;
  return { falseMatches: share(false), falseNonMatches: share(true) };
}

/** How the pairs are prepared for the yardsticks, which compare only names. */
export const HELP = ['names alone', 'names folded, and our check of dates'] as const;

export type Help = (typeof HELP)[number];

/** Returns the rates of each yardstick at the best threshold for each of our rates. */
export function yardstickRates(pairs: readonly Pair[], ours: Rates, help: Help): YardstickRates[] {
  return Object.entries(YARDSTICKS).map(([name, similarity]) => {
    const scores = pairs.map((pair) => ({ isSame: pair.isSame, score: scoreOf(pair, similarity, help) }));
    const same = scores.filter(({ isSame }) => isSame).map(({ score }) => score);
    const different = scores.filter(({ isSame }) => !isSame).map(({ score }) => score);
    const points = thresholds(same, different);
    const least = (values: readonly number[]) => values.reduce((best, value) => Math.min(best, value), 1);
    return {
      name,
      falseNonMatches: least(
        points
          .filter((point) => point.falseMatches <= ours.falseMatches)
          .map((point) => point.falseNonMatches),
      ),
      falseMatches: least(
        points
          .filter((point) => point.falseNonMatches <= ours.falseNonMatches)
          .map((point) => point.falseMatches),
      ),
    };
  });
}

function scoreOf(
  { claimed, registered }: Pair,
  similarity: (one: string, other: string) => number,
  help: Help,
): number {
  const isHelped = help !== 'names alone';
  const nameOf = ({ firstname = '', middlename = '', lastname = '' }: Pair['claimed']) => {
    const name = [firstname, middlename, lastname].filter((part) => part !== '').join(' ');
    return isHelped ? fold(name) : name.toLowerCase();
  };
  const [one, other] = [readDate(claimed.birthdate ?? ''), readDate(registered.birthdate)];
  if (isHelped && one && other && compareDates(one, other).result === 'none') return 0;
  return similarity(nameOf(claimed), nameOf(registered));
}

/** Returns the rates at every threshold, from the scores of the pairs of each label. */
function thresholds(same: readonly number[], different: readonly number[]): Rates[] {
  const [lows, highs] = [same.toSorted((a, b) => a - b), different.toSorted((a, b) => a - b)];
  const all = [...new Set([...lows, ...highs, 2])].sort((a, b) => a - b);
  let [below, belowDifferent] = [0, 0];
  return all.map((threshold) => {
    while ((lows[below] ?? Number.POSITIVE_INFINITY) < threshold) below += 1;
    while ((highs[belowDifferent] ?? Number.POSITIVE_INFINITY) < threshold) belowDifferent += 1;
    return {
      falseNonMatches: below / same.length,
      falseMatches: (different.length - belowDifferent) / different.length,
    };
  });
}

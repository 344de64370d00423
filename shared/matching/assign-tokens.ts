import { CUT_OFF, compareWords, isCutOff, type WordMatch } from './compare-tokens.ts';
import type { NameWord } from './name-tokens.ts';

export interface WordPair {
  readonly claimed: NameWord;
  readonly registered: NameWord;
  readonly match: WordMatch;
  /** The indexes of the words in the lists of both sides. */
  readonly places: readonly [claimed: number, registered: number];
}

const SAME_FIELD = 0.02;
const NOTHING = -1;

/**
 * Pairs the words of two names so that the sum of the scores is as large as possible. Each word is in at most one pair.
 */
export function assignWords(claimed: readonly NameWord[], registered: readonly NameWord[]): WordPair[] {
  const matches = claimed.map((word) => registered.map((other) => matchOf(word, other)));
  const value = (row: number, column: number) => {
    const score = matches[row]?.[column]?.score ?? 0;
    return score === 0 ? 0 : score + (shareField(claimed[row], registered[column]) ? SAME_FIELD : 0);
  };
  const chosen = bestColumns(claimed.length, registered.length, value);
  return chosen.flatMap((column, row) => {
    const [word, other, match] = [claimed[row], registered[column], matches[row]?.[column]];
    return word && other && match
      ? [{ claimed: word, registered: other, match, places: [row, column] as const }]
      : [];
  });
}

function matchOf(word: NameWord, other: NameWord): WordMatch {
  const isSurname = ({ fields }: NameWord) => fields.length === 1 && fields[0] === 'lastname';
  const match = compareWords(word, other, isSurname(word) && isSurname(other));
  if (match.score > CUT_OFF.score || !(word.mayBeCut || other.mayBeCut)) return match;
  const isCut = (word.mayBeCut && isCutOff(word, other)) || (other.mayBeCut && isCutOff(other, word));
  return isCut ? CUT_OFF : match;
}

function shareField(one: NameWord | undefined, other: NameWord | undefined): boolean {
  return one?.fields.some((field) => other?.fields.includes(field)) ?? false;
}

function bestColumns(
  rows: number,
  columns: number,
  value: (row: number, column: number) => number,
): number[] {
  const candidates = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => column).filter((column) => value(row, column) > 0),
  );
  const single = candidates.map(([column = NOTHING]) => column);
  const used = single.filter((column) => column !== NOTHING);
  const isClear = candidates.every((list) => list.length < 2) && new Set(used).size === used.length;
  return isClear ? single : bestOfMany(rows, columns, value);
}

/** Dynamic programming over the sets of used columns. */
function bestOfMany(rows: number, columns: number, value: (row: number, column: number) => number): number[] {
  const sets = 2 ** columns;
  let totals = new Float64Array(sets).fill(Number.NEGATIVE_INFINITY);
  totals[0] = 0;
  const choices: Int8Array[] = [];
  for (let row = 0; row < rows; row += 1) {
    const next = totals.slice();
    const choice = new Int8Array(sets).fill(NOTHING);
    for (let column = 0; column < columns; column += 1) {
      const gain = value(row, column);
      if (gain === 0) continue;
      for (let set = 0; set < sets; set += 1) {
        const total = (totals[set] ?? 0) + gain;
        const withColumn = set | (1 << column);
        if ((set & (1 << column)) !== 0 || total <= (next[withColumn] ?? 0)) continue;
        next[withColumn] = total;
        choice[withColumn] = column;
      }
    }
    choices.push(choice);
    totals = next;
  }
  return chosenColumns(choices, totals.indexOf(totals.reduce((best, total) => Math.max(best, total), 0)));
}

function chosenColumns(choices: readonly Int8Array[], last: number): number[] {
  let set = last;
  const columns: number[] = [];
  for (const choice of choices.toReversed()) {
    const column = choice[set] ?? NOTHING;
    columns.unshift(column);
    if (column !== NOTHING) set &= ~(1 << column);
  }
  return columns;
}

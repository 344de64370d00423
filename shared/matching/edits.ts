/** One edit that changes one word into another. `index` is the position in the longer word. */
export interface Edit {
  readonly kind: 'swapped' | 'doubled' | 'added' | 'replaced';
  readonly index: number;
  /** The added letter, or the two letters that replace each other. */
  readonly letters: string;
}

/** Returns the edit between two different words, or `undefined` if one edit is not enough. */
export function oneEdit(one: string, other: string): Edit | undefined {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return undefined;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const [left = '', right = ''] = [short[start], long[start]];
  if (short.length < long.length) {
    if (short.slice(start) !== long.slice(start + 1)) return undefined;
    const isDoubled = right === long[start - 1] || right === long[start + 1];
    return { kind: isDoubled ? 'doubled' : 'added', index: start, letters: right };
  }
  if (short.slice(start + 1) === long.slice(start + 1))
    return { kind: 'replaced', index: start, letters: left + right };
  const isSwapped =
    left === long[start + 1] &&
    short[start + 1] === right &&
    short.slice(start + 2) === long.slice(start + 2);
  return isSwapped ? { kind: 'swapped', index: start, letters: left + right } : undefined;
}

/** Whether at most two edits separate two words. The cost is bounded by the lengths, which callers limit. */
export function isWithinTwoEdits(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false;
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  // The first edit is at the first difference: an addition, removal, replacement or swap. At most one more edit
  // follows.
  const rests: readonly (readonly [string, string])[] = [
    [left.slice(1), right],
    [left, right.slice(1)],
    [left.slice(1), right.slice(1)],
    ...(left[0] === right[1] && left[1] === right[0] ? [[left.slice(2), right.slice(2)] as const] : []),
  ];
  return rests.some(([rest, otherRest]) => rest === otherRest || oneEdit(rest, otherRest) !== undefined);
}

/** The rows of letters on a keyboard. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const NEIGHBOURS: ReadonlySet<string> = new Set(
  ROWS.flatMap((row, index) =>
    [...row].flatMap((letter, place) => {
      const below = ROWS[index + 1] ?? '';
      const near = [row[place + 1], below[place - 1], below[place]].filter((key) => key !== undefined);
      return near.flatMap((key) => [letter + key, key + letter]);
    }),
  ),
);

/** Whether two letters are next to each other on a keyboard. */
export function areNeighbours(letters: string): boolean {
  return NEIGHBOURS.has(letters);
}

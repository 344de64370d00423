import { distance } from 'fastest-levenshtein';

/** Well-known measures of the similarity of two strings, from 0 to 1, as yardsticks for the match. */

export function levenshtein(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  return longest === 0 ? 1 : 1 - distance(one, other) / longest;
}

const PREFIX_WEIGHT = 0.1;
const LONGEST_PREFIX = 4;

/** Returns the measure of Winkler (1990): Jaro's measure, with a bonus for a common prefix. */
export function jaroWinkler(one: string, other: string): number {
  const similarity = jaro(one, other);
  let prefix = 0;
  while (prefix < LONGEST_PREFIX && prefix < one.length && one[prefix] === other[prefix]) prefix += 1;
  return similarity + prefix * PREFIX_WEIGHT * (1 - similarity);
}

function jaro(one: string, other: string): number {
  if (one === other) return 1;
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1);
  const taken = new Set<number>();
  const common: string[] = [];
  for (const [index, letter] of [...one].entries())
    for (
      let place = Math.max(0, index - reach);
      place <= Math.min(other.length - 1, index + reach);
      place += 1
    )
      if (other[place] === letter && !taken.has(place)) {
        taken.add(place);
        common.push(letter);
        break;
      }
  if (common.length === 0) return 0;
  const others = [...taken].sort((a, b) => a - b).map((place) => other[place]);
  const moved = common.filter((letter, index) => letter !== others[index]).length / 2;
  const { length } = common;
  return (length / one.length + length / other.length + (length - moved) / length) / 3;
}

/**
 * Returns the measure of Monge and Elkan (1996): for each word of one string, the best similarity to a word of the
 * other string, averaged over the words.
 */
export function mongeElkan(
  one: string,
  other: string,
  similarity: (a: string, b: string) => number = jaroWinkler,
): number {
  const [words, others] = [one.split(' '), other.split(' ')];
  const best = words.map((word) => Math.max(...others.map((candidate) => similarity(word, candidate))));
  return best.reduce((sum, value) => sum + value, 0) / best.length;
}

/**
 * The rules of Philips (1990), in order. `0` stands for the sound of th, X for that of sh, and s for an S that no later
 * rule changes.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/([^C])\1+/g, '$1'],
  [/^[GKP]N/, 'N'],
  [/^AE/, 'E'],
  [/^WR/, 'R'],
  [/^WH/, 'W'],
  [/^X/, 'S'],
  [/MB$/, 'M'],
  [/TCH/g, 'X'],
  [/CIA|CH/g, 'X'],
  [/SC(?=[EIY])/g, 's'],
  [/C(?=[EIY])/g, 's'],
  [/CK|C/g, 'K'],
  [/DG(?=[EIY])/g, 'J'],
  [/D/g, 'T'],
  [/GH(?=[^AEIOU]|$)/g, ''],
  [/GN(?=$|ED$)/g, 'N'],
  [/(?<!G)G(?=[EIY])/g, 'J'],
  [/G/g, 'K'],
  [/PH/g, 'F'],
  [/Q/g, 'K'],
  [/SH|S(?=I[AO])|T(?=I[AO])/g, 'X'],
  [/TH/g, '0'],
  [/H(?![AEIOU])/g, ''],
  [/(?<=[CGPST])H/g, ''],
  [/V/g, 'F'],
  [/[WY](?![AEIOU])/g, ''],
  [/X(?=KS)/g, 'KS'],
  [/Z/g, 'S'],
  [/(?<=.)[AEIOU]/g, ''],
  [/s/g, 'S'],
];

export function metaphone(word: string): string {
  // A written X becomes KS first, because X stands for a sound in the rules.
  const upper = word.toUpperCase().replace(/(?<=.)X/g, 'KS');
  return RULES.reduce((code, [pattern, sound]) => code.replace(pattern, sound), upper);
}

export function metaphoneSimilarity(one: string, other: string): number {
  const codes = (text: string) => text.split(' ').map(metaphone).join(' ');
  return levenshtein(codes(one), codes(other));
}

export const YARDSTICKS: Readonly<Record<string, (one: string, other: string) => number>> = {
  'Jaro-Winkler': jaroWinkler,
  Levenshtein: levenshtein,
  Metaphone: metaphoneSimilarity,
  // Compares the name with fewer words with the other, so that a missing middle name costs nothing.
  'Monge-Elkan': (one, other) =>
    one.split(' ').length <= other.split(' ').length ? mongeElkan(one, other) : mongeElkan(other, one),
};

import elements from './data/elements.json' with { type: 'json' };
import givenNames from './data/given-names.json' with { type: 'json' };
import knownNames from './data/known-names.json' with { type: 'json' };
import spellings from './data/spellings.json' with { type: 'json' };

/** The letters and the edge of a word. */
const SIGNS = 27;
const codeAt = (word: string, index: number) => {
  const code = word.charCodeAt(index) - 96;
  return code >= 1 && code < SIGNS ? code : 0;
};

let counts: Uint16Array | undefined;

/**
 * Returns how often the rarest three signs in a row of a folded word occur in the tables of names. A typing mistake
 * usually leaves letters in an order that no name has; a name that is missing in the tables usually does not.
 */
export function rarestLetters(word: string): number {
  counts ??= countLetters();
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < word.length; index += 1)
    least = Math.min(least, counts[threeAt(word, index)] ?? 0);
  return least;
}

/** Returns the number of the three signs around a letter. */
function threeAt(word: string, index: number): number {
  return (codeAt(word, index - 1) * SIGNS + codeAt(word, index)) * SIGNS + codeAt(word, index + 1);
}

function countLetters(): Uint16Array {
  const found = new Uint16Array(SIGNS ** 3);
  const given = [givenNames.muslim, givenNames.others].flatMap(({ male, female }) => [...male, ...female]);
  const parts = elements.families.flatMap(({ heads, tails }) => [...heads, ...tails]);
  const firstOfEach = spellings.groups.map((group) => group.split(' ', 1)[0] ?? '');
  for (const line of [...given, ...parts, ...knownNames.names, ...firstOfEach])
    for (const word of line.split(' '))
      for (let index = 0; index < word.length; index += 1) {
        const three = threeAt(word, index);
        found[three] = (found[three] ?? 0) + 1;
      }
  return found;
}

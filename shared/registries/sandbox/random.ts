import { createHash } from 'node:crypto';

/** Pseudo-random choices that depend only on a seed, so that the same number always has the same record. */
export interface Random {
  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Returns an element of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
  digits(count: number): string;
}

const BYTES_PER_VALUE = 6;
const VALUES_PER_HASH = 5;

/** Derives values from the SHA-256 of the seed and a position, so that neighbouring numbers have unrelated records. */
export function seededRandom(seed: string): Random {
  let position = 0;
  let hash = Buffer.alloc(0);
  const below = (limit: number): number => {
    const index = position % VALUES_PER_HASH;
    if (index === 0) hash = createHash('sha256').update(`${seed}/${position}`).digest();
    position += 1;
    return hash.readUIntBE(index * BYTES_PER_VALUE, BYTES_PER_VALUE) % limit;
  };
  return {
    below,
    pick(list) {
      const chosen = list[below(list.length)];
      if (chosen === undefined) throw new Error('The list is empty.');
      return chosen;
    },
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  };
}

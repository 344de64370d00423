import { createHash } from 'node:crypto';

/** A stream of choices that depends on nothing but its seed: the same number gives the same person for ever. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
  /** So many decimal digits. */
  digits(count: number): string;
}

const BYTES_A_DRAW = 6;
const DRAWS_A_HASH = 5;

/** SHA-256 of seed and position, so that neighbouring numbers have nothing in common; five draws of 48 bits a hash. */
export function drawsOf(seed: string): Random {
  let position = 0;
  let hash = Buffer.alloc(0);
  const below = (limit: number): number => {
    const place = position % DRAWS_A_HASH;
    if (place === 0) hash = createHash('sha256').update(`${seed}/${position}`).digest();
    position += 1;
    return hash.readUIntBE(place * BYTES_A_DRAW, BYTES_A_DRAW) % limit;
  };
  return {
    below,
    pick(list) {
      const chosen = list[below(list.length)];
      if (chosen === undefined) throw new Error('There is nothing to pick from.');
      return chosen;
    },
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  };
}

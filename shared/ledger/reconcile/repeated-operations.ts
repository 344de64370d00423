import { createHash } from 'node:crypto';
import { chargePk } from '../../core/keys.ts';
import type { OperationFact } from './operation-facts.ts';
import { type Difference, difference, operationSubject } from './rows.ts';

/** 2^28 bits, of which each operation sets 4: about 1 in 1,000 of 20 million operations is suspected by mistake. */
const BITS = 2 ** 28;
const BITS_OF_OPERATION = 4;

const keyOf = ({ wallet, operationId }: Pick<OperationFact, 'wallet' | 'operationId'>) =>
  chargePk(wallet, operationId);

/**
 * Finds the operations that have several log rows, whatever their tags, outcomes and times, among millions of
 * operations in 32 MB of memory. A Bloom filter shows which operations may have been seen before. The rows of these
 * suspects are then read again and counted.
 */
export class RepeatedOperations {
  #bits: Uint8Array | undefined;
  readonly #suspects = new Map<string, OperationFact[]>();

  get hasSuspects(): boolean {
    return this.#suspects.size > 0;
  }

  /** Adds a log row in the first reading of the table. */
  add(fact: OperationFact): void {
    this.#bits ??= new Uint8Array(BITS / 8);
    const key = keyOf(fact);
    const hash = createHash('sha256').update(key).digest();
    let isNew = false;
    for (let index = 0; index < BITS_OF_OPERATION; index += 1) {
      const bit = hash.readUInt32BE(index * 4) % BITS;
      const [byte, mask] = [bit >>> 3, 1 << (bit & 7)];
      const old = this.#bits[byte] ?? 0;
      isNew ||= (old & mask) === 0;
      this.#bits[byte] = old | mask;
    }
    if (!isNew) this.#suspects.set(key, []);
  }

  /** Counts a log row in the second reading, if its operation is suspected. */
  count(fact: OperationFact): void {
    this.#suspects.get(keyOf(fact))?.push(fact);
  }

  /** Returns a difference for each operation with several rows in the second reading. */
  differences(): Difference[] {
    return [...this.#suspects.values()].flatMap((rows) => {
      const [first, ...others] = rows;
      if (!first || others.length === 0) return [];
      return [difference('several-logs', first.wallet, operationSubject(first), 1, rows.length)];
    });
  }
}

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Row } from '../../core/database.ts';

/**
 * The sums of a set of rows, so that two sets can be compared in little memory: their number, their credits and a
 * combination of their fingerprints. The sums of equal sets are equal.
 */

export const tally = v.object({
  count: v.number(),
  /** Whole credits. */
  credits: v.number(),
  /** XOR of the first 64 bits of each row's SHA-256, in two halves. It does not depend on the order of the rows. */
  high: v.number(),
  low: v.number(),
});
type Tally = v.InferOutput<typeof tally>;

export const emptyTally = (): Tally => ({ count: 0, credits: 0, high: 0, low: 0 });

/** Adds a row that `text` describes completely. */
export function addToTally(to: Tally, credits: number, text: string): void {
  const fingerprint = createHash('sha256').update(text).digest();
  to.count += 1;
  to.credits += credits;
  to.high ^= fingerprint.readInt32BE(0);
  to.low ^= fingerprint.readInt32BE(4);
}

/** Returns a tally as text, which is the same for equal sets of rows. Contains no identity data. */
export function tallyText({ count, credits, high, low }: Tally): string {
  return [count, credits, high, low].join(' ');
}

/**
 * Returns the attributes of a flat item as text, independent of their order. `names` selects some of them. @default all
 */
export function itemText(item: Row, names: readonly string[] = Object.keys(item).sort()): string {
  return JSON.stringify(names.map((name) => [name, item[name] ?? null]));
}

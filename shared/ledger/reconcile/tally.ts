import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Row } from '../../core/database.ts';

/** Compares two sets of rows in little memory: equal sets have equal sums. */

export const tally = v.object({
  count: v.number(),
  /** Whole credits. */
  credits: v.number(),
  /** XOR of the first 64 bits of each row's SHA-256, so the order does not matter. */
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

/** The XOR of the first 64 bits of two sets' hashes, in hexadecimal. Undefined if one is unknown. */
export function xorOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  return (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(16).padStart(NO_XOR.length, '0');
}
export const NO_XOR = '0'.repeat(16);

/** Contains no identity data. */
export function tallyText({ count, credits, high, low }: Tally): string {
  return [count, credits, high, low].join(' ');
}

/**
 * Returns the attributes of a flat item as text, independent of their order. `names` selects some of them. @default all
 */
export function itemText(item: Row, names: readonly string[] = Object.keys(item).sort()): string {
  return JSON.stringify(names.map((name) => [name, item[name] ?? null]));
}

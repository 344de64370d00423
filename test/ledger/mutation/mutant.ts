import { randomCases } from '../../support/sample.ts';
import type { Style } from '../plan.ts';

/**
 * A change to the service's source text. Patches create variants of the protocol, and the mutation gate checks that the
 * histories detect each broken variant.
 */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  readonly patches: readonly [Patch, ...Patch[]];
  readonly style?: Style;
  /** Whether the variant is detected only if shards are limited to a few holds. */
  readonly needsSmallLimit?: true;
}

export const LEDGER = 'shared/ledger';
/**
 * Returns a variant with one patch. `file` is relative to the ledger, or to the project if it begins with `shared/`.
 */
export const mutant = (name: string, file: string, find: string, replace: string, style?: Style): Mutant => ({
  name,
  patches: [{ file: file.startsWith('shared/') ? file : `${LEDGER}/${file}`, find, replace }],
  ...(style && { style }),
});

/** The options of every gate, for `parseArgs`. */
export const GATE_OPTIONS = {
  seed: { type: 'string', default: '1' },
  workers: { type: 'string', default: '2' },
  /** Runs only the variants whose names contain this string. */
  only: { type: 'string', default: '' },
  /** Runs only this many random variants. */
  sample: { type: 'string' },
} as const;

/** Returns the variants whose names contain `only`, or a random sample of them. */
export function chooseMutants(
  mutants: readonly Mutant[],
  { only, sample }: { readonly only: string; readonly sample?: string | undefined },
): readonly Mutant[] {
  const named = mutants.filter(({ name }) => name.includes(only));
  if (sample === undefined) return named;
  return randomCases(named, Number(sample));
}

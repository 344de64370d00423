import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small fault in the code that a reviewer could miss, and the test file of `npm test` that fails because of it. */
export interface Mutant {
  readonly area: string;
  /** Relative to the project, like `killedBy`. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly killedBy: string;
}

type ListedMutant = Omit<Mutant, 'area'>;
const AREAS: Readonly<Record<string, readonly ListedMutant[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'list.json'), 'utf8'),
);

export const MUTANTS: readonly Mutant[] = Object.entries(AREAS).flatMap(([area, listed]) =>
  listed.map((mutant) => ({ area, ...mutant })),
);

/** Returns the text of a file with the fault. Throws unless the text to replace occurs exactly once. */
export function mutate(text: string, { file, find, replace }: Mutant): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file}: must contain this text exactly once: ${find}`);
  return before + replace + after;
}

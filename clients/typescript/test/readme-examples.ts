import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the TypeScript examples in the README. Each is a module that runs alone. */
export function readmeExamples(): string[] {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

import { readFileSync } from 'node:fs';

/** Returns the context of cdk.json with additional values, for example the stage. */
export function context(more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  return { ...flags, 'aws:cdk:enable-path-metadata': true, ...more };
}

import { readFileSync } from 'node:fs';

export function context(more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  return { ...flags, 'aws:cdk:enable-path-metadata': true, ...more };
}

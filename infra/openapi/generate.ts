import { readFileSync, writeFileSync } from 'node:fs';
import { ROUTES } from '../routes.ts';
import { withCodeTable } from './code-table.ts';
import { apiDocument } from './document.ts';
import type { Examples } from './example-names.ts';

/** `npm run openapi`: writes docs/openapi.json, which functions/openapi.ts serves, and the codes in docs/api.md. */

const DOCUMENT_FILE = new URL('../../docs/openapi.json', import.meta.url);
export const PAGE_FILE = new URL('../../docs/api.md', import.meta.url);
export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}

/** The document as it is committed: the same text for the same sources. */
export function documentText(): string {
  return `${JSON.stringify(apiDocument(ROUTES, readExamples()), null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(DOCUMENT_FILE, documentText());
  writeFileSync(PAGE_FILE, withCodeTable(readFileSync(PAGE_FILE, 'utf8')));
}

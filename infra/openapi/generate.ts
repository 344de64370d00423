import { readFileSync, writeFileSync } from 'node:fs';
import dependencies from '../../docs/dependencies.json' with { type: 'json' };
import { ROUTES } from '../routes.ts';
import { SAMPLE_PAGES, withSamples } from '../site/samples.ts';
import { withErrorTables } from './code-table.ts';
import { withConsoleTables } from './console-tables.ts';
import { withDependencyTable } from './dependency-table.ts';
import { apiDocument } from './document.ts';
import { readExamples } from './examples.ts';

/**
 * `npm run openapi`: writes docs/openapi.json (which functions/openapi.ts serves), the tables of errors in
 * docs/guides/api.md, the tables in docs/operate/console.md, the dependencies in docs/design/architecture.md, and code samples.
 */

const DOCUMENT_FILE = new URL('../../docs/openapi.json', import.meta.url);
export const PAGE_FILE = new URL('../../docs/guides/api.md', import.meta.url);
const ARCHITECTURE_FILE = new URL('../../docs/design/architecture.md', import.meta.url);
const CONSOLE_FILE = new URL('../../docs/operate/console.md', import.meta.url);

/** Returns the text of docs/openapi.json. The same sources always give the same text. */
export function documentText(): string {
  return `${JSON.stringify(apiDocument(ROUTES, readExamples()), null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(DOCUMENT_FILE, documentText());
  writeFileSync(PAGE_FILE, withErrorTables(readFileSync(PAGE_FILE, 'utf8')));
  writeFileSync(CONSOLE_FILE, withConsoleTables(readFileSync(CONSOLE_FILE, 'utf8')));
  const architecture = readFileSync(ARCHITECTURE_FILE, 'utf8');
  writeFileSync(ARCHITECTURE_FILE, withDependencyTable(architecture, dependencies));
  for (const page of SAMPLE_PAGES) writeFileSync(page, withSamples(readFileSync(page, 'utf8')));
}

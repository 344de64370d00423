import { readFileSync, writeFileSync } from 'node:fs';
import dependencies from '../../docs/dependencies.json' with { type: 'json' };
import { ROUTES } from '../routes.ts';
import { readDocument } from '../site/document.ts';
import { SAMPLE_PAGES, withSamples } from '../site/samples.ts';
import { withConsoleTables } from './console-tables.ts';
import { withDependencyTable } from './dependency-table.ts';
import { apiDocument } from './document.ts';
import { readExamples } from './examples.ts';
import { GUIDE_TABLES, withGuideTables } from './guide-tables.ts';
import { postmanCollection } from './postman.ts';
import { pythonFakeData } from './python-fake.ts';
import { pythonModels } from './python-models.ts';
import { typescriptModels } from './typescript-models.ts';

/**
 * `npm run openapi`: writes docs/openapi.json (which functions/openapi.ts serves), the Postman collection, the types of
 * both clients, the data of the Python client's fake, the tables of the guides and of docs/operate/registries.md, the tables in docs/operate/console.md, the
 * dependencies in docs/design/architecture.md, and code samples.
 */

const DOCUMENT_FILE = new URL('../../docs/openapi.json', import.meta.url);
const POSTMAN_FILE = new URL('../../docs/postman_collection.json', import.meta.url);
const TYPESCRIPT_MODELS_FILE = new URL('../../clients/typescript/src/models.ts', import.meta.url);
const PYTHON_MODELS_FILE = new URL('../../clients/python/src/ng_identity/_models.py', import.meta.url);
const PYTHON_FAKE_FILE = new URL('../../clients/python/src/ng_identity/_service_data.json', import.meta.url);
const ARCHITECTURE_FILE = new URL('../../docs/design/architecture.md', import.meta.url);
const CONSOLE_FILE = new URL('../../docs/operate/console.md', import.meta.url);

/** Returns the text of docs/openapi.json. The same sources always give the same text. */
export function documentText(): string {
  return `${JSON.stringify(apiDocument(ROUTES, readExamples()), null, 2)}\n`;
}

/** Returns the text of docs/postman_collection.json, which the document in docs/openapi.json determines. */
export function collectionText(): string {
  return `${JSON.stringify(postmanCollection(readDocument()), null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(DOCUMENT_FILE, documentText());
  writeFileSync(POSTMAN_FILE, collectionText());
  writeFileSync(TYPESCRIPT_MODELS_FILE, typescriptModels(readDocument()));
  writeFileSync(PYTHON_MODELS_FILE, pythonModels(readDocument()));
  writeFileSync(PYTHON_FAKE_FILE, pythonFakeData());
  for (const path of Object.keys(GUIDE_TABLES)) {
    const file = new URL(`../../${path}`, import.meta.url);
    writeFileSync(file, withGuideTables(path, readFileSync(file, 'utf8')));
  }
  writeFileSync(CONSOLE_FILE, withConsoleTables(readFileSync(CONSOLE_FILE, 'utf8')));
  const architecture = readFileSync(ARCHITECTURE_FILE, 'utf8');
  writeFileSync(ARCHITECTURE_FILE, withDependencyTable(architecture, dependencies));
  for (const page of SAMPLE_PAGES) writeFileSync(page, withSamples(readFileSync(page, 'utf8')));
}

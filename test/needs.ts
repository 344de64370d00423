import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** What must run before a test file: the local service, DynamoDB Local alone, or nothing. */
export type Need = 'service' | 'tables' | 'nothing';

const ROOT = resolve(import.meta.dirname, '..');
/** A test declares a need by importing, directly or indirectly, the module that provides it. The first match wins. */
const GIVEN_BY: readonly (readonly [module: string, need: Need])[] = [
  ['test/support/local-service.ts', 'service'],
  ['infra/local/aws/dynamodb-local.ts', 'tables'],
];

/** Returns what a test file needs. `file` is absolute, or relative to the project. */
export function needOf(file: string): Need {
  const modules = new Set<string>();
  const waiting = [resolve(ROOT, file)];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (modules.has(module)) continue;
    modules.add(module);
    waiting.push(...importsOf(module));
  }
  return GIVEN_BY.find(([module]) => modules.has(resolve(ROOT, module)))?.[1] ?? 'nothing';
}

const IMPORT = /^(?:im|ex)port (?!type )[^;']*?'(\.[^']+\.ts)'|\bimport\('(\.[^']+\.ts)'\)/gm;
const known = new Map<string, string[]>();

/** Returns the project's modules that this module loads. Imports of types load nothing. */
function importsOf(module: string): string[] {
  const imports = known.get(module) ?? (existsSync(module) ? readImports(module) : []);
  known.set(module, imports);
  return imports;
}

function readImports(module: string): string[] {
  const matches = readFileSync(module, 'utf8').matchAll(IMPORT);
  return [...matches].map(([, fixed, dynamic]) => resolve(dirname(module), fixed ?? dynamic ?? ''));
}

/** Returns the suite of a test file: its directory in `test`, or in `test/rigs`. */
export function suiteOf(file: string): string {
  const parts = relative(ROOT, resolve(ROOT, file)).split('/');
  return parts.slice(0, parts[1] === 'rigs' ? 3 : 2).join('/');
}

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import type { File } from '@babel/types';
import { allNodes, nameOf, parseSource, ROOT, type Source } from './project.ts';

/** How large the project is. `allowed-size.json` holds the largest permitted figures. */

/** Tables of names, banks and texts of other people, which are not counted as code. */
export const DATA = [
  'shared/matching/data/*.json',
  'shared/registries/sandbox/{names,towns}.ts',
  'shared/registries/mapping/bank-rows.ts',
];
/** Written by a program, with whose output a test compares them. */
const GENERATED_FILES = [
  'clients/python/src/ng_identity/{_client,_models}.py',
  'clients/typescript/src/models.ts',
];
const PRODUCT = '{functions,shared,infra,clients}/**/*.{ts,tsx,mjs,css,py}';
const TESTS = ['test/**/*.{ts,js,py}', 'clients/{python/tests,typescript/test}/**/*.{ts,py}'];
const IGNORED = /(^|\/)(node_modules|cdk\.out|\.local|\.venv|dist|build)\//;

const isOneOf = (path: string, patterns: readonly string[]) =>
  patterns.some((pattern) => matchesGlob(path, pattern));

function read(...patterns: string[]): Map<string, string> {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules'] }));
  const kept = [...new Set(paths)].filter((path) => !IGNORED.test(path)).sort();
  return new Map(kept.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;
/** Lines that are not blank, so that reformatting earns little. */
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length;

/** Sections of a page that a program writes. */
const GENERATED =
  /<!-- ([\w ]+): (?:begin|written by .*?) -->[\s\S]*?<!-- (?:\1: end|\/\1) -->|<!-- (\w+) of \w+: written by .*? -->[\s\S]*?<!-- \/\2 -->/g;

export const ALLOWED_FILE = join(ROOT, 'test/house/allowed-size.json');

export const allowedFigures = (): Record<string, number> => JSON.parse(readFileSync(ALLOWED_FILE, 'utf8'));

export interface Size {
  readonly figures: Readonly<Record<string, number>>;
  /** The product's files, without data and generated files. */
  readonly product: ReadonlySet<string>;
}

export function measure(): Size {
  const all = read(PRODUCT, ...DATA);
  const excluded = [...DATA, ...GENERATED_FILES, ...TESTS];
  const product = new Map([...all].filter(([path]) => !isOneOf(path, excluded)));
  const data = [...all].filter(([path]) => isOneOf(path, DATA));
  const tests = read(...TESTS);
  const sources = [...product]
    .filter(([path]) => /\.tsx?$/.test(path))
    .map(([path, text]) => parseSource(path, text));
  const pages = read('*.md', '{docs,clients,infra,test}/**/*.md');
  const isApart = (path: string) => /CHANGELOG\.md$|^docs\/(design\/)?decisions\//.test(path);
  const written = [...pages].filter(([path]) => !isApart(path));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    product: new Set(product.keys()),
    figures: {
      'product lines': sum([...product.values()].map(linesOf)),
      'product files': product.size,
      'data lines': sum(data.map(([, text]) => linesOf(text))),
      'test lines': sum([...tests.values()].map(linesOf)),
      'written words': sum(written.map(([, text]) => wordsOf(text.replace(GENERATED, '')))),
      'words of changelogs and decisions': sum(
        [...pages].filter(([path]) => isApart(path)).map(([, text]) => wordsOf(text)),
      ),
      'words of texts in code': sum(sources.map(wordsOfTexts)),
      'comment words per 100 lines': commentDensity(sources, product),
      dependencies: Object.keys(dependencies).length,
      'development dependencies': Object.keys(devDependencies).length,
      'exported types without an importer': unusedTypes(sources, tests).length,
    },
  };
}

/** Returns the generated words, which nothing limits. */
export const generatedWords = (): number =>
  sum(
    [...read('*.md', '{docs,clients,infra,test}/**/*.md').values()].flatMap((text) =>
      (text.match(GENERATED) ?? []).map(wordsOf),
    ),
  );

/** Counts the words of texts for people: literals with at least three words. */
function wordsOfTexts(source: Source): number {
  return sum(
    allNodes(source).map((node) => {
      const text =
        node.type === 'StringLiteral' || node.type === 'JSXText'
          ? node.value
          : node.type === 'TemplateElement'
            ? node.value.raw
            : '';
      const words = wordsOf(text);
      return words >= 3 ? words : 0;
    }),
  );
}

function commentDensity(sources: readonly Source[], texts: ReadonlyMap<string, string>): number {
  const comments = sources.flatMap(({ tree }) => tree.comments ?? []);
  const code = sources.map(({ path, tree }) => linesOf(withoutComments(texts.get(path) ?? '', tree)));
  return Math.round(
    (100 * sum(comments.map(({ value }) => wordsOf(value.replaceAll('*', ' '))))) / sum(code),
  );
}

function withoutComments(text: string, { comments }: File): string {
  const parts = (comments ?? []).map(({ start, end }) => [start ?? 0, end ?? 0] as const);
  return parts.reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
}

/** Returns `path: name` of each exported type that no other file imports. */
export function unusedTypes(sources: readonly Source[], tests: ReadonlyMap<string, string>): string[] {
  const others = [...tests]
    .filter(([path]) => /\.ts$/.test(path))
    .map(([path, text]) => parseSource(path, text));
  const imported = new Set([...sources, ...others].flatMap(importedNames));
  return sources.flatMap((source) =>
    source.tree.program.body
      .filter((node) => node.type === 'ExportNamedDeclaration')
      .map(({ declaration }) => declaration)
      .filter((node) => node?.type === 'TSInterfaceDeclaration' || node?.type === 'TSTypeAliasDeclaration')
      .map((node) => `${source.path}: ${nameOf(node.id)}`)
      .filter((name) => !imported.has(name)),
  );
}

/** Returns `path: name` of each name that a file imports from another file of the project. */
function importedNames({ path, tree }: Source): string[] {
  return tree.program.body.flatMap((node) => {
    const isReExport = node.type === 'ExportNamedDeclaration' && node.source;
    if (node.type !== 'ImportDeclaration' && !isReExport) return [];
    const from = node.source?.value ?? '';
    if (!from.startsWith('.')) return [];
    const module = join(dirname(path), from);
    return node.specifiers.map((one) => {
      if (one.type === 'ImportSpecifier') return `${module}: ${nameOf(one.imported)}`;
      return one.type === 'ExportSpecifier' ? `${module}: ${nameOf(one.local)}` : `${module}: *`;
    });
  });
}

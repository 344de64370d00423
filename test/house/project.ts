import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** The input of the house rules: all product sources as syntax trees, and the texts that describe them. */
export interface Project {
  readonly sources: readonly Source[];
  /** The sources, the tests, Markdown pages and JSON files, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** All files of the project, including those that are not read. */
  readonly files: ReadonlySet<string>;
}

export interface Source {
  /** The path from the project's root. */
  readonly path: string;
  readonly tree: File;
  readonly imports: readonly Import[];
}

export interface Import {
  /** A path from the project's root, or a package name. */
  readonly module: string;
  readonly isType: boolean;
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = '{functions,shared,infra,clients/{operator,console}}/**/*.{ts,tsx}';
const CLIENTS = 'clients/{python,typescript}/{pyproject.toml,package.json,src/**/{__init__.py,index.ts}}';
const TEXTS = ['*.{md,json}', 'docs/**/*.{md,json}', '{clients,infra}/**/*.md', 'test/**/*.ts', CLIENTS];
const IGNORED = /(^|\/)(node_modules|cdk\.out|\.local)\//;

function list(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules'] })
    .filter((path) => !IGNORED.test(path))
    .sort();
}

function read(pattern: string): [string, string][] {
  return list(pattern).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]);
}

export function readProject(): Project {
  return {
    sources: read(SOURCES).map(([path, text]) => parseSource(path, text)),
    texts: new Map([...read(SOURCES), ...TEXTS.flatMap(read)]),
    files: new Set(list('**/*')),
  };
}

/** Returns the project with one file added or replaced. */
export function withFile({ sources, texts, files }: Project, path: string, text: string): Project {
  const isSource = matchesGlob(path, SOURCES);
  const others = sources.filter((source) => source.path !== path);
  return {
    sources: isSource ? [...others, parseSource(path, text)] : sources,
    texts: new Map([...texts, [path, text]]),
    files: new Set([...files, path]),
  };
}

export function withoutFile({ sources, texts, files }: Project, path: string): Project {
  return {
    sources: sources.filter((source) => source.path !== path),
    texts: new Map([...texts].filter(([name]) => name !== path)),
    files: new Set([...files].filter((name) => name !== path)),
  };
}

export function parseSource(path: string, text: string): Source {
  const tree = parse(text, {
    sourceType: 'module',
    plugins: path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'],
  });
  return { path, tree, imports: importsOf(path, tree) };
}

function importsOf(path: string, tree: File): Import[] {
  return nodesOf(tree).flatMap((node): Import[] => {
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration')
      return [moduleOf(path, node.source.value, isTypeOnly(node))];
    if (node.type === 'ExportNamedDeclaration' && node.source)
      return [moduleOf(path, node.source.value, node.exportKind === 'type')];
    const [argument] = node.type === 'CallExpression' ? node.arguments : [];
    const isDynamic = node.type === 'CallExpression' && ['import', 'require'].includes(calleeName(node));
    return isDynamic && argument?.type === 'StringLiteral' ? [moduleOf(path, argument.value, false)] : [];
  });
}

function isTypeOnly(node: Node): boolean {
  if (node.type !== 'ImportDeclaration') return false;
  const { specifiers } = node;
  const areTypes = specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type');
  return node.importKind === 'type' || (specifiers.length > 0 && areTypes);
}

function moduleOf(path: string, name: string, isType: boolean): Import {
  return { module: name.startsWith('.') ? join(dirname(path), name) : name, isType };
}

const NOT_CHILDREN = new Set(['loc', 'extra', 'errors', 'tokens', 'comments', 'range']);
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => !NOT_CHILDREN.has(key) && !key.endsWith('Comments'))
    .flatMap(([, value]) => value)
    .filter(isNode);
}

/** Returns a node and everything below it, in source order. */
export function nodesOf(node: Node): Node[] {
  const found: Node[] = [];
  const visit = (one: Node) => {
    found.push(one);
    for (const child of childrenOf(one)) visit(child);
  };
  visit(node);
  return found;
}

/**
 * Returns `name` for `name(...)`, `new name(...)` and `object.name(...)`, `import` for `import(...)`, or else the empty
 * string.
 */
export function calleeName(node: Node): string {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return '';
  const { callee } = node;
  if (callee.type === 'Import') return 'import';
  if (callee.type === 'MemberExpression') return nameOf(callee.property);
  return nameOf(callee);
}

/** Returns the name or text of an identifier, a string or a key; empty for any other node. */
export function nameOf(node: Node | null | undefined): string {
  if (node?.type === 'Identifier') return node.name;
  return node?.type === 'StringLiteral' ? node.value : '';
}

export const lineOf = (node: Node): number => node.loc?.start.line ?? 0;

export function find<T extends Node['type']>(source: Source, type: T): Extract<Node, { type: T }>[] {
  const isWanted = (node: Node): node is Extract<Node, { type: T }> => node.type === type;
  return allNodes(source).filter(isWanted);
}

const nodeCache = new WeakMap<Source, Node[]>();

export function allNodes(source: Source): Node[] {
  const nodes = nodeCache.get(source) ?? nodesOf(source.tree);
  nodeCache.set(source, nodes);
  return nodes;
}

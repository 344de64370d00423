import { basename, dirname, join } from 'node:path';
import type { Node } from '@babel/types';
import { OPERATOR_PAGES } from '../../clients/operator/pages/operator-pages.ts';
import { withConsoleTables } from '../../infra/openapi/console-tables.ts';
import { type Dependency, withDependencyTable } from '../../infra/openapi/dependency-table.ts';
import { GUIDE_TABLES, withGuideTables } from '../../infra/openapi/guide-tables.ts';
import {
  CATALOGUE,
  CONSOLE_CATALOGUE,
  type ConsoleCode,
  type ErrorCode,
  entryOf,
} from '../../shared/core/errors.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { calleeName, find, nameOf, nodesOf, type Project, type Source } from './project.ts';
import { differences, type Rule } from './rules.ts';

/** Rules that compare the documents with the code: their lists are complete, and what they name exists. */

const ARCHITECTURE = 'docs/design/architecture.md';
const FLOWS_PAGE = 'docs/design/flows.md';
const CHECKS_PAGE = 'docs/design/checks.md';

function pagesOf({ texts }: Project): [string, string][] {
  return [...texts].filter(([path]) => path.endsWith('.md') && !path.startsWith('docs/releases/'));
}

function sourceOf({ sources }: Project, path: string): Source | undefined {
  return sources.find((source) => source.path === path);
}

// The order of checks.

/** The chains of one kind: their checks in order, the table that documents them, and the folders of their middleware. */
interface Chains {
  readonly source: string;
  readonly checks: (project: Project) => string[];
  /** The title of the table's first column. */
  readonly title: string;
  readonly folders: RegExp;
}

const ENGINE = 'shared/http/chain.ts';

const CHAINS: readonly Chains[] = [
  {
    source: 'shared/verifications/middleware/charged-route.ts',
    checks: (project) =>
      checksIn(project, [
        [ENGINE, 'chain'],
        ['shared/accounts/middleware/keyed-route.ts', 'callerChecks'],
        ['shared/accounts/middleware/keyed-route.ts', 'keyedRoute'],
        ['shared/verifications/middleware/charged-route.ts', 'chargedChain'],
      ]),
    title: 'check',
    folders: /^shared\/(?!members\/)[^/]+\/middleware\//,
  },
  {
    source: 'shared/members/middleware/console-route.ts',
    checks: (project) =>
      checksIn(project, [
        [ENGINE, 'chain'],
        ['shared/http/console/chain.ts', 'consoleChain'],
        ['shared/members/middleware/console-route.ts', 'consoleRoute'],
      ]),
    title: 'check of the console',
    folders: /^shared\/(members|http\/console)\/middleware\//,
  },
];

/**
 * Returns the middleware of all chains of one kind, in order, as these functions list them and routes extend them. The
 * chain of charged look-ups, or that for members, contains all of them.
 */
function checksIn(project: Project, lists: readonly (readonly [string, string])[]): string[] {
  const names = lists.flatMap(([path, name]) => middlewareIn(functionNamed(sourceOf(project, path), name)));
  const inOrder = names.flatMap((name) => (name.startsWith('...of') ? extraChecks(project, name) : [name]));
  return inOrder.filter((name) => !name.startsWith('...')).map(kebabCase);
}

/** Returns the checks that routes add to a chain under this name, such as `...ofBody`. */
function extraChecks({ sources }: Project, name: string): string[] {
  return sources
    .filter(({ path }) => /^shared\/[^/]+\/routes\//.test(path))
    .flatMap((source) => find(source, 'ObjectProperty'))
    .filter(({ key }) => `...${nameOf(key)}` === name)
    .flatMap(({ value }) => middlewareIn(value));
}

function functionNamed(source: Source | undefined, name: string): Node | undefined {
  return source && find(source, 'FunctionDeclaration').find(({ id }) => nameOf(id) === name);
}

/** Returns the calls and spreads in the arrays of a function: `[respond(options), ...extra]`. */
function middlewareIn(node: Node | undefined): string[] {
  const arrays = node ? nodesOf(node).filter(({ type }) => type === 'ArrayExpression') : [];
  return arrays.flatMap((array) =>
    (array.type === 'ArrayExpression' ? array.elements : []).flatMap((element) => {
      if (element?.type === 'SpreadElement')
        return [`...${calleeName(element.argument) || nameOf(element.argument)}`];
      return element?.type === 'CallExpression' ? [calleeName(element)] : [];
    }),
  );
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the rows of a table of checks: name and status codes. */
function documentedChecks({ texts }: Project, { title }: Chains): { name: string; statuses: string }[] {
  const table = new RegExp(`\\| ${title} \\|[^\\n]*\\n\\|[-| ]+\\n((?:\\|[^\\n]*\\n)+)`);
  const [, rows = ''] = table.exec(texts.get(CHECKS_PAGE) ?? '') ?? [];
  return rows
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, name = '', , statuses = '']) => ({ name: name.replaceAll('`', ''), statuses }));
}

export const orderOfChecksIsDocumented: Rule = (project) =>
  CHAINS.flatMap((chains) => {
    const chain = chains.checks(project);
    const documented = documentedChecks(project, chains).map(({ name }) => name);
    const problems = differences(chain, documented, `${chains.source} and ${CHECKS_PAGE}`);
    if (problems.length > 0 || chain.join() === documented.join()) return problems;
    return [`${CHECKS_PAGE}: the order is ${chain.join(', ')}`];
  });

export const everyMiddlewareIsInAChain: Rule = (project) =>
  CHAINS.flatMap(({ checks, folders }) => {
    const chain = checks(project);
    return project.sources
      .filter(({ path }) => folders.test(path) && returnsMiddleware(project, path))
      .filter(({ path }) => !chain.includes(basename(path, '.ts')))
      .map(({ path }) => `${path}: is in no chain`);
  });

/** The folders also contain what several checks share. */
const returnsMiddleware = ({ texts }: Project, path: string) =>
  /\): (Console)?Middleware(<\w+>)? \{/.test(texts.get(path) ?? '');

/** The statuses of errors that a middleware itself throws are documented. Modules that it calls can throw others. */
export const statusesOfChecksAreDocumented: Rule = (project) =>
  CHAINS.flatMap((chains) => documentedChecks(project, chains).map((row) => ({ ...row, ...chains }))).flatMap(
    ({ name, statuses, folders }) => {
      const source = project.sources.find(({ path }) => folders.test(path) && basename(path, '.ts') === name);
      const errors = source
        ? find(source, 'NewExpression').filter((node) => calleeName(node) === 'ServiceError')
        : [];
      const codes = errors.map((node) => nameOf(node.arguments[0])).filter((code) => code !== 'SERVER_ERROR');
      const missing = codes.map(statusOf).filter((status) => status && !statuses.includes(status));
      return [...new Set(missing)].map((status) => `${CHECKS_PAGE}: ${name} also responds with ${status}`);
    },
  );

function statusOf(code: string): string {
  const isKnown = Object.hasOwn(CATALOGUE, code) || Object.hasOwn(CONSOLE_CATALOGUE, code);
  return isKnown ? String(entryOf(code as ErrorCode | ConsoleCode).status) : '';
}

// Folders, files, links.

const MAPS = ['README.md', ARCHITECTURE];

/** Each map names every top-level folder of the sources and of shared/, as `events`, events/ or shared/events. */
export const foldersAreDocumented: Rule = ({ sources, texts }) => {
  const paths = sources.map(({ path }) => path.split('/'));
  const top = paths.map(([folder = '']) => `${folder}/`);
  const shared = paths.filter(([folder]) => folder === 'shared').map(([, folder = '']) => folder);
  return MAPS.flatMap((page) => {
    const text = texts.get(page) ?? '';
    const names = (folder: string) => new RegExp(`(\`|^ *|shared/)${folder}(/|\`| )`, 'm').test(text);
    return [...new Set([...top, ...shared])]
      .filter((folder) => (folder.endsWith('/') ? !text.includes(folder) : !names(folder)))
      .map((folder) => `${page}: lacks the folder ${folder}`);
  });
};

const FLOWS = [
  'A NIN verification',
  'A slip',
  'A top-up through Paystack',
  'A webhook delivery',
  'A page of the console',
];
const CONSOLE_ENTRY = 'clients/console/src/main.tsx';

/**
 * The flows: each file is an entry point (of a function or of the pages) or is imported by a
 * file above it.
 */
export const flowsFollowImports: Rule = (project) => {
  const sections = (project.texts.get(FLOWS_PAGE) ?? '').split(/^## /m).slice(1);
  const flows = sections.filter((text) => /^\d+\. /m.test(text));
  const names = flows.map((flow) => flow.split('\n', 1)[0] ?? '');
  const steps = flows.map((flow) => [...flow.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path));
  return [
    ...differences(FLOWS, names, `${FLOWS_PAGE}: the flows`),
    ...steps.flatMap((paths, flow) =>
      paths
        .filter((path, step) => !isEntry(path) && !importsOfAll(project, paths.slice(0, step)).has(path))
        .map((path) => `${FLOWS_PAGE}: ${names[flow]}: no file above ${path} imports it`),
    ),
  ];
};

const isEntry = (path: string) => path.startsWith('functions/') || path === CONSOLE_ENTRY;

function importsOfAll(project: Project, paths: readonly string[]): Set<string> {
  const imports = paths.flatMap((path) => sourceOf(project, path)?.imports ?? []);
  return new Set(imports.filter(({ isType }) => !isType).map(({ module }) => module));
}

const CODE_PATH = /`((?:clients|docs|functions|infra|shared|test)\/[\w./-]+)`/g;

/** The invented provider in the how-to guide in docs/design/add-a-provider.md. */
const FICTITIOUS = '/providers/kubra/';

/** The paths in code font and the targets of links exist. */
export const namedFilesExist: Rule = (project) => {
  const { files } = project;
  const folders = new Set(
    [...files].flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  );
  const exists = (path: string) => path === '.' || files.has(path) || folders.has(path.replace(/\/$/, ''));
  return pagesOf(project).flatMap(([page, text]) => {
    const named = [...text.matchAll(CODE_PATH)].map(([, path = '']) => path.replace(/[.]$/, ''));
    const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
      join(dirname(page), path),
    );
    return [...named, ...linked]
      .filter((path) => !exists(path) && !exists(join(dirname(page), path)) && !path.includes(FICTITIOUS))
      .map((path) => `${page}: names ${path}, which does not exist`);
  });
};

export const linkedHeadingsExist: Rule = (project) => {
  const headings = new Map(pagesOf(project).map(([page, text]) => [page, headingsOf(text)]));
  return pagesOf(project).flatMap(([page, text]) =>
    [...text.matchAll(/\]\(([^)#:]*\.md)?#([^)]+)\)/g)]
      .map(([, file, anchor = '']) => ({ target: file ? join(dirname(page), file) : page, anchor }))
      .filter(({ target, anchor }) => headings.has(target) && !headings.get(target)?.has(anchor))
      .map(({ target, anchor }) => `${page}: links to ${target}#${anchor}, which does not exist`),
  );
};

const MOVES = 'docs/moves.json';

/**
 * Each old page, or heading of a page, in the table of moves leads to a page and heading that exist. A heading that
 * still exists, or a page that does, has not moved.
 */
export const movesLeadSomewhere: Rule = ({ texts }) => {
  const moves: Readonly<Record<string, string>> = JSON.parse(texts.get(MOVES) ?? '{}');
  const from = Object.keys(moves);
  const exists = (address: string) => {
    const [page = '', anchor] = address.split('#');
    const text = texts.get(page);
    return text !== undefined && (anchor === undefined || headingsOf(text).has(anchor));
  };
  return [
    ...from.filter((old) => !exists(moves[old] ?? '')).map((old) => `${MOVES}: ${moves[old]} does not exist`),
    ...from.filter(exists).map((old) => `${MOVES}: ${old} still exists`),
    ...from
      .filter((old, index) => old < (from[index - 1] ?? ''))
      .map((old) => `${MOVES}: ${old} is not sorted`),
  ];
};

/** Returns the anchors of a page, as GitHub generates them. */
function headingsOf(text: string): Set<string> {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  const ids = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  const anchors = titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...anchors, ...ids]);
}

// The contract.

const CONTRACT = 'docs/design/contract.md';

/** `contract E6` or `contract C1 to C4 and C11`, also across lines of a comment. Pages link to each entry. */
const CITATION = /\b(?:contract|decisions?)((?:,|and|to|[\s*/]|\[?[A-Z]\d+\b(?:\]\([^)]*\))?)+)/gi;

/** Each citation has an entry, and each entry is cited. `decision 19` is a page of its own. */
export const citedEntriesExist: Rule = ({ texts }) => {
  const entries = [...(texts.get(CONTRACT) ?? '').matchAll(/^### (\w+)$/gm)].map(([, entry = '']) => entry);
  const citing = [...texts].filter(([path]) => path !== CONTRACT && !path.startsWith('test/house/'));
  const cited = citing.flatMap(([path, text]) =>
    [...text.matchAll(CITATION)].flatMap(([citation, list = '']) =>
      citedIn(list).map((entry) => ({ path, entry, isContract: /^contract/i.test(citation) })),
    ),
  );
  return [
    ...cited
      .filter(({ entry, isContract }) => !isContract || !entries.includes(entry))
      .map(
        ({ path, entry }) => `${path}: cites ${entry}, which is not "contract" and an entry of ${CONTRACT}`,
      ),
    ...entries
      .filter((entry) => !cited.some((citation) => citation.entry === entry))
      .map((entry) => `${CONTRACT}: no file cites ${entry}`),
  ];
};

/** Returns the entries of a list, including those between the ends of a range such as `C1 to C4`. */
function citedIn(list: string): string[] {
  const links = list.replaceAll(/\]\([^)]*\)/g, '');
  const single = [...links.matchAll(/\b[A-Z]\d+\b/g)].map(([entry]) => entry);
  const between = [...links.matchAll(/\b([A-Z])(\d+)\b[\s*/]+to[\s*/]+\[?[A-Z](\d+)\b/g)].flatMap(
    ([, letter = '', first = '', last = '']) =>
      Array.from({ length: Number(last) - Number(first) }, (_, index) => `${letter}${Number(first) + index}`),
  );
  return [...single, ...between];
}

// Commands and dependencies.

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifestOf = ({ texts }: Project): Manifest => JSON.parse(texts.get('package.json') ?? '{}');

export const namedCommandsExist: Rule = (project) => {
  const { scripts } = manifestOf(project);
  return pagesOf(project).flatMap(([page, text]) =>
    [...text.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:-]+)|(start|test)\b)/g)]
      .map(([, run, short]) => run ?? short ?? '')
      .filter((name) => !(name in scripts))
      .map((name) => `${page}: names npm run ${name}, which is not a script in package.json`),
  );
};

export const commandsAreDocumented: Rule = (project) => {
  const pages = ['README.md', 'CONTRIBUTING.md'].map((page) => project.texts.get(page) ?? '').join('\n');
  return Object.keys(manifestOf(project).scripts)
    .filter((name) => !new RegExp(`npm (run )?${name}(?![\\w:-])|\`${name}\``).test(pages))
    .map((name) => `package.json: neither README.md nor CONTRIBUTING.md describes npm run ${name}`);
};

const DEPENDENCIES = 'docs/dependencies.json';

const dependenciesOf = ({ texts }: Project): Dependency[] => JSON.parse(texts.get(DEPENDENCIES) ?? '[]');

/** Each package of package.json has one purpose, and each purpose has packages. */
export const dependenciesAreExplained: Rule = (project) => {
  const { dependencies, devDependencies, optionalDependencies } = manifestOf(project);
  const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const explained = dependenciesOf(project).flatMap(({ packages }) => packages);
  return differences(explained, installed, `${DEPENDENCIES} and package.json`);
};

/** Their table is generated. */
export const dependencyTableIsCurrent: Rule = (project) => {
  const page = project.texts.get(ARCHITECTURE) ?? '';
  return withDependencyTable(page, dependenciesOf(project)) === page
    ? []
    : [`${ARCHITECTURE}: the table of dependencies does not match ${DEPENDENCIES}`];
};

// ID types.

/** A text that lists them all lists a new one too. */
export const listsOfIdTypesAreComplete: Rule = ({ texts }) => {
  const complete = new Intl.ListFormat('en-GB').format(ID_TYPES);
  return [...texts]
    .filter(([path]) => !/^test\/|CHANGELOG/.test(path))
    .flatMap(([path, text]) =>
      (text.match(/NIN, BVN, CAC, TIN(?:, \w+)* and \w+/g) ?? []).map((one) => [path, one]),
    )
    .filter(([, listed]) => listed !== complete)
    .map(([path, listed]) => `${path}: says "${listed}", not "${complete}"`);
};

// Errors.

/** A status before a code, as in "413 `PAYLOAD_TOO_LARGE`", matches the catalogue. */
export const namedStatusesAreTheCatalogues: Rule = (project) =>
  pagesOf(project).flatMap(([page, text]) =>
    [...text.matchAll(/\b([1-5]\d\d)(?: \||) `([A-Z_]+)`/g)]
      .filter(([, status, code = '']) => statusOf(code) !== '' && statusOf(code) !== status)
      .map(([, status, code = '']) => `${page}: says ${status} ${code}, but its status is ${statusOf(code)}`),
  );

/** The tables of the guides are generated: `npm run openapi` rewrites them. */
export const guideTablesAreCurrent: Rule = ({ texts }) =>
  Object.keys(GUIDE_TABLES)
    .filter((path) => withGuideTables(path, texts.get(path) ?? '') !== texts.get(path))
    .map((path) => `${path}: its tables do not match the code`);

/** The tables of the console's routes and codes are also generated. */
export const consoleTablesAreCurrent: Rule = ({ texts }) => {
  const page = texts.get('docs/operate/console.md') ?? '';
  return withConsoleTables(page) === page
    ? []
    : ['docs/operate/console.md: its tables do not match the code'];
};

/** The generated parts of the pages for operators, finance and auditors: roles, commands, attributes of rows. */
export const operatorPagesAreCurrent: Rule = ({ texts }) =>
  Object.entries(OPERATOR_PAGES)
    .filter(([path, generate]) => generate(texts.get(path) ?? '') !== texts.get(path))
    .map(([path]) => `${path}: its generated part does not match the code: run npm run openapi`);

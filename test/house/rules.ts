import type { Expression, Node, ObjectExpression } from '@babel/types';
import { CATALOGUE } from '../../shared/core/errors.ts';
import type { Project, Source } from './project.ts';
import { allNodes, calleeName, childrenOf, find, lineOf, nameOf, nodesOf } from './project.ts';

/** A rule of the code (docs/design/architecture.md). Returns its violations as `path: what is wrong`. */
export type Rule = (project: Project) => string[];

/** Applies a check to every source whose path matches. */
function inSources({ sources }: Project, paths: RegExp, check: (source: Source) => string[]): string[] {
  return sources
    .filter(({ path }) => paths.test(path))
    .flatMap((source) => check(source).map((problem) => `${source.path}: ${problem}`));
}

const PRODUCT = /./;
const SERVICE = /^(functions|shared)\//;

// 1. A handler only declares.

const DECISIONS = new Set(['IfStatement', 'ConditionalExpression', 'SwitchStatement', 'TryStatement']);

export const handlersOnlyDeclare: Rule = (project) =>
  inSources(project, /^functions\//, (source) => [
    ...allNodes(source)
      .filter(({ type }) => DECISIONS.has(type))
      .map(({ type }) => `${type} in a handler`),
    ...source.imports
      .filter(({ module }) => module.startsWith('@aws-sdk/'))
      .map(({ module }) => `imports ${module}`),
  ]);

// 2. One error class, one catalogue, no switch on codes.

export const oneErrorClass: Rule = (project) =>
  inSources(project, SERVICE, (source) =>
    find(source, 'ClassDeclaration')
      .filter(({ superClass }) => superClass && nameOf(superClass).endsWith('Error'))
      .map(({ id }) => nameOf(id))
      .filter((name) => `${source.path} ${name}` !== 'shared/core/errors.ts ServiceError')
      .map((name) => `error class ${name}`),
  );

/** The sandbox registry simulates another service, with its own statuses. */
const CATALOGUES = /^shared\/(core\/errors\.ts|registries\/sandbox\/)/;

export const oneErrorCatalogue: Rule = (project) =>
  inSources(project, SERVICE, (source) =>
    CATALOGUES.test(source.path)
      ? []
      : find(source, 'ObjectExpression')
          .filter(definesStatus)
          .map((object) => `line ${lineOf(object)} defines the status of an error`),
  );

export const noSwitchOnCodes: Rule = (project) =>
  inSources(project, PRODUCT, (source) =>
    find(source, 'SwitchStatement')
      .filter(
        ({ discriminant, cases }) =>
          /code$/i.test(lastName(discriminant)) || cases.some(({ test }) => isErrorCode(test)),
      )
      .map((statement) => `line ${lineOf(statement)} switches on a code`),
  );

/** Whether the object sets an HTTP error status, as in `{ status: 402, ... }`. */
function definesStatus(object: ObjectExpression): boolean {
  return object.properties.some(
    (one) =>
      one.type === 'ObjectProperty' &&
      nameOf(one.key) === 'status' &&
      one.value.type === 'NumericLiteral' &&
      one.value.value >= 400,
  );
}

function lastName(node: Node): string {
  return node.type === 'MemberExpression' ? nameOf(node.property) : nameOf(node);
}

function isErrorCode(node: Node | null | undefined): boolean {
  return node?.type === 'StringLiteral' && Object.hasOwn(CATALOGUE, node.value);
}

// 3. Closed sets are unions, each defined once.

const CLOSED_SETS = /^(outcome|env|environment|idType|slipType|errorStyle)$/;

export const closedSetsAreUnions: Rule = (project) =>
  inSources(project, SERVICE, (source) =>
    allNodes(source).flatMap((node) => {
      if (!('typeAnnotation' in node) || !node.typeAnnotation) return [];
      const name = nameOf('key' in node ? node.key : node);
      const annotation = node.typeAnnotation;
      const isString =
        annotation.type === 'TSTypeAnnotation' && annotation.typeAnnotation.type === 'TSStringKeyword';
      return isString && CLOSED_SETS.test(name) ? [`line ${lineOf(node)} declares ${name} as a string`] : [];
    }),
  );

/** The environments are defined once, as a union, or as the array from which a union and a schema are derived. */
export const environmentIsDefinedOnce: Rule = (project) => {
  const found = inSources(project, PRODUCT, (source) =>
    allNodes(source)
      .filter((node) => literalsOf(node).sort().join() === 'live,test')
      .map((node) => `line ${lineOf(node)} defines the environments`),
  );
  return found.length === 1 ? [] : found;
};

function literalsOf(node: Node): string[] {
  if (node.type === 'TSUnionType')
    return node.types.map((one) => (one.type === 'TSLiteralType' ? nameOf(one.literal) : ''));
  return node.type === 'ArrayExpression' ? node.elements.map(nameOf) : [];
}

// 4. Table keys are built in core/keys.ts.

export const keysAreBuiltInOnePlace: Rule = (project) =>
  inSources(project, /^(functions|shared|clients\/operator)\//, (source) =>
    source.path === 'shared/core/keys.ts'
      ? []
      : allNodes(source)
          .filter(buildsKey)
          .map((node) => `line ${lineOf(node)} builds a key`),
  );

/** Whether a node is like `ORG#${id}`, `${env}#${org}`, `env + '#'`, `[...].join('#')` or `key.split('#')`. */
function buildsKey(node: Node): boolean {
  if (node.type === 'TemplateLiteral')
    return node.quasis.some(
      ({ value }, index) => /[A-Z]#/.test(value.raw) || (index > 0 && value.raw.startsWith('#')),
    );
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return [node.left, node.right].some(
      (side) => nameOf(side).includes('#') && side.type === 'StringLiteral',
    );
  if (node.type !== 'CallExpression' || !['join', 'split'].includes(calleeName(node))) return false;
  return nameOf(node.arguments[0]) === '#';
}

// 5. One route is one row.

const FUNCTION_LISTS = ['infra/routes.ts', 'infra/console-routes.ts'];
/** The actions of operators, by which the functions of the operator API are named. */
const ACTIONS = 'shared/operators/actions.ts';

/**
 * Returns the name, method and path of each row in the function lists. Jobs, the unknown route and the console have
 * only a name.
 */
function rowsOf({ sources }: Project): { name: string; method: string; path: string }[] {
  const lists = sources.filter(({ path }) => FUNCTION_LISTS.includes(path));
  return lists
    .flatMap((list) => find(list, 'ObjectExpression'))
    .map((row) => ({ name: textOf(row, 'name'), method: textOf(row, 'method'), path: textOf(row, 'path') }))
    .filter(({ name }) => name !== '');
}

function textOf(object: ObjectExpression, key: string): string {
  const property = object.properties.find((one) => one.type === 'ObjectProperty' && nameOf(one.key) === key);
  return property?.type === 'ObjectProperty' && property.value.type === 'StringLiteral'
    ? property.value.value
    : '';
}

export const oneFunctionIsOneRow: Rule = (project) => {
  const files = project.sources.filter(({ path }) => path.startsWith('functions/')).map(({ path }) => path);
  const rows = rowsOf(project).map(({ name }) => `functions/${name.replace(/^console-/, 'console/')}.ts`);
  return differences(
    [...rows, ...actionFiles(project), 'functions/operators/show-operation.ts'],
    files,
    'infra/routes.ts, infra/console-routes.ts, shared/operators/actions.ts and functions/',
  );
};

function actionFiles({ sources }: Project): string[] {
  return sources
    .filter(({ path }) => path === ACTIONS)
    .flatMap((source) => find(source, 'VariableDeclarator'))
    .filter(({ id }) => nameOf(id) === 'OPERATOR_ACTIONS')
    .flatMap(nodesOf)
    .flatMap((node) => (node.type === 'ObjectProperty' ? nameOf(node.key) : []))
    .map((action) => `functions/operators/${action.replace(' ', '-')}.ts`);
}

export const oneRouteIsOneOperation: Rule = (project) => {
  const routes = rowsOf(project).filter(({ path }) => path !== '');
  const document: unknown = JSON.parse(project.texts.get('docs/openapi.json') ?? '{}');
  const { paths } = document as { paths: Readonly<Record<string, object>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/(api\/)?v1|\/$/g, '')}`),
  );
  return differences(
    routes.map(({ method, path }) => `${method} ${path}`),
    operations,
    'infra/routes.ts and docs/openapi.json',
  );
};

/** Returns the items that only one of two lists contains, and those that either list contains twice. */
export function differences(first: readonly string[], second: readonly string[], where: string): string[] {
  const repeated = [first, second].flatMap((list) =>
    list.filter((one, index) => list.indexOf(one) !== index),
  );
  const lonely = [...new Set(first).symmetricDifference(new Set(second))];
  return [...repeated, ...lonely].map((one) => `${where} differ in ${one}`);
}

// 6. Walls and import directions.

const WALLS: readonly { readonly package: RegExp; readonly allowed: RegExp }[] = [
  {
    package: /^@aws-sdk\/(client-dynamodb|lib-dynamodb|util-dynamodb)/,
    allowed: /(-table\.ts$|^shared\/core\/(database|expressions)\.ts$|^infra\/local\/|^clients\/operator\/)/,
  },
  { package: /^(@pdf-lib\/|pdf-lib)/, allowed: /^shared\/(pdf|slips)\// },
  { package: /^@middy\//, allowed: /^shared\/(http|operators\/routes)\// },
  { package: /^openid-client$/, allowed: /^shared\/members\/identity-provider\.ts$/ },
  {
    package: /^@aws-sdk\/client-cognito/,
    allowed: /^(shared\/members\/user-pool\.ts$|clients\/operator\/)/,
  },
  { package: /^(aws-cdk-lib|constructs)/, allowed: /^infra\// },
];

export const packagesStayBehindTheirWalls: Rule = (project) =>
  inSources(project, PRODUCT, ({ path, imports }) =>
    imports
      .filter(({ isType }) => !isType)
      .filter(({ module }) => WALLS.some((wall) => wall.package.test(module) && !wall.allowed.test(path)))
      .map(({ module }) => `imports ${module}`),
  );

/**
 * The rooms of shared/, and the rooms that the files of each may import. All may import `core`. What a room has in
 * `middleware/`, `routes/` and `console/` connects it to the engine in `http`, may import every room, and is imported
 * only by other such files.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: [],
  audit: [],
  matching: [],
  pdf: [],
  accounts: ['audit'],
  registries: ['audit'],
  ledger: ['audit'],
  rollout: ['accounts'],
  verifications: ['accounts', 'audit', 'http', 'ledger', 'matching', 'registries'],
  events: ['accounts', 'ledger', 'registries'],
  slips: ['audit', 'pdf', 'registries', 'verifications'],
  webhooks: ['accounts', 'audit', 'events', 'ledger', 'verifications'],
  payments: ['accounts', 'audit', 'events', 'ledger', 'pdf', 'registries'],
  usage: ['accounts', 'http', 'ledger', 'payments', 'verifications'],
  members: ['accounts', 'audit', 'http'],
  profiles: ['accounts', 'audit', 'http', 'matching', 'members', 'registries', 'verifications'],
  alerts: ['accounts', 'audit', 'events', 'http', 'members', 'webhooks'],
  operators: [
    'accounts',
    'audit',
    'events',
    'ledger',
    'members',
    'payments',
    'profiles',
    'registries',
    'slips',
    'verifications',
  ],
  home: [],
};
const EDGE = /^shared\/[^/]+\/(middleware|routes|console)\//;

const roomOf = (path: string) => path.split('/')[1] ?? '';

export const roomsImportAsListed: Rule = (project) =>
  inSources(project, /^shared\//, ({ path, imports }) => {
    const room = roomOf(path);
    const allowed = ROOMS[room];
    if (!allowed) return [`the room ${room} is not listed`];
    if (EDGE.test(path)) return [];
    return imports
      .filter(({ module }) => module.startsWith('shared/') && roomOf(module) !== room)
      .filter(({ module }) => {
        const isListed = roomOf(module) === 'core' || allowed.includes(roomOf(module));
        return !isListed || (EDGE.test(module) && roomOf(module) !== 'http');
      })
      .map(({ module }) => `imports ${module}`);
  });

/** The parts of a room: its own files, and each of the folders that connect it to the engine. */
const partOf = (path: string) => EDGE.exec(path)?.[0].split('/').slice(1, 3).join('/') ?? roomOf(path);

/** No part of a room imports, directly or through others, a part that imports it. The engine is one part. */
export const roomsHaveNoCircles: Rule = ({ sources }) => {
  const arrows = new Map<string, Set<string>>();
  const nameOfPart = (path: string) => (roomOf(path) === 'http' ? 'http' : partOf(path));
  for (const { path, imports } of sources)
    for (const { module } of imports.filter(() => path.startsWith('shared/'))) {
      const [from, to] = [nameOfPart(path), nameOfPart(module)];
      if (!module.startsWith('shared/') || from === to) continue;
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      return reaches(next, to, seen.add(next));
    });
  return [...arrows.keys()]
    .filter((part) => reaches(part, part))
    .map((part) => `${part} imports itself through others`);
};

/** What each top-level folder may import from. `docs` holds the API document that a function serves. */
const REACH: Readonly<Record<string, RegExp>> = {
  functions: /^(shared|docs)\//,
  shared: /^shared\//,
  infra: /^(infra|shared|docs)\//,
  clients: /^(clients\/(operator|console)|shared|infra)\//,
};

export const topFoldersImportOneWay: Rule = (project) =>
  inSources(project, PRODUCT, ({ path, imports }) =>
    imports
      .filter(({ module }) => /^(functions|shared|infra|clients|test|docs)\//.test(module))
      .filter(({ module }) => !REACH[path.split('/')[0] ?? '']?.test(module))
      .map(({ module }) => `imports ${module}`),
  );

// 8. Every write carries its condition.

const WRITE_COMMANDS = new Set(['PutCommand', 'UpdateCommand', 'DeleteCommand']);
const WRITE_ITEMS = new Set(['ConditionCheck', 'Put', 'Update', 'Delete']);
/** The writes that this module builds have a condition, because its functions have a parameter for it. */
const EXPRESSIONS = 'shared/core/expressions.ts';

export const writesCarryConditions: Rule = (project) =>
  inSources(project, /^(functions|shared)\/|^clients\/operator\//, (source) => {
    if (source.path === EXPRESSIONS) return [];
    const careless = allNodes(source)
      .flatMap((node) => writeOf(node) ?? [])
      .filter((write) => !hasCondition(write, source));
    const batches = find(source, 'NewExpression').filter((node) => /^BatchWrite/.test(calleeName(node)));
    return [
      ...careless.map((write) => `line ${lineOf(write)} writes without a condition`),
      ...batches.map((node) => `line ${lineOf(node)} writes a batch, which cannot have conditions`),
    ];
  });

/** Returns the input of a write command, or an item of a transaction that writes; undefined for any other node. */
function writeOf(node: Node): Node | undefined {
  if (node.type === 'NewExpression' && WRITE_COMMANDS.has(calleeName(node)))
    return node.arguments[0] ?? NOTHING;
  return node.type === 'ObjectProperty' && WRITE_ITEMS.has(nameOf(node.key)) ? node.value : undefined;
}

/**
 * Whether this value has a ConditionExpression on every path. Follows constants, local functions and parameters; a
 * value that leads back to itself (`seen`) adds no path.
 */
function hasCondition(node: Node, source: Source, seen: ReadonlySet<Node> = new Set()): boolean {
  if (seen.has(node)) return true;
  const next = new Set([...seen, node]);
  const haveIt = (nodes: readonly Node[]) => nodes.every((one) => hasCondition(one, source, next));
  switch (node.type) {
    case 'ObjectExpression':
      return node.properties.some((one) =>
        one.type === 'SpreadElement' ? haveIt([one.argument]) : isCondition(one),
      );
    case 'ConditionalExpression':
      return haveIt([node.consequent, node.alternate]);
    case 'CallExpression':
      return isRowUpdate(node, source) || haveIt(resultsOf(calleeName(node), source));
    case 'Identifier':
      return haveIt(valuesOf(node.name, source));
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return haveIt([node.expression]);
    default:
      return false;
  }
}

const isRowUpdate = (node: Node, { imports }: Source) =>
  calleeName(node) === 'rowUpdate' && imports.some(({ module }) => module === EXPRESSIONS);

function isCondition(property: Node): boolean {
  return (
    property.type === 'ObjectProperty' &&
    nameOf(property.key) === 'ConditionExpression' &&
    nameOf(property.value) !== 'undefined'
  );
}

/** Returns all functions with their names. A function without a name takes the name of the declaration around it. */
function functionsOf(tree: Node): [string, Node][] {
  const found: [string, Node][] = [];
  const visit = (node: Node, name: string) => {
    const own = nameOfFunction(node) || name;
    if (isFunction(node)) found.push([own, node]);
    for (const child of childrenOf(node)) visit(child, own);
  };
  visit(tree, '');
  return found;
}

const isFunction = ({ type }: Node) =>
  [
    'FunctionDeclaration',
    'FunctionExpression',
    'ArrowFunctionExpression',
    'ObjectMethod',
    'ClassMethod',
    'ClassPrivateMethod',
  ].includes(type);

/** Returns the name that a declaration, a variable, a method or a property gives to a function. */
function nameOfFunction(node: Node): string {
  if (node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator') return nameOf(node.id);
  return /^(Object|Class)(Private)?(Method|Property)$/.test(node.type) && 'key' in node
    ? nameOf(node.key as Node)
    : '';
}

/** Returns the expressions that a local function may return. NOTHING if there is no such function or no result. */
function resultsOf(name: string, source: Source): Node[] {
  const bodies = functionsOf(source.tree)
    .filter(([own, node]) => own === name && 'body' in node)
    .map(([, node]) => (node as { body: Node }).body);
  const results = bodies.flatMap((body) =>
    body.type === 'BlockStatement'
      ? nodesOf(body).flatMap((node) =>
          node.type === 'ReturnStatement' && node.argument ? [node.argument] : [],
        )
      : [body],
  );
  return results.length > 0 ? results : [NOTHING];
}

/** Represents a missing value, which has no condition. */
const NOTHING: Expression = { type: 'NullLiteral' } as Expression;

/** Returns the values that a name can have: those of constants, and the arguments that callers pass for a parameter. */
function valuesOf(name: string, source: Source): Node[] {
  const constants = find(source, 'VariableDeclarator')
    .filter(({ id }) => nameOf(id) === name)
    .map(({ init }) => init ?? NOTHING);
  const passed = functionsOf(source.tree).flatMap(([functionName, node]) => {
    const index = 'params' in node ? node.params.findIndex((one) => nameOf(one) === name) : -1;
    if (index < 0) return [];
    const calls = find(source, 'CallExpression').filter((call) => calleeName(call) === functionName);
    return calls.map((call) => call.arguments[index] ?? NOTHING);
  });
  const values = [...constants, ...passed];
  return values.length > 0 ? values : [NOTHING];
}

// 10. No utils.

export const noFilesForLeftovers: Rule = ({ sources }) =>
  sources
    .filter(({ path }) => /(^|\/|-)(index|utils?|helpers?|misc|common-code)(\.ts$|\/)/.test(path))
    .map(({ path }) => `${path}: says nothing about its content`);

// 11. Names.

/** Words that the glossary replaces, as parts of file names. */
const REPLACED_WORDS =
  /(^|[-/])(answers?|books?|dialects?|exchange|news|parts|places?|stand-ins?|tells?|told|watch|words)([-./]|$)/;
export const fileNamesUseTheGlossary: Rule = ({ texts }) =>
  [...texts.keys()]
    .filter((path) => path.endsWith('.ts') && REPLACED_WORDS.test(path))
    .map((path) => `${path}: contains a word that the glossary replaces`);

const UNIT_FIRST = /^(ms|millis|milliseconds|seconds|minutes|hours|bytes)[A-Z]/;
const QUANTITY =
  /(^age|^delay|^duration|^interval|^latency|^lifetime|^timeout|^ttl|[a-z](Age|Delay|Duration|Interval|Latency|Lifetime|Timeout|Ttl))$/;

export const unitsComeLast: Rule = (project) =>
  inSources(project, PRODUCT, (source) =>
    allNodes(source).flatMap((node) => {
      if (node.type === 'Identifier' && UNIT_FIRST.test(node.name))
        return [`line ${lineOf(node)}: ${node.name} begins with its unit`];
      const name = declaredNumber(node);
      return QUANTITY.test(name) ? [`line ${lineOf(node)}: ${name} has no unit`] : [];
    }),
  );

/** Returns the name of a variable, parameter or property that is declared as a number; empty for any other node. */
function declaredNumber(node: Node): string {
  if (node.type === 'VariableDeclarator' && node.init?.type === 'NumericLiteral') return nameOf(node.id);
  if (!('typeAnnotation' in node) || node.typeAnnotation?.type !== 'TSTypeAnnotation') return '';
  const isNumber = node.typeAnnotation.typeAnnotation.type === 'TSNumberKeyword';
  return isNumber ? nameOf('key' in node ? node.key : node) : '';
}

// 12. Exported functions are documented.

/** The largest number of lines of a function that needs no doc comment. */
const SELF_EXPLANATORY_LINES = 5;

const linesOf = ({ loc }: Node) => (loc ? loc.end.line - loc.start.line + 1 : 0);

export const exportedFunctionsAreDocumented: Rule = (project) =>
  inSources(project, /^shared\//, (source) =>
    find(source, 'ExportNamedDeclaration')
      .filter(({ leadingComments }) => !leadingComments?.some(isDocComment))
      .filter(({ declaration }) =>
        declaredFunctions(declaration).some(
          (one) => linesOf(one) > SELF_EXPLANATORY_LINES && !isFactory(source, one),
        ),
      )
      .map((node) => `line ${lineOf(node)} exports a function without a doc comment`),
  );

function declaredFunctions(node: Node | null | undefined): Node[] {
  if (node?.type === 'FunctionDeclaration') return [node];
  if (node?.type !== 'VariableDeclaration') return [];
  return node.declarations.flatMap(({ init }) => (init && isFunction(init) ? [init] : []));
}

/**
 * Whether a type of the same file documents the function: the interface that it returns, or the type that is derived
 * from it, whose methods carry the documentation.
 */
function isFactory(source: Source, node: Node): boolean {
  const isOfFunction = (named: Node) =>
    node.type === 'FunctionDeclaration' && nameOf(named) === nameOf(node.id);
  if (find(source, 'TSTypeQuery').some(({ exprName }) => isOfFunction(exprName))) return true;
  const type =
    'returnType' in node && node.returnType && 'typeAnnotation' in node.returnType
      ? node.returnType.typeAnnotation
      : undefined;
  const made =
    type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : '';
  return find(source, 'TSInterfaceDeclaration').some(({ id }) => id.name === made);
}

const isDocComment = ({ type, value }: { type: string; value: string }) =>
  type === 'CommentBlock' && value.startsWith('*');

// 13. Secrets and identity data never reach a log.

const LOG_METHODS = new Set(['debug', 'info', 'warn', 'error', 'critical', 'trace', 'appendKeys', 'log']);
/** Values that hold secrets or identity data, by the last word of their name. */
const PRIVATE =
  /(^|_|\.)(authorization|body|bvn|command|credentials|event|headers|id_?number|item|names?|nin|number|path|payload|pepper|person|phone|photo|query|record|secret|surname|text|token|url)$/i;
/** Names of parts of the service, which a log line may contain. */
const HARMLESS = new Set(['error_name', 'provider_name']);

export const logLinesHoldNoPrivateData: Rule = (project) =>
  inSources(project, SERVICE, (source) =>
    find(source, 'CallExpression').flatMap((call) => {
      const logger = call.callee.type === 'MemberExpression' ? nameOf(call.callee.object) : '';
      if (logger === 'console') return [`line ${lineOf(call)} writes to the console`];
      if (logger !== 'logger' || !LOG_METHODS.has(calleeName(call))) return [];
      return call.arguments
        .flatMap((one) => loggedNodes(one, source))
        .flatMap((node) => {
          const name = loggedName(node);
          return PRIVATE.test(name) && !HARMLESS.has(name) ? [`line ${lineOf(node)} logs ${name}`] : [];
        });
    }),
  );

/** Returns the nodes of a logged argument, including those of the constants that it names. */
function loggedNodes(argument: Node, source: Source): Node[] {
  const constants = argument.type === 'Identifier' ? valuesOf(argument.name, source) : [];
  return [argument, ...constants].flatMap(nodesOf);
}

/** Returns the name of a property that is logged, or of a whole value that is spread or passed. */
function loggedName(node: Node): string {
  if (node.type === 'ObjectProperty') return nameOf(node.key);
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return node.type === 'Identifier' ? node.name : '';
}

/** A raw error may quote its input: errorFields() keeps what is safe. */
export const logLinesHoldNoRawErrors: Rule = (project) =>
  inSources(project, SERVICE, (source) =>
    find(source, 'CallExpression')
      .filter((call) => call.callee.type === 'MemberExpression' && nameOf(call.callee.object) === 'logger')
      .filter((call) =>
        call.arguments
          .flatMap(valuesIn)
          .some((node) => /^(cause|error|exception|message|stack)$/.test(lastName(node))),
      )
      .map((call) => `line ${lineOf(call)} logs a raw error`),
  );

/**
 * Returns the values that a log call passes on: arguments, properties and spreads, but not the arguments of nested
 * calls.
 */
function valuesIn(node: Node): Node[] {
  if (node.type === 'CallExpression') return [];
  if (node.type === 'ObjectExpression')
    return node.properties.flatMap((one) => valuesIn(one.type === 'ObjectProperty' ? one.value : one));
  if (node.type === 'SpreadElement') return valuesIn(node.argument);
  return [node];
}

// 16. Strictest TypeScript, erasable syntax only.

const REQUIRED_OPTIONS = [
  'erasableSyntaxOnly',
  'exactOptionalPropertyTypes',
  'noFallthroughCasesInSwitch',
  'noImplicitOverride',
  'noImplicitReturns',
  'noPropertyAccessFromIndexSignature',
  'noUncheckedIndexedAccess',
  'noUnusedLocals',
  'noUnusedParameters',
  'strict',
  'verbatimModuleSyntax',
];

export const compilerIsStrict: Rule = ({ texts }) => {
  const { compilerOptions } = JSON.parse(texts.get('tsconfig.json') ?? '{}');
  return REQUIRED_OPTIONS.filter((option) => compilerOptions?.[option] !== true).map(
    (option) => `tsconfig.json: ${option} is not set`,
  );
};

export const noDoubleCasts: Rule = (project) =>
  inSources(project, PRODUCT, (source) =>
    find(source, 'TSAsExpression')
      .filter(({ expression }) => expression.type === 'TSAsExpression')
      .map((node) => `line ${lineOf(node)} casts twice`),
  );

export const checksAreNotSwitchedOff: Rule = (project) =>
  inSources(project, PRODUCT, ({ tree }) =>
    (tree.comments ?? [])
      .filter(({ value }) => /@ts-(ignore|nocheck|expect-error)|biome-ignore/.test(value))
      .map(({ loc }) => `line ${loc?.start.line} switches a check off`),
  );

// 17. Fields of responses have limits.

/** Valibot schemas that accept values of any size. */
const WITHOUT_LIMIT = new Set(['any', 'array', 'custom', 'looseObject', 'record', 'string', 'tuple']);

export const fieldsOfResponsesHaveLimits: Rule = (project) =>
  inSources(project, /^shared\/registries\/(providers\/[^/]+|mapping\/shapes)\//, (source) => {
    const ownSecrets = find(source, 'VariableDeclarator')
      .filter(({ id }) => nameOf(id) === 'credentialSchema')
      .flatMap(nodesOf);
    return find(source, 'CallExpression')
      .filter((call) => call.callee.type === 'MemberExpression' && nameOf(call.callee.object) === 'v')
      .filter((call) => WITHOUT_LIMIT.has(calleeName(call)) && !ownSecrets.includes(call))
      .map((call) => `line ${lineOf(call)} uses v.${calleeName(call)}, not a builder of mapping/fields.ts`);
  });

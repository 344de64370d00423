import { describe, expect, test } from '@jest/globals';
import * as consoleRules from './console-rules.ts';
import * as documentRules from './document-rules.ts';
import { allNodes, nameOf, type Project, readProject, withFile, withoutFile } from './project.ts';
import type { Rule } from './rules.ts';
import * as codeRules from './rules.ts';

/**
 * The rules of the code (docs/design/architecture.md, "Rules"). Each holds for the project as it is, and fails
 * on a copy that breaks it.
 */

const project = readProject();

const rules = new Map(
  Object.entries({ ...codeRules, ...consoleRules, ...documentRules }).filter(
    (entry): entry is [string, Rule] => isRule(entry),
  ),
);

function isRule([name, value]: [string, unknown]): boolean {
  return typeof value === 'function' && name !== 'differences';
}

/** Returns `writesCarryConditions` as "writes carry conditions". */
const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Breaks a copy of the project. */
type Break = (project: Project) => Project;

/** Changes one file. Throws if nothing changes, so that no mutation outlives the code that it breaks. */
function edit(path: string, change: (text: string) => string): Break {
  return (original) => {
    const text = original.texts.get(path);
    if (text === undefined) throw new Error(`There is no file ${path} to mutate.`);
    const changed = change(text);
    if (changed === text) throw new Error(`The mutation of ${path} changes nothing.`);
    return withFile(original, path, changed);
  };
}

const append = (path: string, code: string) => edit(path, (text) => `${text}\n${code}\n`);
const replace = (path: string, old: string | RegExp, replacement: string) =>
  edit(path, (text) => text.replace(old, replacement));
const add =
  (path: string, code: string): Break =>
  (original) =>
    withFile(original, path, code);
const remove =
  (path: string): Break =>
  (original) =>
    withoutFile(original, path);

const HANDLER = 'functions/nin-basic.ts';
const CLAIM = 'shared/ledger/tables/idempotency-table.ts';
const TABLE = 'shared/accounts/api-key-table.ts';
const HOOK = 'shared/accounts/middleware/scope.ts';
const ADAPTER = 'shared/registries/providers/dojah/dojah.ts';
const CONSOLE_ROUTES = 'shared/http/console/routes.ts';
const CONSOLE_CHAIN = 'shared/members/middleware/console-route.ts';
const KEYED_ROUTE = 'shared/accounts/middleware/keyed-route.ts';
const PAGE = 'docs/design/architecture.md';
const CHECKS = 'docs/design/checks.md';
const FLOWS = 'docs/design/flows.md';
/** Returns `${name}`, as the source of a template contains it. */
const hole = (name: string) => `\${${name}}`;

/** Ways to break each rule, each with part of the report that must result. */
const MUTATIONS: Readonly<Record<string, readonly (readonly [Break, string])[]>> = {
  handlersOnlyDeclare: [
    [append(HANDLER, 'if (process.argv.length > 9) throw new Error();'), 'IfStatement'],
    [append(HANDLER, 'try { handler; } finally {}'), 'TryStatement'],
    [append(HANDLER, "import '@aws-sdk/client-dynamodb';"), 'imports @aws-sdk/client-dynamodb'],
  ],
  oneErrorClass: [[append(HOOK, 'class ScopeError extends Error {}'), 'error class ScopeError']],
  oneErrorCatalogue: [
    [append(HOOK, "const rejected = { status: 403, message: 'No.' };"), 'defines the status'],
  ],
  noSwitchOnCodes: [
    [append(HOOK, 'switch (error.code) { default: }'), 'switches on a code'],
    [append(HOOK, "switch (kind) { case 'RATE_LIMITED': }"), 'switches on a code'],
  ],
  closedSetsAreUnions: [
    [append(HOOK, 'interface Facts { readonly outcome: string }'), 'declares outcome as a string'],
    [append(HOOK, 'function pick(env: string) { return env; }'), 'declares env as a string'],
  ],
  environmentIsDefinedOnce: [
    [append(HOOK, "type Mode = 'test' | 'live';"), 'defines the environments'],
    [append(HOOK, "const modes = ['live', 'test'];"), 'defines the environments'],
  ],
  keysAreBuiltInOnePlace: [
    [append(TABLE, `const pk = \`ORG#${hole('id')}\`;`), 'builds a key'],
    [append(TABLE, `const pk = \`${hole('env')}#${hole('organisationId')}\`;`), 'builds a key'],
    [append(TABLE, "const pk = env + '#' + organisationId;"), 'builds a key'],
    [append(TABLE, "const pk = [env, organisationId].join('#');"), 'builds a key'],
  ],
  oneFunctionIsOneRow: [
    [remove(HANDLER), 'functions/nin-basic.ts'],
    [add('functions/nin-super.ts', 'export const handler = 1;'), 'functions/nin-super.ts'],
    [replace('infra/routes.ts', "name: 'nin-basic'", "name: 'bvn-basic'"), 'functions/bvn-basic.ts'],
  ],
  oneRouteIsOneOperation: [
    [replace('infra/routes.ts', "path: '/ng/nin-basic'", "path: '/ng/nin-super'"), 'POST /ng/nin-super'],
    [replace('docs/openapi.json', '"/api/v1/health/"', '"/api/v1/state/"'), 'GET /state'],
  ],
  packagesStayBehindTheirWalls: [
    [append(HOOK, "import { PutCommand } from '@aws-sdk/lib-dynamodb';"), '@aws-sdk/lib-dynamodb'],
    [append(HOOK, "const { rgb } = await import('pdf-lib');"), 'pdf-lib'],
    [append(HANDLER, "import middy from '@middy/core';"), '@middy/core'],
    [append(HOOK, "import { Stack } from 'aws-cdk-lib';"), 'aws-cdk-lib'],
  ],
  roomsImportAsListed: [
    [append('shared/core/ids.ts', "import '../accounts/api-key.ts';"), 'imports shared/accounts/api-key.ts'],
    [
      append('shared/registries/port.ts', "import type { A } from '../accounts/api-key.ts';"),
      'imports shared/accounts',
    ],
    [append('shared/ledger/sweep.ts', "import '../http/query.ts';"), 'imports shared/http/query.ts'],
    [append('shared/http/query.ts', "import '../ledger/sweep.ts';"), 'imports shared/ledger/sweep.ts'],
    [
      append('shared/payments/orders/order.ts', "import '../../ledger/routes/wallet-busy.ts';"),
      'imports shared/ledger/routes/wallet-busy.ts',
    ],
    [add('shared/extras/one.ts', 'export const one = 1;'), 'the room extras is not listed'],
  ],
  roomsHaveNoCircles: [
    [
      append('shared/verifications/middleware/values.ts', "import '../../slips/routes/nin-slip.ts';"),
      'verifications/middleware imports itself through others',
    ],
  ],
  topFoldersImportOneWay: [
    [append(HOOK, "import '../../../infra/routes.ts';"), 'imports infra/routes.ts'],
    [append('infra/routes.ts', "import '../clients/operator/main.ts';"), 'imports clients/operator/main.ts'],
    [append('infra/routes.ts', "import '../test/support/service.ts';"), 'imports test/support/service.ts'],
  ],
  writesCarryConditions: [
    [replace(CLAIM, /ConditionExpression: 'attribute_not_exists\(pk\)',/, ''), `${CLAIM}: line`],
    [
      append(TABLE, 'const put = new PutCommand({ TableName: tableName, Item: row });'),
      'writes without a condition',
    ],
    [append(TABLE, 'const gone = new DeleteCommand(anything);'), 'writes without a condition'],
    [append(TABLE, 'const items = [{ Put: { Item: row } }];'), 'writes without a condition'],
    [append(TABLE, 'const batch = new BatchWriteCommand({});'), 'writes a batch'],
  ],
  noFilesForLeftovers: [
    [add('shared/core/utils.ts', 'const one = 1;'), 'shared/core/utils.ts'],
    [add('shared/core/index.ts', 'const one = 1;'), 'shared/core/index.ts'],
    [add('shared/helpers/one.ts', 'const one = 1;'), 'shared/helpers/one.ts'],
  ],
  fileNamesUseTheGlossary: [
    [add('shared/http/answers.ts', 'const one = 1;'), 'shared/http/answers.ts'],
    [add('infra/stand-ins/one.ts', 'const one = 1;'), 'infra/stand-ins/one.ts'],
  ],
  unitsComeLast: [
    [append(HOOK, 'const msTimeout = 1;'), 'msTimeout begins with its unit'],
    [append(HOOK, 'const timeout = 1000;'), 'timeout has no unit'],
    [append(HOOK, 'interface Limits { readonly maxAge: number }'), 'maxAge has no unit'],
  ],
  exportedFunctionsAreDocumented: [
    [
      append(HOOK, `// Not a doc comment.\nexport function one() {${'\n'.repeat(6)}}`),
      'without a doc comment',
    ],
    [append(HOOK, `export const one = () => [${'1,\n'.repeat(6)}];`), 'without a doc comment'],
  ],
  logLinesHoldNoPrivateData: [
    [append(HOOK, "logger.info('request', { body });"), 'logs body'],
    [append(HOOK, "logger.warn('request', { id: command.idNumber });"), 'logs command'],
    [append(HOOK, "const line = { ...event };\nlogger.error('request', line);"), 'logs event'],
    [append('shared/ledger/sweep.ts', 'console.log(1);'), 'writes to the console'],
  ],
  logLinesHoldNoRawErrors: [
    [append(HOOK, "logger.error('failed', error);"), 'logs a raw error'],
    [append(HOOK, "logger.error('failed', { cause: error.message });"), 'logs a raw error'],
  ],
  compilerIsStrict: [
    [
      replace('tsconfig.json', '"erasableSyntaxOnly": true', '"erasableSyntaxOnly": false'),
      'erasableSyntaxOnly',
    ],
  ],
  noDoubleCasts: [[append(HOOK, 'const one = 1 as unknown as string;'), 'casts twice']],
  checksAreNotSwitchedOff: [
    [append(HOOK, "// @ts-ignore\nconst one: number = '1';"), 'switches a check off'],
    [append(HOOK, '// biome-ignore lint: no reason\nconst one = 1;'), 'switches a check off'],
  ],
  fieldsOfResponsesHaveLimits: [
    [append(ADAPTER, 'const body = v.object({ message: v.string() });'), 'uses v.string'],
    [append(ADAPTER, 'const list = v.array(textField);'), 'uses v.array'],
    [append('shared/registries/mapping/shapes/nimc.ts', 'const any = v.nullish(v.any());'), 'uses v.any'],
  ],
  oneConsoleRouteIsOneFunction: [
    [remove('functions/console/list-keys.ts'), 'differ in list-keys'],
    [add('functions/console/list-secrets.ts', 'export const handler = 1;'), 'differ in list-secrets'],
    [replace('infra/console-routes.ts', "route: 'list-keys'", "route: 'show-home'"), 'differ in list-keys'],
    [replace(CONSOLE_ROUTES, /'list-keys': .*\n/, ''), 'differ in list-keys'],
  ],
  consoleFunctionsServeTheirRoute: [
    [
      replace('functions/console/rotate-key.ts', "consoleRoute('rotate-key'", "consoleRoute('list-services'"),
      'functions/console/rotate-key.ts: serves list-services',
    ],
    [
      replace('functions/console/rotate-key.ts', "consoleRoute('rotate-key'", "other('rotate-key'"),
      'functions/console/rotate-key.ts: serves no route',
    ],
  ],
  orderOfChecksIsDocumented: [
    [replace(CHECKS, /\| `key-address` \|.*\n/, ''), 'differ in key-address'],
    [
      replace(CHECKS, /(\| `api-key` \|.*\n)(\| `key-address` \|.*\n)/, '$2$1'),
      'the order is respond, https-only, rejected-request, api-key',
    ],
    [replace(KEYED_ROUTE, 'keyAddress(deps),', ''), 'differ in key-address'],
    [replace(CONSOLE_CHAIN, /role\(\),\s*/, ''), 'differ in role'],
    [replace('shared/http/console/chain.ts', /sameOrigin\(\),\s*/, ''), 'differ in same-origin'],
    [
      replace(CONSOLE_CHAIN, /role\(\),\s*recentSignIn\(\)/, 'recentSignIn(), role()'),
      'same-page, recent-sign-in, role, json-body',
    ],
    [replace(CHECKS, /\| `recent-sign-in` \|.*\n/, ''), 'differ in recent-sign-in'],
  ],
  everyMiddlewareIsInAChain: [
    [replace(KEYED_ROUTE, 'keyAddress(deps),', ''), 'key-address.ts: is in no chain'],
    [replace(CONSOLE_CHAIN, /role\(\),\s*/, ''), 'members/middleware/role.ts: is in no chain'],
    [
      add('shared/accounts/middleware/lucky.ts', 'export function lucky(): Middleware {}'),
      'lucky.ts: is in no chain',
    ],
  ],
  statusesOfChecksAreDocumented: [
    [replace(CHECKS, /(\| `https-only` \|.*)403/, '$1418'), 'https-only also responds with 403'],
    [replace(CHECKS, /(\| `session` \|.*)401/, '$1418'), 'session also responds with 401'],
  ],
  foldersAreDocumented: [
    [replace(PAGE, /^.*\bevents\b.*$/gm, ''), `${PAGE}: lacks the folder events`],
    [add('shared/extras/one.ts', 'const one = 1;'), 'README.md: lacks the folder extras'],
  ],
  flowsFollowImports: [
    [replace(FLOWS, '## A slip\n', '## A receipt\n'), 'the flows differ in A slip'],
    [
      replace('shared/slips/routes/nin-slip.ts', "'../make-slip.ts'", "'../token.ts'"),
      'A slip: no file above shared/slips/make-slip.ts imports it',
    ],
    [
      replace(FLOWS, /^1\. `functions\/start-top-up.ts`.*\n/m, ''),
      'no file above shared/payments/routes/start-top-up.ts',
    ],
  ],
  namedFilesExist: [
    [append(PAGE, 'See `shared/http/answers.ts`.'), 'names shared/http/answers.ts'],
    [append(PAGE, 'See [the ledger](leger.md).'), 'names docs/design/leger.md'],
    [remove(KEYED_ROUTE), `names ${KEYED_ROUTE}`],
  ],
  linkedHeadingsExist: [[append(PAGE, 'See [rights](security.md#no-such-title).'), '#no-such-title']],
  citedEntriesExist: [
    [append(HOOK, '// The request is logged (contract Z1).'), 'cites Z1'],
    [append(HOOK, '// Errors have codes (contract C4\n// to Z9).'), 'cites Z9'],
    [append(HOOK, '// The request is logged (decision E6).'), 'cites E6'],
    [append(PAGE, 'See contract [Z1](design/contract.md#z1).'), 'cites Z1'],
    [append('docs/design/contract.md', '### Z1\n\nNothing.'), 'no file cites Z1'],
  ],
  namedCommandsExist: [[append('README.md', '`npm run everything`'), 'npm run everything']],
  commandsAreDocumented: [
    [replace('package.json', '"scripts": {', '"scripts": { "secret": "true",'), 'npm run secret'],
  ],
  dependenciesAreExplained: [
    [replace('package.json', '"dependencies": {', '"dependencies": { "left-pad": "1.0.0",'), 'left-pad'],
    [replace('docs/dependencies.json', '"commander"', '"left-pad"'), 'left-pad'],
  ],
  dependencyTableIsCurrent: [
    [replace('docs/dependencies.json', '"command lines"', '"menus"'), 'does not match'],
    [replace(PAGE, '| command lines |', '| menus |'), 'does not match'],
  ],
  listsOfIdTypesAreComplete: [
    [
      replace('README.md', '\n', '\nNIN, BVN, CAC, TIN and BANK'),
      'README.md: says "NIN, BVN, CAC, TIN and BANK"',
    ],
    [
      replace('clients/python/pyproject.toml', 'and NUBAN', 'and BANK'),
      'clients/python/pyproject.toml: says',
    ],
  ],
  namedStatusesAreTheCatalogues: [[append(PAGE, '400 `PAYLOAD_TOO_LARGE`'), 'its status is 413']],
  guideTablesAreCurrent: [
    [replace('docs/guides/errors.md', '| 413 |', '| 414 |'), 'do not match the code'],
    [replace('docs/guides/limits.md', '4,096 bytes', '4,097 bytes'), 'do not match the code'],
  ],
  movesLeadSomewhere: [
    [
      replace('docs/moves.json', 'docs/guides/limits.md"', 'docs/guides/limit.md"'),
      'docs/guides/limit.md does not exist',
    ],
    [replace('docs/moves.json', '"docs/api.md"', '"docs/guides/api.md"'), 'docs/guides/api.md still exists'],
    [replace('docs/moves.json', '"docs/api.md"', '"docs/zoo.md"'), 'is not sorted'],
  ],
  operatorPagesAreCurrent: [
    [
      replace('docs/operate/admin/roles.md', '| `wallet correct` |  |', '| `wallet correct` | yes |'),
      'roles.md: its generated part does not match the code',
    ],
    [
      replace('docs/design/tables/wallets.md', '| `available` | number |', '| `free` | number |'),
      'wallets.md',
    ],
  ],
  consoleTablesAreCurrent: [
    [
      replace('docs/operate/console.md', '| 409 | `LAST_OWNER', '| 410 | `LAST_OWNER'),
      'do not match the code',
    ],
    [
      replace('docs/operate/console.md', '| owner, admin | recent |', '| all roles | recent |'),
      'do not match the code',
    ],
  ],
};

describe.each([...rules].map(([name, rule]) => [inWords(name), name, rule] as const))(
  '%s',
  (_, name, rule) => {
    test('holds for the project', () => {
      expect(rule(project)).toEqual([]);
    });

    test('fails on a copy that breaks it', () => {
      const mutations = MUTATIONS[name] ?? [];
      expect(mutations.length).toBeGreaterThan(0);
      for (const [breakIt, report] of mutations) {
        expect(rule(breakIt(project))).toContainEqual(expect.stringContaining(report));
      }
    });
  },
);

test('every write of a table module is checked: the rule reports each condition that is removed', () => {
  const tables = project.sources.filter(
    ({ path }) => path.startsWith('shared/') && path.endsWith('-table.ts'),
  );
  const conditions = tables.flatMap((source) =>
    allNodes(source)
      .filter((node) => node.type === 'ObjectProperty' && nameOf(node.key) === 'ConditionExpression')
      .map((node) => ({ path: source.path, start: node.start ?? 0, end: node.end ?? 0 })),
  );
  expect(conditions.length).toBeGreaterThan(10);
  const unseen = conditions.filter(({ path, start, end }) => {
    const without = edit(path, (text) => text.slice(0, start) + text.slice(end).replace(/^,/, ''));
    return codeRules.writesCarryConditions(without({ ...project, sources: [] })).length === 0;
  });
  expect(unseen).toEqual([]);
});

test('no mutation outlives its rule', () => {
  expect(Object.keys(MUTATIONS).filter((name) => !rules.has(name))).toEqual([]);
});

import type { ObjectExpression, ObjectProperty } from '@babel/types';
import { calleeName, find, lineOf, nameOf, type Project, type Source } from './project.ts';
import { differences, type Rule } from './rules.ts';

/** Rules of the account console's routes: who may use them, what they record, and which function serves them. */

const ROUTES = 'shared/http/console/routes.ts';
const FUNCTIONS = 'infra/console-routes.ts';

/** Routes without a session: the steps of the sign-in, and routes that return the same response to all callers. */
const PUBLIC_ROUTES = ['start-sign-in', 'finish-sign-in', 'show-status', 'show-status-feed'];

/**
 * Writes that need no audit record, each with its reason: they change only the caller's own session. This list only
 * shrinks.
 */
export const UNRECORDED_WRITES: Readonly<Record<string, string>> = {
  'switch-organisation': 'names another organisation of the same person in their session',
};

interface RouteRow {
  readonly name: string;
  readonly properties: ReadonlyMap<string, ObjectProperty['value']>;
  readonly line: number;
}

function sourceOf({ sources }: Project, path: string): Source | undefined {
  return sources.find((source) => source.path === path);
}

function consoleRoutesOf(project: Project): RouteRow[] {
  const source = sourceOf(project, ROUTES);
  const [table] = source ? constantsNamed(source, 'CONSOLE_ROUTES') : [];
  return propertiesOf(table).flatMap(({ key, value }) =>
    value.type === 'ObjectExpression'
      ? [{ name: nameOf(key), line: lineOf(key), properties: byName(value) }]
      : [],
  );
}

const byName = (object: ObjectExpression) =>
  new Map(propertiesOf(object).map(({ key, value }) => [nameOf(key), value]));

function propertiesOf(object: ObjectExpression | undefined): ObjectProperty[] {
  return object?.properties.filter((one) => one.type === 'ObjectProperty') ?? [];
}

/** Returns the object literals assigned to constants with this name, without `satisfies` and `as const`. */
function constantsNamed(source: Source, name: string): ObjectExpression[] {
  return find(source, 'VariableDeclarator')
    .filter(({ id }) => nameOf(id) === name)
    .flatMap(({ init }) => {
      let value = init;
      while (value?.type === 'TSSatisfiesExpression' || value?.type === 'TSAsExpression')
        value = value.expression;
      return value?.type === 'ObjectExpression' ? [value] : [];
    });
}

const report = ({ name, line }: RouteRow, what: string) => `${ROUTES}: line ${line}: ${name} ${what}`;

/** Each route names at least one role or `'signed-in'`, or is one of the public routes above. */
export const consoleRoutesHaveRoles: Rule = (project) =>
  consoleRoutesOf(project).flatMap((row) => {
    const roles = row.properties.get('roles');
    const isNamed = roles !== undefined && namesRoles(roles, sourceOf(project, ROUTES));
    if (!isNamed) return [report(row, 'names no role')];
    return nameOf(roles) === 'public' && !PUBLIC_ROUTES.includes(row.name)
      ? [report(row, 'needs no session')]
      : [];
  });

/** Whether the value is `'public'`, `'signed-in'`, or a list or constant with at least one role. */
function namesRoles(roles: ObjectProperty['value'], source: Source | undefined): boolean {
  if (roles.type === 'StringLiteral') return ['public', 'signed-in'].includes(roles.value);
  if (roles.type === 'ArrayExpression') return roles.elements.length > 0;
  if (roles.type === 'TSAsExpression') return namesRoles(roles.expression, source);
  const constants = source ? find(source, 'VariableDeclarator') : [];
  return constants.some(
    ({ id, init }) =>
      roles.type === 'Identifier' && nameOf(id) === roles.name && init && namesRoles(init, undefined),
  );
}

export const consoleWritesAreRecorded: Rule = (project) =>
  consoleRoutesOf(project)
    .filter(({ properties }) => nameOf(properties.get('method')) !== 'GET')
    .filter(({ name, properties }) => !(name in UNRECORDED_WRITES) && nameOf(properties.get('action')) === '')
    .map((row) => report(row, 'writes without an action of the audit trail'));

export const unrecordedWritesAreNeeded: Rule = (project) => {
  const unrecorded = consoleRoutesOf(project).filter(({ properties }) => !properties.has('action'));
  return Object.keys(UNRECORDED_WRITES)
    .filter((name) => !unrecorded.some((row) => row.name === name))
    .map((name) => `${name}: records an action, so it needs no exception`);
};

/** Functions of the console that serve no route of `CONSOLE_ROUTES`: the pages, and those that events invoke. */
const WITHOUT_ROUTE = ['site', 'send-alerts'];

/** Each route has a row and a file of its own. */
export const oneConsoleRouteIsOneFunction: Rule = (project) => {
  const routes = consoleRoutesOf(project).map(({ name }) => name);
  const files = project.sources.flatMap(({ path }) => /^functions\/console\/(.+)\.ts$/.exec(path)?.[1] ?? []);
  const source = sourceOf(project, FUNCTIONS);
  const rows = source ? find(source, 'ObjectExpression').map((row) => nameOf(byName(row).get('route'))) : [];
  return [
    ...differences(
      routes,
      files.filter((name) => !WITHOUT_ROUTE.includes(name)),
      `${ROUTES} and functions/console/`,
    ),
    ...differences(
      routes,
      rows.filter((name) => name !== ''),
      `${ROUTES} and ${FUNCTIONS}`,
    ),
  ];
};

const CHAINS = ['consoleRoute', 'signedInRoute', 'signInRoute', 'publicRead'];

/**
 * Each file passes the name of its own route to its chain. A different name would select the roles of a different
 * route.
 */
export const consoleFunctionsServeTheirRoute: Rule = (project) =>
  consoleRoutesOf(project).flatMap(({ name }) => {
    const path = `functions/console/${name}.ts`;
    const source = sourceOf(project, path);
    const chains = source
      ? find(source, 'CallExpression').filter((call) => CHAINS.includes(calleeName(call)))
      : [];
    const served = chains.map((call) => nameOf(call.arguments[0]));
    return served.join() === name ? [] : [`${path}: serves ${served.join(', ') || 'no route'}`];
  });

import type { ObjectExpression, ObjectProperty } from '@babel/types';
import { calleeName, find, nameOf, type Project, type Source } from './project.ts';
import { differences, type Rule } from './rules.ts';

/** Rules of the account console's routes: which function serves them. */

const ROUTES = 'shared/http/console/routes.ts';
const FUNCTIONS = 'infra/console-routes.ts';

function sourceOf({ sources }: Project, path: string): Source | undefined {
  return sources.find((source) => source.path === path);
}

/** Returns the names of the routes. */
function consoleRoutesOf(project: Project): string[] {
  const source = sourceOf(project, ROUTES);
  const [table] = source ? constantsNamed(source, 'CONSOLE_ROUTES') : [];
  return propertiesOf(table).map(({ key }) => nameOf(key));
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

/** Functions of the console that serve no route of `CONSOLE_ROUTES`: the pages, and those that events invoke. */
const WITHOUT_ROUTE = ['site', 'send-alerts'];

/** Each route has a row and a file of its own. */
export const oneConsoleRouteIsOneFunction: Rule = (project) => {
  const routes = consoleRoutesOf(project);
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

const CHAINS = ['consoleRoute', 'signedInRoute', 'signInRoute', 'signUpRoute', 'publicRead'];

/**
 * Each file passes the name of its own route to its chain. A different name would select the roles of a different
 * route.
 */
export const consoleFunctionsServeTheirRoute: Rule = (project) =>
  consoleRoutesOf(project).flatMap((name) => {
    const path = `functions/console/${name}.ts`;
    const source = sourceOf(project, path);
    const chains = source
      ? find(source, 'CallExpression').filter((call) => CHAINS.includes(calleeName(call)))
      : [];
    const served = chains.map((call) => nameOf(call.arguments[0]));
    return served.join() === name ? [] : [`${path}: serves ${served.join(', ') || 'no route'}`];
  });

import {
  CONSOLE_ALERTS,
  CONSOLE_FUNCTIONS,
  CONSOLE_SCHEDULES,
  CONSOLE_SITE,
  DELIVER_WEBHOOK,
  START_WEBHOOKS,
} from './console-routes.ts';
import { OPERATOR_FUNCTIONS } from './operator-routes.ts';
import { API_FUNCTION_NAMES } from './routes.ts';

/** The source file of each function, by the function's name. */
export const FUNCTION_SOURCES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...API_FUNCTION_NAMES,
      ...[...CONSOLE_SCHEDULES, START_WEBHOOKS, DELIVER_WEBHOOK].map(({ name }) => name),
    ].map((name) => [name, `functions/${name}.ts`]),
  ),
  ...Object.fromEntries(
    [...CONSOLE_FUNCTIONS, CONSOLE_SITE, CONSOLE_ALERTS].map(({ name }) => [
      name,
      `functions/console/${name.replace('console-', '')}.ts`,
    ]),
  ),
  ...Object.fromEntries(
    OPERATOR_FUNCTIONS.map(({ name }) => [name, `functions/operators/${name.replace('operators-', '')}.ts`]),
  ),
};

export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTION_SOURCES);

import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { JsonSchema } from './json-schemas.ts';
import { documentedCodes, ROUTE_NAMES, type RouteName } from './route-codes.ts';

/** Captured from a running service by `npm run openapi:examples`. */

/** Other names begin with the route or `api-gateway`, as in `banks.BANKS`. */
type ExampleName = ErrorCode | `${string}.${string}`;
export type Examples = Readonly<Partial<Record<ExampleName, unknown>>>;

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}

/** The first route that can return the error. */
export function exampleRoute(code: ErrorCode): RouteName | undefined {
  return ROUTE_NAMES.find((route) => documentedCodes(route).includes(code));
}

export function apiGatewayExample(code: ErrorCode): ExampleName {
  return `api-gateway.${code}`;
}

/** Throws if one is missing, unless `npm run openapi:examples` is about to capture it. */
export function shownExamples(names: readonly ExampleName[], examples: Examples): JsonSchema {
  const entries = names.map((name) => {
    if (examples[name] === undefined && !process.argv.includes('--before-examples'))
      throw new Error(`The example ${name} is missing. Run npm run openapi:examples.`);
    return [name, { value: examples[name] }];
  });
  return Object.fromEntries(entries);
}

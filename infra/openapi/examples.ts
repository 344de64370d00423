import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { JsonSchema } from './json-schemas.ts';
import { type RouteName, routeIdType } from './route-codes.ts';

/**
 * The example responses of the API document. test/openapi/examples.test.ts captures them from a running service:
 * `npm run openapi:examples`.
 */

/** `<group>.<code>`: routes with the same responses share their examples. */
export type ExampleName = `${string}.${string}`;
export type Examples = Readonly<Record<ExampleName, unknown>>;

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}

const PUBLIC: readonly RouteName[] = ['openapi', 'health', 'slip-check', 'unknown-route'];

/** Returns the group of a route: its ID type, `gateway`, `public`, or `account` for wallet and log. */
export function exampleGroup(route: RouteName): string {
  if (route === 'verify-identity') return 'gateway';
  if (PUBLIC.includes(route)) return 'public';
  return routeIdType(route) ?? 'account';
}

export function exampleName(route: RouteName, code: ErrorCode): ExampleName {
  return `${exampleGroup(route)}.${code}`;
}

export function apiGatewayExample(code: ErrorCode): ExampleName {
  return `api-gateway.${code}`;
}

export function exampleRef(name: ExampleName): JsonSchema {
  return { $ref: `#/components/examples/${name}` };
}

export function exampleRefs(names: readonly ExampleName[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, exampleRef(name)]));
}

/** Returns the examples that `users` refers to, for `components`. Throws if one is missing. */
export function exampleComponents(examples: Examples, users: unknown): JsonSchema {
  const references = JSON.stringify(users).matchAll(/"#\/components\/examples\/([^"]+)"/g);
  const names = [...new Set([...references].map(([, name]) => name as ExampleName))].sort();
  const entries = names.map((name) => {
    if (examples[name] === undefined)
      throw new Error(`The example ${name} is missing. Run npm run openapi:examples.`);
    return [name, { value: examples[name] }];
  });
  return Object.fromEntries(entries);
}

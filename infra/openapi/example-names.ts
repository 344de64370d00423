import type { ErrorCode } from '../../shared/core/errors.ts';
import { type RouteName, routeIdType } from './route-codes.ts';

/** Examples are shared by the routes that answer alike: `<group>.<code>`. */
export type ExampleName = `${string}.${string}`;

/** Answers of a real run, by name; test/openapi/examples.test.ts captures them. */
export type Examples = Readonly<Record<ExampleName, unknown>>;

const PUBLIC: readonly RouteName[] = ['openapi', 'health', 'slip-check', 'unknown-route'];

/** Dedicated routes of an ID type answer alike, and so do the reading routes; each group has its own examples. */
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

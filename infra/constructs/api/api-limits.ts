import type { StageConfig, Throttling } from '../../config.ts';
import { methodsOf, PREFIXES, ROUTES, type Route } from '../../routes.ts';
import { resourcePaths } from './resource-paths.ts';

/**
 * A stage's limit is not a total, but the default for each method; all methods share the account's quota (API Gateway
 * Developer Guide, "Throttle requests to your REST APIs").
 */

/** Of the method `ANY`. */
const HTTP_METHODS = 7;

export interface ApiLimits {
  /** By path and method: `/v1/banks/GET`. */
  readonly routes: Readonly<Record<string, Throttling>>;
  /** Those of the fallback, and HEAD of routes without a key. */
  readonly unknown: Throttling;
}

type Limited = Pick<StageConfig, 'throttling' | 'keylessThrottling'>;

/**
 * API Gateway accepts no limit for `ANY` (docs/design/decisions/0011-limits-without-a-key.md), and a forgotten method gets the
 * lowest limit.
 */
export function apiLimits(config: Limited): ApiLimits {
  const { throttling, keylessThrottling } = config;
  const routes = ROUTES.flatMap((route) =>
    limitedMethods(route).map((method) => [method, limitOf(route, config)] as const),
  );
  return { routes: Object.fromEntries(routes), unknown: lower(keylessThrottling.unknown, throttling) };
}

function limitOf(route: Route, { throttling, keylessThrottling }: Limited): Throttling {
  if (!route.isKeyless) return throttling;
  const keyless = lower(keylessThrottling.routes, throttling);
  return route.throttling ? lower(route.throttling, keyless) : keyless;
}

/** HEAD without a key is rare, so the lowest limit is enough. */
function limitedMethods(route: Route): string[] {
  const methods = route.isKeyless ? [route.method] : methodsOf(route);
  return PREFIXES.flatMap((prefix) => methods.map((method) => `${prefix}${route.path}/${method}`));
}

export function apiKeylessTotal(config: Limited): Throttling {
  const paths = resourcePaths(PREFIXES.flatMap((prefix) => ROUTES.map(({ path }) => prefix + path)));
  const keyless = ROUTES.filter(({ isKeyless }) => isKeyless).flatMap((route) =>
    limitedMethods(route).map(() => limitOf(route, config)),
  );
  const limited = ROUTES.flatMap(limitedMethods).length;
  return sumOfLimits(keyless, unknownMethods(paths, limited), apiLimits(config).unknown);
}

/** API Gateway counts each HTTP method of a path. */
export function unknownMethods(paths: readonly string[], limitedMethodCount: number): number {
  return paths.length * HTTP_METHODS - limitedMethodCount;
}

export function sumOfLimits(
  own: readonly Throttling[],
  unknownCount: number,
  unknown: Throttling,
): Throttling {
  const sum = (limit: keyof Throttling) =>
    own.reduce((total, one) => total + one[limit], unknownCount * unknown[limit]);
  return { rateLimit: sum('rateLimit'), burstLimit: sum('burstLimit') };
}

/** So that a limit of 0 of the stage rejects all requests (docs/operate/restore.md). */
export function lower(one: Throttling, other: Throttling): Throttling {
  return {
    rateLimit: Math.min(one.rateLimit, other.rateLimit),
    burstLimit: Math.min(one.burstLimit, other.burstLimit),
  };
}

/** The stage's own limit is the default for its methods. */
export function stageLimits({ routes, unknown }: ApiLimits) {
  const own = ({ rateLimit, burstLimit }: Throttling) => ({
    throttlingRateLimit: rateLimit,
    throttlingBurstLimit: burstLimit,
  });
  const methodOptions = Object.fromEntries(
    Object.entries(routes).map(([method, limit]) => [method, own(limit)]),
  );
  return { ...own(unknown), methodOptions };
}

export type StageLimits = ReturnType<typeof stageLimits>;

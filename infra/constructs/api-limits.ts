import type { StageConfig, Throttling } from '../config.ts';
import { methodsOf, PREFIXES, ROUTES, type Route } from '../routes.ts';
import { resourcePaths } from './resource-paths.ts';

/**
 * The limits of API Gateway. It has no limit for a whole stage: the limit of a stage is the default of each method, a
 * method's own limit replaces the default, and behind them all methods share the quota of the account (API Gateway
 * Developer Guide, "Throttle requests to your REST APIs" and "Override stage-level settings").
 */

/** The methods that a client can send to a method `ANY`. */
const HTTP_METHODS = 7;

/** AWS's default quota of an account, and that of the regions in `SMALL_REGIONS`. */
const USUAL_QUOTA: Throttling = { rateLimit: 10_000, burstLimit: 5_000 };
const SMALL_QUOTA: Throttling = { rateLimit: 2_500, burstLimit: 1_250 };

/** API Gateway Developer Guide, "API Gateway account-level quotas, per Region". */
const SMALL_REGIONS: readonly string[] = [
  ...['af-south-1', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-south-1', 'eu-south-2'],
  ...['il-central-1', 'me-central-1', 'mx-central-1'],
];

export interface ApiLimits {
  /** The limit of each method that has a route, by its path and method: `/v1/banks/GET`. */
  readonly routes: Readonly<Record<string, Throttling>>;
  /** The limit of each other method, which the fallback serves. */
  readonly unknown: Throttling;
}

type Limited = Pick<StageConfig, 'throttling' | 'keylessThrottling'>;

/**
 * Returns the limits of a stage. Only methods with routes have a limit of their own: API Gateway accepts no limit for the
 * method `ANY` (docs/decisions/0011-limits-without-a-key.md), and a forgotten method gets the lowest limit.
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

/** Returns the methods of a route with a limit of their own. HEAD without a key is rare, so the lowest limit is enough. */
function limitedMethods(route: Route): string[] {
  const methods = route.isKeyless ? [route.method] : methodsOf(route);
  return PREFIXES.flatMap((prefix) => methods.map((method) => `${prefix}${route.path}/${method}`));
}

/** Returns what all methods without an API key accept together. API Gateway counts each HTTP method of a path separately. */
export function keylessTotal(config: Limited): Throttling {
  const { unknown } = apiLimits(config);
  const paths = resourcePaths(PREFIXES.flatMap((prefix) => ROUTES.map(({ path }) => prefix + path)));
  const unknownMethods = paths.length * HTTP_METHODS - ROUTES.flatMap(limitedMethods).length;
  const keyless = ROUTES.filter(({ isKeyless }) => isKeyless).flatMap((route) =>
    limitedMethods(route).map(() => limitOf(route, config)),
  );
  const sum = (limit: keyof Throttling) => keyless.reduce((total, one) => total + one[limit], 0);
  return {
    rateLimit: unknownMethods * unknown.rateLimit + sum('rateLimit'),
    burstLimit: unknownMethods * unknown.burstLimit + sum('burstLimit'),
  };
}

/** Returns the quota of the account: the setting, or AWS's default for the region. */
export function accountQuota({ operations, region }: Pick<StageConfig, 'operations' | 'region'>): Throttling {
  const usual = SMALL_REGIONS.includes(region ?? '') ? SMALL_QUOTA : USUAL_QUOTA;
  return operations?.accountThrottling ?? usual;
}

/** `throttling: { rateLimit: 0, burstLimit: 0 }` rejects everyone, also without a key (docs/operations.md, "Restore"). */
function lower(one: Throttling, other: Throttling): Throttling {
  return {
    rateLimit: Math.min(one.rateLimit, other.rateLimit),
    burstLimit: Math.min(one.burstLimit, other.burstLimit),
  };
}

/** Returns the limits in the form of a deployment stage, whose own limit is the default of its methods. */
export function stageLimits(config: Limited) {
  const { routes, unknown } = apiLimits(config);
  const own = ({ rateLimit, burstLimit }: Throttling) => ({
    throttlingRateLimit: rateLimit,
    throttlingBurstLimit: burstLimit,
  });
  const methodOptions = Object.fromEntries(
    Object.entries(routes).map(([method, limit]) => [method, own(limit)]),
  );
  return { ...own(unknown), methodOptions };
}

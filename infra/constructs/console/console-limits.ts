import { CONSOLE_API, type ConsoleRouteName, consoleRouteOf } from '../../../shared/http/console/routes.ts';
import type { StageConfig, Throttling } from '../../config.ts';
import { CONSOLE_FUNCTIONS } from '../../console-routes.ts';
import { OPEN_PER_ADDRESS_PER_MINUTE } from '../api/api-firewall.ts';
import { type ApiLimits, apiKeylessTotal, lower, sumOfLimits, unknownMethods } from '../api/api-limits.ts';
import { resourcePaths } from '../api/resource-paths.ts';

/**
 * Routes of the console need no API key. Each person (`shared/members/person-limiter-table.ts`) and each address (the
 * firewall) also has a limit for all routes together.
 */

/**
 * API Gateway counts requests before the session is checked, so a limit must exceed what this many addresses may send.
 * The quota of the account leaves much more room for rates than for bursts.
 */
const LEAST_ADDRESSES = 20;
/** Of one address. A visit needs about ten, and an office may share one address. */
const MOST_PER_ADDRESS_PER_MINUTE = 240;
const FROM_ADDRESSES = (LEAST_ADDRESSES * MOST_PER_ADDRESS_PER_MINUTE) / 60;

/** For all members together. */
const MEMBERS: Throttling = { rateLimit: FROM_ADDRESSES, burstLimit: 15 };
/** They reach the identity provider without a session. */
const SIGN_IN: Throttling = {
  rateLimit: (LEAST_ADDRESSES * OPEN_PER_ADDRESS_PER_MINUTE) / 60,
  burstLimit: 10,
};
const SIGN_IN_ROUTES: readonly ConsoleRouteName[] = ['start-sign-in', 'finish-sign-in', 'sign-up'];
export const SIGN_IN_PATHS = SIGN_IN_ROUTES.map((route) => CONSOLE_API + consoleRouteOf(route).path);
/** A first visit loads the page and about six files, which the browser then caches. */
const PAGES: Throttling = { rateLimit: FROM_ADDRESSES, burstLimit: 50 };
/** No page uses them. */
const UNKNOWN: Throttling = { rateLimit: 1, burstLimit: 1 };

/** Never above the limit of the API's firewall. */
export function consoleFirewall({ requestsPerAddressPerMinute }: { requestsPerAddressPerMinute: number }) {
  return {
    requestsPerAddressPerMinute: Math.min(MOST_PER_ADDRESS_PER_MINUTE, requestsPerAddressPerMinute),
  };
}

export const SITE_METHODS = ['GET', 'HEAD'] as const;
export const SITE_PATHS = ['/', '/{proxy+}'] as const;

type Limited = Pick<StageConfig, 'throttling' | 'keylessThrottling'>;

/** A stage whose account has a small quota lowers these limits with those of the API's routes without a key. */
const TIMES_KEYLESS_RATE = 5;

/** Returns the limits of the console. */
export function consoleLimits({ throttling, keylessThrottling }: Limited): ApiLimits {
  const { rateLimit, burstLimit } = keylessThrottling.routes;
  const keyless = lower({ rateLimit: TIMES_KEYLESS_RATE * rateLimit, burstLimit }, throttling);
  const routes = CONSOLE_FUNCTIONS.map(({ route }) => {
    const { method, path } = consoleRouteOf(route);
    const limit = SIGN_IN_ROUTES.includes(route) ? SIGN_IN : MEMBERS;
    return [`${CONSOLE_API}${path}/${method}`, lower(limit, keyless)] as const;
  });
  const site = SITE_PATHS.map((path) => [`${path}/GET`, lower(PAGES, throttling)] as const);
  return {
    routes: Object.fromEntries([...routes, ...site]),
    unknown: lower(UNKNOWN, lower(keylessThrottling.unknown, throttling)),
  };
}

/** All of the console, and some of the API. */
export function keylessTotal(config: Limited & Pick<StageConfig, 'console'>): Throttling {
  const api = apiKeylessTotal(config);
  if (!config.console) return api;
  const { routes, unknown } = consoleLimits(config);
  const own = Object.values(routes);
  const paths = resourcePaths(CONSOLE_FUNCTIONS.map(({ route }) => CONSOLE_API + consoleRouteOf(route).path));
  return sumOfLimits([api, ...own], unknownMethods(paths, own.length), unknown);
}

import { ID_TYPES } from '../shared/core/id-types.ts';
import type { Throttling } from './config.ts';
import {
  type AccessProfile,
  accounts,
  apiDocument,
  balance,
  health,
  invoice,
  invoices,
  keyOnly,
  logEntry,
  logList,
  lots,
  probe,
  publisher,
  reconciler,
  revokeSlip,
  sandbox,
  slip,
  slipCheck,
  slipDetails,
  statement,
  sweeper,
  trailCopier,
  unknownRoute,
  verification,
  versionCheck,
} from './constructs/access/access-profiles.ts';
import { orderSettler, settler, startTopUp, topUp } from './constructs/access/payment-profiles.ts';

/** Those of the console are in console-routes.ts. */

/** Its code is the `handler` of the file that `FUNCTION_SOURCES` names. */
export interface FunctionSpec {
  readonly name: string;
  readonly access: AccessProfile;
  /**
   * @default 28, because API Gateway times out after 29 s
   */
  readonly timeoutSeconds?: number;
}

/** The same function serves it below `/api/v1`, with and without a trailing slash. */
export interface Route extends FunctionSpec {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A lower limit applies. */
  readonly isKeyless?: true;
  readonly throttling?: Throttling;
}

/** Paystack sends a few messages for each payment, and a browser opens one page. */
const PAYMENTS_THROTTLING = { rateLimit: 5, burstLimit: 10 };

/**
 * People type these details, so a low burst is enough. Guesses are also limited for each slip, and requests for each
 * address (`ApiFirewall`). With a higher burst, the methods that need no key would take so much of the quota that, in
 * regions with a low quota, a route with a key would have a burst of less than 100.
 */
const TYPED_DETAILS_THROTTLING = { rateLimit: 10, burstLimit: 8 };

/** Specification "Endpoints", contract A3. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/ng/nin-basic', name: 'nin-basic', access: verification('NIN') },
  { method: 'POST', path: '/ng/nin-premium', name: 'nin-premium', access: verification('NIN') },
  { method: 'POST', path: '/ng/nin/slip/download', name: 'nin-slip', access: slip },
  { method: 'POST', path: '/ng/nin/slip/revoke', name: 'revoke-slip', access: revokeSlip },
  { method: 'POST', path: '/ng/bvn-basic', name: 'bvn-basic', access: verification('BVN') },
  { method: 'POST', path: '/ng/bvn-premium', name: 'bvn-premium', access: verification('BVN') },
  { method: 'POST', path: '/ng/cac-basic', name: 'cac-basic', access: verification('CAC') },
  { method: 'POST', path: '/ng/cac-premium', name: 'cac-premium', access: verification('CAC') },
  { method: 'POST', path: '/ng/tin-basic', name: 'tin-basic', access: verification('TIN') },
  { method: 'POST', path: '/ng/nuban-basic', name: 'nuban-basic', access: accounts('NUBAN') },
  { method: 'POST', path: '/identities/verify', name: 'verify-identity', access: accounts(...ID_TYPES) },
  { method: 'GET', path: '/me', name: 'me', access: keyOnly },
  { method: 'GET', path: '/banks', name: 'banks', access: keyOnly },
  { method: 'GET', path: '/wallet/balance', name: 'wallet-balance', access: balance },
  { method: 'GET', path: '/wallet/transactions', name: 'wallet-transactions', access: statement },
  { method: 'GET', path: '/wallet/lots', name: 'wallet-lots', access: lots },
  { method: 'GET', path: '/wallet/invoices', name: 'wallet-invoices', access: invoices },
  { method: 'GET', path: '/wallet/invoices/{number}', name: 'wallet-invoice', access: invoice },
  { method: 'POST', path: '/wallet/top-ups', name: 'start-top-up', access: startTopUp },
  { method: 'GET', path: '/wallet/top-ups/{reference}', name: 'top-up', access: topUp },
  { method: 'GET', path: '/verifications', name: 'verifications', access: logList },
  { method: 'GET', path: '/verifications/{request_id}', name: 'verification', access: logEntry },
  { method: 'GET', path: '/openapi.json', name: 'openapi', access: apiDocument, isKeyless: true },
  { method: 'GET', path: '/health', name: 'health', access: health, isKeyless: true },
  { method: 'GET', path: '/slips/check/{token}', name: 'slip-check', access: slipCheck, isKeyless: true },
  {
    method: 'POST',
    path: '/slips/check/{token}',
    name: 'slip-details',
    access: slipDetails,
    isKeyless: true,
    throttling: TYPED_DETAILS_THROTTLING,
  },
  {
    method: 'POST',
    path: '/payments/paystack',
    name: 'paystack-webhook',
    access: orderSettler,
    isKeyless: true,
    throttling: PAYMENTS_THROTTLING,
  },
  {
    method: 'GET',
    path: '/payments/return',
    name: 'payment-return',
    access: orderSettler,
    isKeyless: true,
    throttling: PAYMENTS_THROTTLING,
  },
];

/** The paths that need no key, without their parameters. */
export const KEYLESS_PATHS = [
  ...new Set(ROUTES.filter(({ isKeyless }) => isKeyless).map(({ path }) => path.replace(/\/\{.*/, ''))),
];

export const PREFIXES = ['/v1', '/api/v1'] as const;

/** HEAD is served wherever GET is (contract A8). */
export function methodsOf({ method }: Pick<Route, 'method'>): readonly ('GET' | 'HEAD' | 'POST')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Serves all other methods and paths. */
export const UNKNOWN_ROUTE: FunctionSpec = { name: 'unknown-route', access: unknownRoute };

/** Those that requests reach through the API. */
export const INVOKED_BY_API: readonly FunctionSpec[] = [...ROUTES, UNKNOWN_ROUTE];

/** Called over HTTP like any other registry (contract A9). */
export const SANDBOX_REGISTRY: FunctionSpec = {
  name: 'sandbox-registry',
  access: sandbox,
  timeoutSeconds: 40,
};

/** Only in stages with a rollout. */
export const VERSION_CHECK: FunctionSpec = {
  name: 'check-new-version',
  access: versionCheck,
  timeoutSeconds: 180,
};

/** Only in stages with `operations.probeRegion`, in that region. */
export const PROBE: FunctionSpec = { name: 'probe', access: probe, timeoutSeconds: 25 };

export interface Schedule extends FunctionSpec {
  readonly everyMinutes: number;
  readonly timeoutSeconds: number;
}

/** `reconcile-wallets` starts every hour, so that it can continue a run that ran out of time. */
export const SCHEDULES: readonly Schedule[] = [
  { name: 'sweep-holds', everyMinutes: 1, timeoutSeconds: 50, access: sweeper },
  { name: 'reconcile-wallets', everyMinutes: 60, timeoutSeconds: 15 * 60, access: reconciler },
  { name: 'settle-top-ups', everyMinutes: 1, timeoutSeconds: 50, access: settler },
  { name: 'publish-events', everyMinutes: 1, timeoutSeconds: 50, access: publisher },
];

/** Has time to copy all rows if it is run by hand. */
export const COPY_AUDIT_TRAIL: FunctionSpec = {
  name: 'copy-audit-trail',
  access: trailCopier,
  timeoutSeconds: 15 * 60,
};

const namesOf = (specs: readonly FunctionSpec[]) => specs.map(({ name }) => name);

/** Those in the stack of functions. */
export const SERVING_FUNCTION_NAMES: readonly string[] = namesOf([
  ...INVOKED_BY_API,
  SANDBOX_REGISTRY,
  VERSION_CHECK,
]);

export const API_FUNCTION_NAMES: readonly string[] = [
  ...SERVING_FUNCTION_NAMES,
  ...namesOf([...SCHEDULES, COPY_AUDIT_TRAIL, PROBE]),
];

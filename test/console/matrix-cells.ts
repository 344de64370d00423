import type { ConsoleCode, ErrorCode } from '../../shared/core/errors.ts';
import { ROLES, type Role } from '../../shared/core/member-role.ts';
import { CONSOLE_ROUTES, type ConsoleRouteName, consoleRouteOf } from '../../shared/http/console/routes.ts';

/**
 * Who may use which route of the console: every route of CONSOLE_ROUTES with every kind of caller, and with IDs from
 * the caller's own organisation, IDs from another one, and IDs that do not exist. The expected results follow from the
 * table of routes and from the lists in this file.
 */

/** Callers without a valid session. Each has joined as an owner. */
const REJECTED_SESSIONS = [
  'signed out',
  'forged cookie',
  'cookie with the ID of another organisation',
  'ended session',
  'session after an hour without a request',
  'session 12 hours after it began',
  'signed out on all devices',
  'removed member',
] as const;

export const CALLERS = [
  ...ROLES,
  'without organisation',
  'owner of a suspended organisation',
  'owner without a recent sign-in',
  'owner on a page of another site',
  ...REJECTED_SESSIONS,
] as const;
export type Caller = (typeof CALLERS)[number];

/** What the IDs of a request belong to. `live`: to the live environment of the caller's own organisation. */
export type Target = 'own' | 'live' | 'foreign' | 'unknown';

export interface Cell {
  readonly route: ConsoleRouteName;
  readonly caller: Caller;
  readonly target: Target;
}

export interface Expected {
  readonly status: number;
  readonly code?: ConsoleCode | ErrorCode | 'OK';
}

const WITH_IDS: readonly ConsoleRouteName[] = [
  'switch-organisation',
  'accept-invitation',
  'cancel-invitation',
  'change-member',
  'remove-member',
  'update-key',
  'rotate-key',
  'revoke-key',
  'show-invoice',
  'show-top-up',
  'show-request',
  'withdraw-slip',
  'update-webhook',
  'delete-webhook',
  'rotate-webhook-secret',
  'test-webhook',
  'list-deliveries',
  'list-attempts',
  'replay-deliveries',
  'resend-delivery',
];

/** Routes that treat the live environment differently: developers may change only what belongs to tests. */
const WITH_LIVE: readonly ConsoleRouteName[] = [
  'create-key',
  'update-key',
  'rotate-key',
  'revoke-key',
  'add-webhook',
  'withdraw-slip',
];

/**
 * Returns the targets that a route distinguishes. `change-service` has no foreign target, because services have the
 * same names in all organisations.
 */
function targetsOf(route: ConsoleRouteName): Target[] {
  return [
    'own',
    ...(WITH_LIVE.includes(route) ? (['live'] as const) : []),
    ...(WITH_IDS.includes(route) ? (['foreign', 'unknown'] as const) : []),
    ...(route === 'change-service' ? (['unknown'] as const) : []),
  ];
}

export const CELLS: readonly Cell[] = CALLERS.flatMap((caller) =>
  (Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[]).flatMap((route) =>
    targetsOf(route).map((target) => ({ route, caller, target })),
  ),
);

const OK: Expected = { status: 200, code: 'OK' };
/** Routes that return a file instead of the envelope. */
const FILES: readonly ConsoleRouteName[] = ['show-invoice'];
/** Routes whose 404 has the code of the API. */
const MISSING: Partial<Readonly<Record<ConsoleRouteName, ErrorCode>>> = {
  'show-invoice': 'INVOICE_NOT_FOUND',
  'show-top-up': 'TOP_UP_NOT_FOUND',
};

const FROM_ANOTHER_SITE: Expected = { status: 403, code: 'CROSS_SITE_REQUEST' };

/** Public routes. The other routes without a session are steps of the sign-in, which redirect. */
const PUBLIC: Partial<Readonly<Record<ConsoleRouteName, Expected>>> = {
  'sign-up': OK,
  'show-status': OK,
  // A feed has no code.
  'show-status-feed': { status: 200 },
};

export function expectedOf({ route, caller, target }: Cell): Expected {
  const { roles, method } = consoleRouteOf(route);
  if (method === 'POST' && caller === 'owner on a page of another site') return FROM_ANOTHER_SITE;
  if (roles === 'public') return PUBLIC[route] ?? { status: 303 };
  const rejected = rejectionOf(route, caller, target);
  if (rejected) return rejected;
  const isMissing = target === 'foreign' || target === 'unknown';
  if (isMissing && route === 'accept-invitation') return { status: 409, code: 'INVITATION_NOT_USABLE' };
  if (isMissing) return { status: 404, code: MISSING[route] ?? 'RESOURCE_NOT_FOUND' };
  if (target === 'live' && caller === 'developer') return { status: 403, code: 'ROLE_REQUIRED' };
  return FILES.includes(route) ? { status: 200 } : OK;
}

/** Returns the error that the caller gets on this route before its ID is looked up, if any. */
function rejectionOf(route: ConsoleRouteName, caller: Caller, target: Target): Expected | undefined {
  const { roles, needsRecentSignIn, whileSuspended } = consoleRouteOf(route);
  if (caller === 'owner on a page of another site') return FROM_ANOTHER_SITE;
  if (isRejectedSession(caller)) return { status: 401, code: 'SIGN_IN_REQUIRED' };
  if (roles === 'signed-in' || roles === 'public') return undefined;
  if (caller === 'without organisation') return { status: 403, code: 'ORGANISATION_REQUIRED' };
  if (caller === 'owner of a suspended organisation' && !whileSuspended)
    return { status: 403, code: 'ORGANISATION_SUSPENDED' };
  if (!roles.includes(roleOf(caller))) return { status: 403, code: 'ROLE_REQUIRED' };
  const isRecent = caller !== 'owner without a recent sign-in';
  const needsRecent = needsRecentSignIn === 'always' || (needsRecentSignIn === 'live' && target === 'live');
  return needsRecent && !isRecent ? { status: 403, code: 'RECENT_SIGN_IN_REQUIRED' } : undefined;
}

export const isRejectedSession = (caller: Caller) => REJECTED_SESSIONS.some((one) => one === caller);

export const roleOf = (caller: Caller): Role => ROLES.find((role) => role === caller) ?? 'owner';

export interface Judged {
  readonly cell: Cell;
  readonly expected: Expected;
  readonly actual: Expected;
  readonly verdict: 'as expected' | 'unexpected allow' | 'unexpected reject' | 'different response';
}

/** Compares a response with the table. A redirect counts as allowed. */
export function judge(cell: Cell, actual: Expected): Judged {
  const expected = expectedOf(cell);
  const [isAllowed, isExpected] = [actual, expected].map(({ status }) => status < 400);
  const isSame = actual.status === expected.status && actual.code === expected.code;
  if (isSame) return { cell, expected, actual, verdict: 'as expected' };
  if (isAllowed === isExpected) return { cell, expected, actual, verdict: 'different response' };
  return { cell, expected, actual, verdict: isAllowed ? 'unexpected allow' : 'unexpected reject' };
}

export function summaryOf(judged: readonly Judged[]): string {
  const allows = judged.filter(({ verdict }) => verdict === 'unexpected allow').length;
  return `${judged.length} cells, ${allows} unexpected allows`;
}

import type { Role } from '../../core/member-role.ts';

/** The routes of the account console, below `/console/api` (docs/operate/console.md, "Roles"). */

interface Access {
  /** Below `/console/api`. */
  readonly path: string;
  /**
   * `public`: needs no session. `signed-in`: also for people without an organisation. Otherwise: the roles that may
   * call it.
   */
  readonly roles: 'public' | 'signed-in' | readonly [Role, ...Role[]];
  /**
   * Needs a sign-in that is at most 15 minutes old. `live`: only if the body contains `"env": "live"`, or the key is
   * live.
   */
  readonly needsRecentSignIn?: 'always' | 'live';
  /** Whether members of a suspended organisation may call it: its bookkeeping goes on. */
  readonly whileSuspended?: true;
}

interface Read {
  readonly method: 'GET';
  readonly action?: undefined;
}

interface Write {
  readonly method: 'POST' | 'PUT';
  /** The action in the audit trail. */
  readonly action: string;
}

/** Changes no organisation. */
interface UnrecordedWrite {
  readonly method: 'POST';
  readonly path: '/session/organisation' | '/sign-up';
  readonly action?: undefined;
}

export type ConsoleRoute = Access & (Read | Write | UnrecordedWrite);

const EVERYONE = ['owner', 'admin', 'developer', 'finance', 'viewer'] as const;
const MANAGERS = ['owner', 'admin'] as const;
const KEY_USERS = ['owner', 'admin', 'developer'] as const;
const PAYERS = ['owner', 'admin', 'finance'] as const;
/** The roles that may read requests. */
const REQUEST_READERS = ['owner', 'admin', 'developer', 'viewer'] as const;

export const CONSOLE_ROUTES = {
  'start-sign-in': { method: 'GET', path: '/session/start', roles: 'public' },
  'finish-sign-in': { method: 'GET', path: '/session/callback', roles: 'public' },
  'sign-up': { method: 'POST', path: '/sign-up', roles: 'public' },
  'show-session': { method: 'GET', path: '/session', roles: 'signed-in' },
  'switch-organisation': { method: 'POST', path: '/session/organisation', roles: 'signed-in' },
  'end-session': {
    method: 'POST',
    path: '/session/end',
    roles: 'signed-in',
    action: 'session end everywhere',
  },
  'create-organisation': {
    method: 'POST',
    path: '/organisations',
    roles: 'signed-in',
    action: 'organisation create',
  },
  'accept-invitation': {
    method: 'POST',
    path: '/invitations/accept',
    roles: 'signed-in',
    action: 'invitation accept',
  },
  'show-home': { method: 'GET', path: '/home', roles: EVERYONE },
  'show-organisation': { method: 'GET', path: '/organisation', roles: MANAGERS },
  'update-organisation': {
    method: 'PUT',
    path: '/organisation',
    roles: MANAGERS,
    needsRecentSignIn: 'always',
    action: 'organisation update',
  },
  'submit-organisation': {
    method: 'POST',
    path: '/organisation/submit',
    roles: MANAGERS,
    action: 'organisation submit',
  },
  'list-members': { method: 'GET', path: '/members', roles: MANAGERS },
  'invite-member': {
    method: 'POST',
    path: '/invitations',
    roles: MANAGERS,
    needsRecentSignIn: 'always',
    action: 'member invite',
  },
  'cancel-invitation': {
    method: 'POST',
    path: '/invitations/{id}/cancel',
    roles: MANAGERS,
    needsRecentSignIn: 'always',
    action: 'invitation cancel',
  },
  'change-member': {
    method: 'PUT',
    path: '/members/{id}',
    roles: MANAGERS,
    needsRecentSignIn: 'always',
    action: 'member change',
  },
  'remove-member': {
    method: 'POST',
    path: '/members/{id}/remove',
    roles: MANAGERS,
    needsRecentSignIn: 'always',
    action: 'member remove',
  },
  'list-keys': { method: 'GET', path: '/keys', roles: KEY_USERS },
  'create-key': {
    method: 'POST',
    path: '/keys',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'key create',
  },
  'update-key': {
    method: 'PUT',
    path: '/keys/{id}',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'key update',
  },
  'rotate-key': {
    method: 'POST',
    path: '/keys/{id}/rotate',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'key rotate',
  },
  'revoke-key': {
    method: 'POST',
    path: '/keys/{id}/revoke',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'key revoke',
  },
  'take-test-credits': {
    method: 'POST',
    path: '/test-credits',
    roles: KEY_USERS,
    action: 'test credits',
  },
  'list-services': { method: 'GET', path: '/services', roles: EVERYONE },
  'change-service': {
    method: 'PUT',
    path: '/services/{service}',
    roles: MANAGERS,
    needsRecentSignIn: 'always',
    action: 'service change',
  },
  'list-changes': { method: 'GET', path: '/audit', roles: MANAGERS },
  'show-wallet': { method: 'GET', path: '/wallet', roles: PAYERS, whileSuspended: true },
  'list-statement': { method: 'GET', path: '/wallet/statement', roles: PAYERS, whileSuspended: true },
  'list-invoices': { method: 'GET', path: '/invoices', roles: PAYERS, whileSuspended: true },
  'show-invoice': { method: 'GET', path: '/invoices/{number}', roles: PAYERS, whileSuspended: true },
  'update-billing': {
    method: 'PUT',
    path: '/wallet/billing',
    roles: PAYERS,
    needsRecentSignIn: 'always',
    action: 'billing update',
  },
  'change-balance-alert': {
    method: 'PUT',
    path: '/wallet/alert',
    roles: PAYERS,
    needsRecentSignIn: 'always',
    action: 'balance alert',
  },
  'change-automatic-top-up': {
    method: 'PUT',
    path: '/wallet/automatic-top-up',
    roles: ['owner', 'finance'],
    whileSuspended: true,
    needsRecentSignIn: 'always',
    action: 'automatic top-up',
  },
  'start-top-up': { method: 'POST', path: '/wallet/top-ups', roles: PAYERS, action: 'top-up start' },
  'show-top-up': { method: 'GET', path: '/wallet/top-ups/{reference}', roles: PAYERS },
  'list-requests': { method: 'GET', path: '/requests', roles: REQUEST_READERS },
  'show-request': { method: 'GET', path: '/requests/{request_id}', roles: REQUEST_READERS },
  'withdraw-slip': {
    method: 'POST',
    path: '/requests/{request_id}/withdraw',
    roles: KEY_USERS,
    needsRecentSignIn: 'always',
    action: 'slip withdraw',
  },
  'show-usage': { method: 'GET', path: '/usage', roles: EVERYONE },
  'send-test-request': {
    method: 'POST',
    path: '/playground',
    roles: KEY_USERS,
    action: 'playground request',
  },
  'show-alerts': { method: 'GET', path: '/alerts', roles: EVERYONE },
  'change-alerts': {
    method: 'PUT',
    path: '/alerts',
    roles: EVERYONE,
    needsRecentSignIn: 'always',
    action: 'alerts change',
  },
  'list-webhooks': { method: 'GET', path: '/webhooks', roles: KEY_USERS },
  'add-webhook': {
    method: 'POST',
    path: '/webhooks',
    roles: KEY_USERS,
    needsRecentSignIn: 'always',
    action: 'webhook add',
  },
  'update-webhook': {
    method: 'PUT',
    path: '/webhooks/{id}',
    roles: KEY_USERS,
    needsRecentSignIn: 'always',
    action: 'webhook update',
  },
  'delete-webhook': {
    method: 'POST',
    path: '/webhooks/{id}/delete',
    roles: KEY_USERS,
    needsRecentSignIn: 'always',
    action: 'webhook delete',
  },
  'rotate-webhook-secret': {
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    roles: KEY_USERS,
    needsRecentSignIn: 'always',
    action: 'webhook rotate',
  },
  'test-webhook': {
    method: 'POST',
    path: '/webhooks/{id}/test',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'webhook test',
  },
  'list-deliveries': { method: 'GET', path: '/webhooks/{id}/deliveries', roles: KEY_USERS },
  'list-attempts': { method: 'GET', path: '/deliveries/{id}/attempts', roles: KEY_USERS },
  'replay-deliveries': {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'delivery replay',
  },
  'resend-delivery': {
    method: 'POST',
    path: '/deliveries/{id}/resend',
    roles: KEY_USERS,
    needsRecentSignIn: 'live',
    action: 'delivery resend',
  },
  'show-status': { method: 'GET', path: '/status', roles: 'public' },
  'show-status-feed': { method: 'GET', path: '/status/feed', roles: 'public' },
} as const satisfies Readonly<Record<string, ConsoleRoute>>;

export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES;

export function consoleRouteOf(name: ConsoleRouteName): ConsoleRoute {
  return CONSOLE_ROUTES[name];
}

/** The path under which the routes are served. All other paths belong to the pages. */
export const CONSOLE_API = '/console/api';

import type { Role } from '../../../shared/core/member-role.ts';
import type { ConsoleRouteName } from '../../../shared/http/console/routes.ts';

/**
 * The roles that may use each route that a page checks. This is an extract of `CONSOLE_ROUTES`, because the whole list
 * would make up 2.5% of the size of the first page. A test compares the two.
 */

const EVERYONE: readonly Role[] = ['owner', 'admin', 'developer', 'finance', 'viewer'];
const KEY_USERS = EVERYONE.slice(0, 3);
const MANAGERS = EVERYONE.slice(0, 2);
const PAYERS: readonly Role[] = [...MANAGERS, 'finance'];
const CARD_SAVERS: readonly Role[] = ['owner', 'finance'];
const REQUEST_READERS: readonly Role[] = [...KEY_USERS, 'viewer'];

export const PERMITTED = {
  'show-home': EVERYONE,
  'show-organisation': MANAGERS,
  'update-organisation': MANAGERS,
  'list-members': MANAGERS,
  'invite-member': MANAGERS,
  'list-keys': KEY_USERS,
  'create-key': KEY_USERS,
  'take-test-credits': KEY_USERS,
  'list-services': EVERYONE,
  'change-service': MANAGERS,
  'list-changes': MANAGERS,
  'show-wallet': PAYERS,
  'change-automatic-top-up': CARD_SAVERS,
  'list-requests': REQUEST_READERS,
  'show-usage': EVERYONE,
  'send-test-request': KEY_USERS,
  'list-webhooks': KEY_USERS,
  'show-alerts': EVERYONE,
} as const satisfies Partial<Record<ConsoleRouteName, readonly Role[]>>;

export type PermittedRoute = keyof typeof PERMITTED;

import { expect, test } from '@jest/globals';
import { ROLES, type Role } from '../../../shared/core/member-role.ts';
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../../shared/http/console/routes.ts';
import { mayAssign } from '../../../shared/members/role.ts';

/** Who may call the routes of the console. Other tests take the roles from the table of routes itself. */

const ROUTES = Object.entries<ConsoleRoute>(CONSOLE_ROUTES);

/** Returns the routes that match, separated by spaces. */
const namesWhere = (matches: (route: ConsoleRoute) => boolean) =>
  ROUTES.flatMap(([name, route]) => (matches(route) ? [name] : [])).join(' ');
const openTo = (...roles: readonly Role[]) => namesWhere((route) => String(route.roles) === roles.join());

test('each route of the console is open to these callers and to no others', () => {
  expect({
    public: namesWhere(({ roles }) => roles === 'public'),
    'signed in': namesWhere(({ roles }) => roles === 'signed-in'),
    members: openTo(...ROLES),
    managers: openTo('owner', 'admin'),
    'key users': openTo('owner', 'admin', 'developer'),
    payers: openTo('owner', 'admin', 'finance'),
    'savers of cards': openTo('owner', 'finance'),
    'readers of requests': openTo('owner', 'admin', 'developer', 'viewer'),
  }).toEqual({
    public: 'start-sign-in finish-sign-in sign-up show-status show-status-feed',
    'signed in': 'show-session switch-organisation end-session create-organisation accept-invitation',
    members: 'show-home list-services show-usage show-alerts change-alerts',
    managers:
      'show-organisation update-organisation submit-organisation list-members invite-member cancel-invitation change-member remove-member change-service list-changes',
    'key users':
      'list-keys create-key update-key rotate-key revoke-key take-test-credits withdraw-slip send-test-request list-webhooks add-webhook update-webhook delete-webhook rotate-webhook-secret test-webhook list-deliveries list-attempts replay-deliveries resend-delivery',
    payers:
      'show-wallet list-statement list-invoices show-invoice update-billing change-balance-alert start-top-up show-top-up',
    'savers of cards': 'change-automatic-top-up',
    'readers of requests': 'list-requests show-request',
  });
});

test('these routes need a recent sign-in', () => {
  expect(namesWhere(({ needsRecentSignIn }) => needsRecentSignIn === 'always')).toBe(
    'update-organisation invite-member cancel-invitation change-member remove-member change-service update-billing change-balance-alert change-automatic-top-up withdraw-slip change-alerts add-webhook update-webhook delete-webhook rotate-webhook-secret',
  );
  expect(namesWhere(({ needsRecentSignIn }) => needsRecentSignIn === 'live')).toBe(
    'create-key update-key rotate-key revoke-key test-webhook replay-deliveries resend-delivery',
  );
});

test('only owners may give or take away the role of owner, and other roles only owners and administrators', () => {
  const assignable = ROLES.map((own) => [own, ROLES.filter((role) => mayAssign(own, role)).join(' ')]);
  expect(Object.fromEntries(assignable)).toEqual({
    owner: 'owner admin developer finance viewer',
    admin: 'admin developer finance viewer',
    developer: '',
    finance: '',
    viewer: '',
  });
});

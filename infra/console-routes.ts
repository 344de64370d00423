import { ALERT_EVENTS } from '../shared/alerts/alert.ts';
import type { ConsoleRouteName } from '../shared/http/console/routes.ts';
import { WEBHOOK_EVENTS } from '../shared/webhooks/start-webhooks.ts';
import * as account from './constructs/access/console-account-profiles.ts';
import * as alerts from './constructs/access/console-alert-profiles.ts';
import * as endpoints from './constructs/access/console-endpoint-profiles.ts';
import * as webhooks from './constructs/access/console-endpoint-profiles.ts';
import * as organisation from './constructs/access/console-organisation-profiles.ts';
import * as access from './constructs/access/console-profiles.ts';
import * as status from './constructs/access/console-profiles.ts';
import * as requests from './constructs/access/console-request-profiles.ts';
import { sendTestRequest } from './constructs/access/console-request-profiles.ts';
import * as team from './constructs/access/console-team-profiles.ts';
import * as usage from './constructs/access/console-usage-profiles.ts';
import * as wallet from './constructs/access/console-wallet-profiles.ts';
import type { EventFunction } from './constructs/functions/event-function.ts';
import { DELIVERY_TIMEOUT_SECONDS } from './constructs/functions/webhook-queue.ts';
import type { FunctionSpec, Schedule } from './routes.ts';

/** The functions of the account console. Their methods, paths and roles are in `shared/http/console/routes.ts`. */

/** A function that serves one route. Its code is the `handler` of `functions/console/<route>.ts`. */
interface ConsoleFunction extends FunctionSpec {
  readonly name: `console-${ConsoleRouteName}`;
  readonly route: ConsoleRouteName;
}

export const CONSOLE_FUNCTIONS: readonly ConsoleFunction[] = [
  { name: 'console-start-sign-in', route: 'start-sign-in', access: access.startSignIn },
  { name: 'console-finish-sign-in', route: 'finish-sign-in', access: access.finishSignIn },
  { name: 'console-sign-up', route: 'sign-up', access: access.signUp },
  { name: 'console-show-session', route: 'show-session', access: access.showSession },
  { name: 'console-switch-organisation', route: 'switch-organisation', access: access.showSession },
  { name: 'console-end-session', route: 'end-session', access: access.endSession },
  {
    name: 'console-create-organisation',
    route: 'create-organisation',
    access: organisation.createOrganisation,
  },
  { name: 'console-accept-invitation', route: 'accept-invitation', access: team.acceptInvitation },
  { name: 'console-show-organisation', route: 'show-organisation', access: organisation.showOrganisation },
  {
    name: 'console-update-organisation',
    route: 'update-organisation',
    access: organisation.updateOrganisation,
  },
  {
    name: 'console-submit-organisation',
    route: 'submit-organisation',
    access: organisation.submitOrganisation,
  },
  { name: 'console-list-members', route: 'list-members', access: team.listMembers },
  { name: 'console-invite-member', route: 'invite-member', access: team.inviteMember },
  { name: 'console-cancel-invitation', route: 'cancel-invitation', access: team.cancelInvitation },
  { name: 'console-change-member', route: 'change-member', access: team.changeMember },
  { name: 'console-remove-member', route: 'remove-member', access: team.changeMember },
  { name: 'console-show-home', route: 'show-home', access: account.showHome },
  { name: 'console-list-keys', route: 'list-keys', access: account.listKeys },
  { name: 'console-create-key', route: 'create-key', access: account.createKey },
  { name: 'console-update-key', route: 'update-key', access: account.updateKey },
  { name: 'console-rotate-key', route: 'rotate-key', access: account.rotateKey },
  { name: 'console-revoke-key', route: 'revoke-key', access: account.revokeKey },
  { name: 'console-take-test-credits', route: 'take-test-credits', access: account.takeTestCredits },
  { name: 'console-list-services', route: 'list-services', access: account.listServices },
  { name: 'console-change-service', route: 'change-service', access: account.changeService },
  { name: 'console-send-test-request', route: 'send-test-request', access: sendTestRequest },
  { name: 'console-list-changes', route: 'list-changes', access: account.listChanges },
  { name: 'console-show-wallet', route: 'show-wallet', access: wallet.showWallet },
  { name: 'console-list-statement', route: 'list-statement', access: wallet.listStatement },
  { name: 'console-list-invoices', route: 'list-invoices', access: wallet.listInvoices },
  { name: 'console-show-invoice', route: 'show-invoice', access: wallet.showInvoice },
  { name: 'console-update-billing', route: 'update-billing', access: wallet.updateBilling },
  { name: 'console-change-balance-alert', route: 'change-balance-alert', access: wallet.changeBalanceAlert },
  {
    name: 'console-change-automatic-top-up',
    route: 'change-automatic-top-up',
    access: wallet.changeAutomaticTopUp,
  },
  { name: 'console-start-top-up', route: 'start-top-up', access: wallet.startTopUp },
  { name: 'console-show-top-up', route: 'show-top-up', access: wallet.showTopUp },
  { name: 'console-show-alerts', route: 'show-alerts', access: alerts.showAlerts },
  { name: 'console-change-alerts', route: 'change-alerts', access: alerts.changeAlerts },
  { name: 'console-list-webhooks', route: 'list-webhooks', access: endpoints.listWebhooks },
  { name: 'console-add-webhook', route: 'add-webhook', access: endpoints.addWebhook },
  { name: 'console-update-webhook', route: 'update-webhook', access: endpoints.updateWebhook },
  { name: 'console-delete-webhook', route: 'delete-webhook', access: endpoints.deleteWebhook },
  {
    name: 'console-rotate-webhook-secret',
    route: 'rotate-webhook-secret',
    access: endpoints.rotateWebhookSecret,
  },
  { name: 'console-test-webhook', route: 'test-webhook', access: endpoints.testWebhook },
  { name: 'console-list-deliveries', route: 'list-deliveries', access: endpoints.listDeliveries },
  { name: 'console-list-attempts', route: 'list-attempts', access: endpoints.listAttempts },
  { name: 'console-replay-deliveries', route: 'replay-deliveries', access: endpoints.replayDeliveries },
  { name: 'console-resend-delivery', route: 'resend-delivery', access: endpoints.resendDelivery },
  { name: 'console-show-status', route: 'show-status', access: status.showStatus },
  { name: 'console-show-status-feed', route: 'show-status-feed', access: status.showStatus },
  { name: 'console-show-usage', route: 'show-usage', access: usage.showUsage },
  { name: 'console-list-requests', route: 'list-requests', access: requests.listRequests },
  { name: 'console-show-request', route: 'show-request', access: requests.showRequest },
  { name: 'console-withdraw-slip', route: 'withdraw-slip', access: requests.withdrawSlip },
];

/** The scheduled functions of the console. Their code is the `handler` of `functions/<name>.ts`. */
export const CONSOLE_SCHEDULES: readonly Schedule[] = [
  { name: 'roll-up-usage', everyMinutes: 60, timeoutSeconds: 15 * 60, access: usage.rollUpUsage },
];

/**
 * Adds deliveries to the webhook queue. It has a long timeout, because an event about a registry may concern many
 * organisations.
 */
export const START_WEBHOOKS: EventFunction = {
  name: 'start-webhooks',
  access: webhooks.startWebhooks,
  timeoutSeconds: 15 * 60,
  eventTypes: WEBHOOK_EVENTS,
};

/** Runs for the messages in the webhook queue. Its code is the `handler` of `functions/deliver-webhook.ts`. */
export const DELIVER_WEBHOOK: FunctionSpec = {
  name: 'deliver-webhook',
  access: webhooks.deliverWebhook,
  timeoutSeconds: DELIVERY_TIMEOUT_SECONDS,
};

/** Serves the pages, and every method and path that no other function serves. It reads only its own files. */
export const CONSOLE_SITE: FunctionSpec = { name: 'console-site', access: {} };

/**
 * Stores the alerts of organisations and sends their emails. It has a long timeout, because an event about a registry
 * may concern many organisations.
 */
export const CONSOLE_ALERTS: EventFunction = {
  name: 'console-send-alerts',
  access: alerts.sendAlerts,
  timeoutSeconds: 15 * 60,
  eventTypes: ALERT_EVENTS,
};

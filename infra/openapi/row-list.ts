import { apiKey } from '../../shared/accounts/api-key.ts';
import { organisation } from '../../shared/accounts/organisation.ts';
import { rejectedRow } from '../../shared/accounts/rejected-request-table.ts';
import { alert, alertChoice, outage } from '../../shared/alerts/alert.ts';
import { alertDay, alertedEvent, sentMail } from '../../shared/alerts/alert-table.ts';
import { approval, approvalRequest } from '../../shared/audit/approval.ts';
import { auditEntry } from '../../shared/audit/audit-entry.ts';
import { publishedRow } from '../../shared/events/published-table.ts';
import { erasureMarker } from '../../shared/ledger/reconcile/rows.ts';
import { reconciliationRun, seal, sealHead } from '../../shared/ledger/reconcile/seal.ts';
import { charge } from '../../shared/ledger/rows/charge.ts';
import { credit } from '../../shared/ledger/rows/credit.ts';
import { idempotency } from '../../shared/ledger/rows/idempotency.ts';
import { hold, walletShard } from '../../shared/ledger/rows/wallet.ts';
import {
  invitation,
  membership,
  numberLookUp,
  person,
  profile,
  sendingCounter,
  session,
} from '../../shared/members/rows.ts';
import { backgroundChange } from '../../shared/operators/background-table.ts';
import { unapprovedCreditsRow } from '../../shared/operators/unapproved-credits.ts';
import { automaticTopUp } from '../../shared/payments/automatic/automatic-top-up.ts';
import { financialDocument } from '../../shared/payments/documents/financial-document.ts';
import { lot } from '../../shared/payments/lots/lot.ts';
import { closing } from '../../shared/payments/months/closing.ts';
import { keyedReference, topUpOrder } from '../../shared/payments/orders/order.ts';
import { billingDetails } from '../../shared/payments/prices/billing.ts';
import { creditPrice } from '../../shared/payments/prices/price.ts';
import { refund } from '../../shared/payments/refunds/refund.ts';
import { moneySettings } from '../../shared/payments/settings.ts';
import { changeRow } from '../../shared/registries/health/provider-change.ts';
import { stateRow } from '../../shared/registries/health/registry-state.ts';
import {
  dayBalanceRow,
  registryDayRow,
  usageRow,
  usageState,
  walletRegistriesRow,
} from '../../shared/usage/rows.ts';
import { logRow } from '../../shared/verifications/log-table.ts';
import { attempt, delivery, eventDelivery } from '../../shared/webhooks/delivery.ts';
import { endpoint } from '../../shared/webhooks/endpoint.ts';
import type { DocumentedRow } from './row-attributes.ts';

/** The rows whose attributes docs/design/tables lists, by table. Rows without a schema are described by hand. */

const row = (name: string, schema: DocumentedRow['schema'], ...sources: string[]): DocumentedRow => ({
  name,
  schema,
  sources,
});

export const API_KEYS_ROWS = [
  row('organisation', organisation, 'shared/accounts/organisation.ts#organisation'),
  row('key', apiKey, 'shared/accounts/api-key.ts#apiKey'),
  row('rejected requests', rejectedRow, 'shared/accounts/rejected-request-table.ts#rejectedRow'),
  row('registry state', stateRow, 'shared/registries/health/registry-state.ts#stateRow'),
  row('registry change', changeRow, 'shared/registries/health/provider-change.ts#changeRow'),
  row('published state', publishedRow, 'shared/events/published-table.ts#publishedRow'),
];

export const WALLETS_ROWS = [
  row('wallet shard', walletShard, 'shared/ledger/rows/wallet.ts#walletShard'),
  row('hold', hold, 'shared/ledger/rows/wallet.ts#hold'),
  row('charge', charge, 'shared/ledger/rows/charge.ts#charge'),
  row('credit', credit, 'shared/ledger/rows/credit.ts#credit'),
  row('idempotency', idempotency, 'shared/ledger/rows/idempotency.ts#idempotency'),
  row('seal', seal, 'shared/ledger/reconcile/seal.ts#daySums', 'shared/ledger/reconcile/seal.ts#seal'),
  row('seal head', sealHead, 'shared/ledger/reconcile/seal.ts#sealHead'),
  row('reconciliation run', reconciliationRun, 'shared/ledger/reconcile/seal.ts#reconciliationRun'),
];

export const VERIFICATION_LOGS_ROWS = [
  row(
    'log row',
    logRow,
    'shared/verifications/listed-log.ts#listed',
    'shared/verifications/log-table.ts#logRow',
  ),
  row('erasure marker', erasureMarker, 'shared/ledger/reconcile/rows.ts#erasureMarker'),
];

export const AUDIT_ROWS = [
  row('change', auditEntry, 'shared/audit/audit-entry.ts#auditEntry'),
  row('request', approvalRequest, 'shared/audit/approval.ts#approvalRequest'),
  row('approval', approval, 'shared/audit/approval.ts#approval'),
  row(
    'unapproved credits',
    unapprovedCreditsRow,
    'shared/operators/unapproved-credits.ts#unapprovedCreditsRow',
  ),
  row('background change', backgroundChange, 'shared/operators/background-table.ts#backgroundChange'),
];

export const PAYMENTS_ROWS = [
  row('price', creditPrice, 'shared/payments/prices/price.ts#creditPrice'),
  row('billing details', billingDetails, 'shared/payments/prices/billing.ts#billingDetails'),
  row('automatic top-up', automaticTopUp, 'shared/payments/automatic/automatic-top-up.ts#automaticTopUp'),
  row('order', topUpOrder, 'shared/payments/orders/order.ts#topUpOrder'),
  row('keyed reference', keyedReference, 'shared/payments/orders/order.ts#keyedReference'),
  row('refund', refund, 'shared/payments/refunds/refund.ts#refund'),
  row('lot', lot, 'shared/payments/lots/lot.ts#lot'),
  row('closing', closing, 'shared/payments/months/closing.ts#closing'),
  row('document', financialDocument, 'shared/payments/documents/financial-document.ts#financialDocument'),
];

export const CONSOLE_ROWS = [
  row('person', person, 'shared/members/rows.ts#person'),
  row('membership', membership, 'shared/members/rows.ts#membership'),
  row('session', session, 'shared/members/rows.ts#session'),
  row('invitation', invitation, 'shared/members/rows.ts#invitation'),
  row('sent invitations', sendingCounter, 'shared/members/rows.ts#sendingCounter'),
  row('profile', profile, 'shared/members/rows.ts#profile'),
  row('number look-up', numberLookUp, 'shared/members/rows.ts#numberLookUp'),
  row('usage', usageRow, 'shared/usage/rows.ts#usageRow'),
  row('day balance', dayBalanceRow, 'shared/usage/rows.ts#dayBalanceRow'),
  row('usage count', usageState, 'shared/usage/rows.ts#usageState'),
  row('wallet look-ups', walletRegistriesRow, 'shared/usage/rows.ts#walletRegistriesRow'),
  row('registry look-ups', registryDayRow, 'shared/usage/rows.ts#registryDayRow'),
  row('alert choice', alertChoice, 'shared/alerts/alert.ts#alertChoice'),
  row('alert', alert, 'shared/alerts/alert.ts#alert'),
  row('outage', outage, 'shared/alerts/alert.ts#outage'),
  row('alert event', alertedEvent, 'shared/alerts/alert-table.ts#alertedEvent'),
  row('alert count', alertDay),
  row('alert email', sentMail),
  row('webhook endpoint', endpoint, 'shared/webhooks/endpoint.ts#endpoint'),
  row('delivery', delivery, 'shared/webhooks/delivery.ts#delivery'),
  row('delivery event', eventDelivery),
  row('attempt', attempt, 'shared/webhooks/delivery.ts#attempt'),
];

export const MONEY_SETTINGS = [row('`money`', moneySettings, 'shared/payments/settings.ts#moneySettings')];

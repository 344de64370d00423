import { apiKeyTable } from '../accounts/api-key-table.ts';
import { keyUsageTable } from '../accounts/key-usage-table.ts';
import { organisationTable } from '../accounts/organisation-table.ts';
import { approvalTable } from '../audit/approval-table.ts';
import { auditRowsTable } from '../audit/audit-rows-table.ts';
import { auditTable } from '../audit/audit-table.ts';
import type { TrailSource } from '../audit/compare-trail.ts';
import { NO_RECORD } from '../audit/recorder.ts';
import { REAL_CLOCK } from '../core/clock.ts';
import { reconcileTable } from '../ledger/reconcile/reconcile-table.ts';
import { sealedBalance } from '../ledger/reconcile/sealed-balance-table.ts';
import { statementTable } from '../ledger/statement/statement-table.ts';
import { creditTable } from '../ledger/tables/credit-table.ts';
import { shardTable } from '../ledger/tables/shard-table.ts';
import { documentTable } from '../payments/documents/document-table.ts';
import { lotTable } from '../payments/lots/lot-table.ts';
import { closingTable } from '../payments/months/closing-table.ts';
import { reviewTable } from '../payments/orders/review-table.ts';
import { billingTable } from '../payments/prices/billing-table.ts';
import { priceTable } from '../payments/prices/price-table.ts';
import { refundTable } from '../payments/refunds/refund-table.ts';
import type { Deployment, Workplace } from './deployment.ts';
import { approvalOperations } from './operations/approvals.ts';
import { auditOperations } from './operations/audit.ts';
import { billingOperations } from './operations/billing.ts';
import { documentOperations } from './operations/credit-notes.ts';
import { financeOperations } from './operations/finance.ts';
import { keyOperations } from './operations/keys.ts';
import { memberOperations } from './operations/members.ts';
import { monthOperations } from './operations/months.ts';
import { orderOperations } from './operations/orders.ts';
import { organisationOperations } from './operations/organisations.ts';
import { priceOperations } from './operations/prices.ts';
import { privacyOperations } from './operations/privacy.ts';
import { privacyReports } from './operations/privacy-reports.ts';
import { recordedOrders } from './operations/recorded-orders.ts';
import { reportOperations } from './operations/reports.ts';
import { walletOperations } from './operations/wallets.ts';

/**
 * The operations of operators on the tables of one deployment, in groups. A function of the operator API creates only
 * the groups that it uses. If an operation is not possible, it throws an `Error` whose message is meant for the
 * operator.
 */

const organisationsIn = ({ deployment: { client, tables }, recorder }: Workplace) =>
  organisationTable(client, tables.apiKeys, recorder);
const shardsIn = ({ deployment: { client, tables } }: Workplace) => shardTable(client, tables.wallets);
const creditsIn = ({ deployment: { client, tables }, recorder }: Workplace) =>
  creditTable(client, tables, recorder);
const lotsIn = ({ deployment: { client, tables } }: Workplace) => lotTable(client, tables.payments);
const closingsIn = ({ deployment: { client, tables } }: Workplace) => closingTable(client, tables.payments);
const statementIn = ({ deployment: { client, tables } }: Workplace) => statementTable(client, tables.wallets);

/** Organisations, services and prices of services. */
export function organisationsOf(place: Workplace) {
  return organisationOperations(organisationsIn(place), shardsIn(place), place.clock);
}

/** Members and profiles. */
export function membersOf(place: Workplace) {
  return memberOperations(organisationsIn(place), place.deployment, place.clock, place.recorder);
}

/** API keys. */
export function keysOf(place: Workplace) {
  const { client, tables } = place.deployment;
  const keys = apiKeyTable(client, tables.apiKeys, place.recorder);
  return keyOperations(
    organisationsIn(place),
    { keys, usage: keyUsageTable(client, tables.apiKeys) },
    place.clock,
  );
}

/** Credits. */
export function walletsOf(place: Workplace) {
  const tables = { credits: creditsIn(place), shards: shardsIn(place), lots: lotsIn(place) };
  return walletOperations(organisationsIn(place), tables, place.clock);
}

/** Erasures. */
export function privacyOf(place: Workplace) {
  return privacyOperations(organisationsIn(place), place.deployment, place.clock, place.recorder);
}

/** Reports of personal data. */
export function privacyReportsOf(place: Workplace) {
  const { client, tables } = place.deployment;
  const keys = apiKeyTable(client, tables.apiKeys, place.recorder);
  return privacyReports(organisationsIn(place), keys, place.deployment, place.clock, place.recorder);
}

/** Requests for a second person. */
export function approvalsOf({ deployment: { client, tables }, recorder, clock }: Workplace) {
  return approvalOperations(approvalTable(client, tables.approvals), recorder, clock);
}

/** Prices of credits. */
export function pricesOf(place: Workplace) {
  const { client, tables } = place.deployment;
  const prices = priceTable(client, tables.payments, place.recorder);
  return priceOperations(organisationsIn(place), prices, place.clock);
}

/** Billing details. */
export function billingOf(place: Workplace) {
  const { client, tables } = place.deployment;
  return billingOperations(
    organisationsIn(place),
    billingTable(client, tables.payments, place.recorder),
    place.clock,
  );
}

/** Closed months. */
export function monthsOf(place: Workplace) {
  const { client, tables, money } = place.deployment;
  const { recorder, clock } = place;
  const closing = {
    closings: closingsIn(place),
    lots: lotsIn(place),
    documents: documentTable(client, tables.payments),
    billing: billingTable(client, tables.payments, recorder),
    statement: statementIn(place),
    shards: shardsIn(place),
    clock,
    recorder,
  };
  return monthOperations(organisationsIn(place), closing, money);
}

function paymentsOf(place: Workplace) {
  const { client, tables, money, paymentProviders } = place.deployment;
  const { recorder, clock } = place;
  return {
    organisations: organisationsIn(place),
    credits: creditsIn(place),
    shards: shardsIn(place),
    lots: lotsIn(place),
    orders: recordedOrders(client, tables.payments, recorder),
    documents: documentTable(client, tables.payments),
    refunds: refundTable(client, tables.payments, recorder),
    prices: priceTable(client, tables.payments, recorder),
    billing: billingTable(client, tables.payments, recorder),
    closings: closingsIn(place),
    review: reviewTable(client, tables.payments),
    money,
    providers: paymentProviders,
    clock,
  };
}

/** Orders. */
export function ordersOf(place: Workplace) {
  const payments = paymentsOf(place);
  return orderOperations(payments.organisations, payments);
}

/** Documents and refunds. */
export function documentsOf(place: Workplace) {
  return documentOperations({ ...paymentsOf(place), statement: statementIn(place) });
}

/** Returns the operations that only read. */
function readsOf(place: Workplace) {
  const { deployment, clock } = place;
  const { client, tables, logRetentionDays } = deployment;
  const organisations = organisationsIn(place);
  const sealed = sealedBalance(client, tables.wallets, () => undefined);
  const totals = reconcileTable(client, tables.wallets, tables.verificationLogs);
  const finance = {
    totals,
    statement: statementIn(place),
    closings: closingsIn(place),
    lots: lotsIn(place),
    sealed,
    trail: trailOf(deployment),
  };
  return {
    ...auditOperations(organisations, auditTable(client, tables.auditTrail)),
    ...reportOperations(organisations, deployment, clock),
    ...financeOperations(organisations, finance, logRetentionDays, clock),
  };
}

/** Returns the audit trail and its archive. Undefined if the deployment has no archive. */
function trailOf({ client, tables, archive }: Deployment): () => TrailSource | undefined {
  return () => {
    const opened = archive();
    return opened && { table: auditRowsTable(client, tables.auditTrail), archive: opened };
  };
}

/** Returns all operations. */
export function operator(
  deployment: Deployment,
  { recorder = NO_RECORD, clock = REAL_CLOCK }: Partial<Omit<Workplace, 'deployment'>> = {},
) {
  const place = { deployment, recorder, clock };
  return {
    ...organisationsOf(place),
    ...membersOf(place),
    ...keysOf(place),
    ...walletsOf(place),
    ...privacyOf(place),
    ...privacyReportsOf(place),
    ...approvalsOf(place),
    ...pricesOf(place),
    ...monthsOf(place),
    ...ordersOf(place),
    ...documentsOf(place),
    ...billingOf(place),
    ...readsOf(place),
  };
}

export type Operator = ReturnType<typeof operator>;

import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { keyUsageTable } from '../../shared/accounts/key-usage-table.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { approvalTable } from '../../shared/audit/approval-table.ts';
import { auditRowsTable } from '../../shared/audit/audit-rows-table.ts';
import { auditTable } from '../../shared/audit/audit-table.ts';
import type { TrailSource } from '../../shared/audit/compare-trail.ts';
import { NO_RECORD, type Recorder } from '../../shared/audit/recorder.ts';
import { type LedgerTools, REAL_TOOLS } from '../../shared/ledger/dependencies.ts';
import { reconcileTable } from '../../shared/ledger/reconcile/reconcile-table.ts';
import { sealedBalance } from '../../shared/ledger/reconcile/sealed-balance-table.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { closingTable } from '../../shared/payments/months/closing-table.ts';
import { reviewTable } from '../../shared/payments/orders/review-table.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { refundTable } from '../../shared/payments/refunds/refund-table.ts';
import type { Deployment } from './deployment.ts';
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

export interface OperatorOptions {
  /** Records changes in the audit trail. The CLI always does. @default not recorded */
  readonly recorder?: Recorder;
  /** @default the clock of this machine. The CLI uses AWS's clock. */
  readonly tools?: LedgerTools;
}

/**
 * Returns the operator's operations on the tables of one deployment, for the CLI and for tests. If an operation is
 * not possible, it throws an `Error` whose message is meant for the operator.
 */
export function operator(
  deployment: Deployment,
  { recorder = NO_RECORD, tools = REAL_TOOLS }: OperatorOptions = {},
) {
  const { client, tables } = deployment;
  const organisations = organisationTable(client, tables.apiKeys, recorder);
  const shards = shardTable(client, tables.wallets);
  const keys = apiKeyTable(client, tables.apiKeys, recorder);
  const credits = creditTable(client, tables, recorder);
  const lots = lotTable(client, tables.payments);
  const prices = priceTable(client, tables.payments, recorder);
  const billing = billingTable(client, tables.payments, recorder);
  const sealed = sealedBalance(client, tables.wallets, () => undefined);
  const totals = reconcileTable(client, tables.wallets, tables.verificationLogs);
  const statement = statementTable(client, tables.wallets);
  const documents = documentTable(client, tables.payments);
  const closings = closingTable(client, tables.payments);
  const closing = { closings, lots, documents, billing, statement, shards, tools, recorder };
  const orders = recordedOrders(client, tables.payments, recorder);
  const refunds = refundTable(client, tables.payments, recorder);
  const payments = {
    ...{ organisations, credits, shards, lots, orders, documents, refunds, prices, billing, tools },
    review: reviewTable(client, tables.payments),
    money: deployment.money,
    providers: deployment.paymentProviders,
  };
  return {
    ...organisationOperations(organisations, shards, tools),
    ...memberOperations(organisations, deployment, tools, recorder),
    ...keyOperations(organisations, { keys, usage: keyUsageTable(client, tables.apiKeys) }, tools),
    ...walletOperations(organisations, { credits, shards, lots }, tools),
    ...privacyOperations(organisations, deployment, tools, recorder),
    ...privacyReports(organisations, keys, deployment, tools, recorder),
    ...approvalOperations(approvalTable(client, tables.approvals), recorder, tools),
    ...auditOperations(organisations, auditTable(client, tables.auditTrail)),
    ...priceOperations(organisations, prices, tools),
    ...monthOperations(organisations, closing, deployment.money),
    ...orderOperations(organisations, { ...payments, closings }),
    ...documentOperations({ ...payments, closings, statement }),
    ...billingOperations(organisations, billing, tools),
    ...reportOperations(organisations, deployment, tools),
    ...financeOperations(
      organisations,
      { totals, statement, closings, lots, sealed, trail: trailOf(deployment) },
      deployment.logRetentionDays,
      tools,
    ),
  };
}

/** Returns the audit trail and its archive. Undefined if the deployment has no archive. */
function trailOf({ client, tables, archive }: Deployment): () => TrailSource | undefined {
  return () => {
    const opened = archive();
    return opened && { table: auditRowsTable(client, tables.auditTrail), archive: opened };
  };
}

export type Operator = ReturnType<typeof operator>;

import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { type LedgerTools, REAL_TOOLS } from '../../shared/ledger/dependencies.ts';
import { reconcileTable } from '../../shared/ledger/reconcile/reconcile-table.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import type { Deployment } from './deployment.ts';
import { logRows } from './log-rows.ts';
import { bookOperations } from './operations/finance.ts';
import { keyOperations } from './operations/keys.ts';
import { organisationOperations } from './operations/organisations.ts';
import { privacyOperations } from './operations/privacy.ts';
import { walletOperations } from './operations/wallets.ts';

/**
 * Everything that an operator does, wired to the tables of one place: for the command line, the demo organisation
 * of the local runtime, and tests. Refusals are `Error`s whose sentence is meant for the operator.
 */
export function operator(deployment: Deployment, tools: LedgerTools = REAL_TOOLS) {
  const { client, tables, logRetentionDays, pepper } = deployment;
  const organisations = organisationTable(client, tables.apiKeys);
  const shards = shardTable(client, tables.wallets);
  const credits = creditTable(client, tables.wallets);
  const totals = reconcileTable(client, tables.wallets, tables.verificationLogs);
  const statement = statementTable(client, tables.wallets);
  return {
    ...organisationOperations(organisations, shards, tools),
    ...keyOperations(organisations, apiKeyTable(client, tables.apiKeys), tools),
    ...walletOperations(organisations, { credits, shards }, tools),
    ...privacyOperations(organisations, logRows(client, tables.verificationLogs), pepper),
    ...bookOperations(organisations, { totals, statement }, logRetentionDays, tools),
  };
}

export type Operator = ReturnType<typeof operator>;

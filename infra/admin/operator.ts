import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { booksTable } from '../../shared/wallets/books-table.ts';
import { creditTable } from '../../shared/wallets/credit-table.ts';
import { type LedgerTools, REAL_TOOLS } from '../../shared/wallets/ledger.ts';
import { shardTable } from '../../shared/wallets/shard-table.ts';
import { statementTable } from '../../shared/wallets/statement-table.ts';
import { logRows } from './log-rows.ts';
import { bookOperations } from './operate-books.ts';
import { keyOperations } from './operate-keys.ts';
import { organisationOperations } from './operate-organisations.ts';
import { privacyOperations } from './operate-privacy.ts';
import { walletOperations } from './operate-wallets.ts';
import type { Place } from './place.ts';

/**
 * Everything that an operator does, wired to the tables of one place: for the command line, the demo organisation
 * of the local runtime, and tests. Refusals are `Error`s whose sentence is meant for the operator.
 */
export function operator(place: Place, tools: LedgerTools = REAL_TOOLS) {
  const { client, tables, logRetentionDays, pepper } = place;
  const organisations = organisationTable(client, tables.apiKeys);
  const shards = shardTable(client, tables.wallets);
  const credits = creditTable(client, tables.wallets);
  const books = booksTable(client, tables.wallets, tables.verificationLogs);
  const statement = statementTable(client, tables.wallets);
  return {
    ...organisationOperations(organisations, shards, tools),
    ...keyOperations(organisations, apiKeyTable(client, tables.apiKeys), tools),
    ...walletOperations(organisations, { credits, shards }, tools),
    ...privacyOperations(organisations, logRows(client, tables.verificationLogs), pepper),
    ...bookOperations(organisations, { books, statement }, logRetentionDays, tools),
  };
}

export type Operator = ReturnType<typeof operator>;

import { monthEndMs, monthStartMs } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import { readBalance } from '../../ledger/read-balance.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { documentTable } from '../../payments/documents/document-table.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { orderTable } from '../../payments/orders/order-table.ts';
import { refundTable } from '../../payments/refunds/refund-table.ts';
import { type AccountsSource, readMonth } from '../../payments/reports/accounts-source.ts';
import {
  type ExportChunk,
  type ExportRange,
  exportAccounts,
} from '../../payments/reports/export-accounts.ts';
import { lineTable } from '../../payments/reports/line-table.ts';
import { type CallCount, countCalls } from '../../payments/reports/provider-cost.ts';
import type { WalletMonth } from '../../payments/reports/wallet-month.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn } from './organisations.ts';

/** Accounts of all customers. */
export function reportsOf(place: Workplace) {
  const { clock } = place;
  const { client, tables } = place.deployment;
  const shards = shardTable(client, tables.wallets);
  const source: AccountsSource = {
    listOrganisations: organisationsIn(place).listOrganisations,
    closings: closingTable(client, tables.payments),
    lots: lotTable(client, tables.payments),
    documents: documentTable(client, tables.payments),
    orders: orderTable(client, tables.payments),
    refunds: refundTable(client, tables.payments),
    lines: lineTable(client, tables.wallets),
    balance: (wallet, count) => readBalance(wallet, count, shards, clock),
  };
  return {
    /** Returns the accounts of all wallets in a month. Calls `onWallet` after each wallet. */
    accountsOfMonth(
      month: string,
      env: Environment,
      onWallet?: (done: number, all: number) => void,
    ): Promise<WalletMonth[]> {
      return readMonth(month, env, source, onWallet);
    },
    /** Counts the calls to providers in a month, for live requests. Scans the Wallets table. */
    providerCalls(month: string): Promise<CallCount[]> {
      const from = new Date(monthStartMs(month)).toISOString();
      const to = new Date(monthEndMs(month)).toISOString();
      return countCalls(source.lines.liveCalls(from, to));
    },
    exportAccounts(range: ExportRange): AsyncGenerator<ExportChunk> {
      return exportAccounts(range, source, clock.nowMs);
    },
  };
}

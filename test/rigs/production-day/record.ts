import { operator } from '../../../clients/operator/operator.ts';
import { REAL_TOOLS } from '../../../shared/ledger/dependencies.ts';
import type { ExportedRows } from '../../ledger/checker/snapshot.ts';
import { exportRows } from '../../support/exported-rows.ts';
import type { Customer } from './customers.ts';
import type { DayService } from './day-service.ts';
import type { Line } from './journal.ts';
import { countLines, type LogCounts } from './log-counts.ts';

/** All that the day is judged by: what clients saw, what was done, and what the service has in its books afterwards. */
export interface DayRecord {
  readonly lines: readonly Line[];
  readonly rows: ExportedRows;
  readonly accounts: readonly Account[];
  readonly reconciliation: Reconciliation;
  readonly log: LogCounts;
}

/** What a customer is told in the evening: his balance, and the statement of the whole day. */
export interface Account {
  readonly wallet: string;
  readonly available: number;
  readonly held: number;
  readonly closing: number;
  readonly entries: readonly StatementEntry[];
}

/** A credit, or a debit with the request that it paid for. */
export interface StatementEntry {
  readonly amount: number;
  readonly requestId: string;
}

export interface Reconciliation {
  /** What `reconcile` printed. */
  readonly words: string;
  /** What it finds with a clock at which no request of the day can be under way any more. */
  readonly differencesLater: number;
}

/** Requests of the last minutes count as under way (docs/finance.md). */
const LATER_MS = 11 * 60_000;

/** Reads everything, once the day is over. */
export async function recordOf(
  service: DayService,
  customers: readonly Customer[],
  lines: readonly Line[],
): Promise<DayRecord> {
  const { client, tables } = service.deployment;
  const names = { wallets: tables.wallets, logs: tables.verificationLogs };
  const accounts: Account[] = [];
  for (const customer of customers) accounts.push(await accountOf(service, customer));
  const words = (await service.admin('reconcile')).trim();
  const later = operator(service.deployment, { ...REAL_TOOLS, nowMs: () => Date.now() + LATER_MS });
  return {
    lines,
    rows: await exportRows(client, names, new Set(customers.map(({ id }) => id))),
    accounts,
    reconciliation: { words, differencesLater: (await later.reconcile()).differences.length },
    log: countLines(service.logFile),
  };
}

async function accountOf(service: DayService, { id, wallet }: Customer): Promise<Account> {
  const { available, held } = await service.operator.balance({ env: 'live', organisationId: id });
  const statement = JSON.parse(await service.admin('--json', 'wallet', 'statement', id)) as {
    readonly lines: readonly { readonly amount: number; readonly request_id: string }[];
    readonly closingBalance: number;
  };
  const entries = statement.lines.map(({ amount, request_id }) => ({ amount, requestId: request_id }));
  return { wallet, available, held, closing: statement.closingBalance, entries };
}

import { REAL_CLOCK } from '../../../shared/core/clock.ts';
import { operator } from '../../../shared/operators/operator.ts';
import type { ExportedRows } from '../../ledger/checker/snapshot.ts';
import { exportRows } from '../../support/exported-rows.ts';
import type { Customer } from './customers.ts';
import type { Explanation } from './explain-charges.ts';
import type { Line } from './journal.ts';
import { countLines, type LogCounts } from './log-counts.ts';
import type { SimulatedService } from './service.ts';

/**
 * Everything that the checks of a simulation read: the journal, and what the service has stored and logged at its end.
 */
export interface SimulationRecord {
  readonly lines: readonly Line[];
  readonly rows: ExportedRows;
  readonly accounts: readonly Account[];
  readonly reconciliation: Reconciliation;
  readonly log: LogCounts;
  /** If the lender was simulated. */
  readonly explanation?: Explanation | undefined;
}

/** A customer's balance and statement at the end. */
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

/** What the reconciliation finds. */
export interface Reconciliation {
  readonly charges: number;
  readonly differences: number;
  /** Differences at a later time, when no request of the simulation can be pending any more. */
  readonly differencesLater: number;
}

/** The reconciliation does not compare charges of the last 10 minutes with log rows (docs/finance/differences.md). */
const LATER_MS = 11 * 60_000;

/** Reads everything at the end of a simulation. */
export async function readRecord(
  service: SimulatedService,
  customers: readonly Customer[],
  lines: readonly Line[],
): Promise<SimulationRecord> {
  const { client, tables } = service.deployment;
  const accounts: Account[] = [];
  for (const customer of customers) accounts.push(await readAccount(service, customer));
  const now = await service.operator.reconcile();
  const later = await operator(service.deployment, {
    clock: { ...REAL_CLOCK, nowMs: () => Date.now() + LATER_MS },
  }).reconcile();
  return {
    lines,
    rows: await exportRows(
      client,
      { wallets: tables.wallets, logs: tables.verificationLogs },
      new Set(customers.map(({ id }) => id)),
    ),
    accounts,
    reconciliation: {
      charges: later.charges,
      differences: now.differences.length,
      differencesLater: later.differences.length,
    },
    log: countLines(service.logFile),
  };
}

async function readAccount(service: SimulatedService, { id, wallet }: Customer): Promise<Account> {
  const { available, held } = await service.operator.balance({ env: 'live', organisationId: id });
  const statement = JSON.parse(await service.admin('--json', 'wallet', 'statement', id)) as {
    readonly lines: readonly { readonly amount: number; readonly request_id: string }[];
    readonly closingBalance: number;
  };
  const entries = statement.lines.map(({ amount, request_id }) => ({ amount, requestId: request_id }));
  return { wallet, available, held, closing: statement.closingBalance, entries };
}

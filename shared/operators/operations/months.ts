import type { Organisation } from '../../accounts/organisation.ts';
import { monthEndMs } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import type { StatementScope } from '../../ledger/statement/read-statement.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../../ledger/statement/statement-table.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { documentTable } from '../../payments/documents/document-table.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import { closeMonths, type MonthsClosed } from '../../payments/months/close-months.ts';
import type { Closing } from '../../payments/months/closing.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { checkReopening, type ReopeningRequest, reopenMonth } from '../../payments/months/reopen-month.ts';
import { billingTable } from '../../payments/prices/billing-table.ts';
import type { Workplace } from '../deployment.ts';
import { requireMoney } from './orders.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** The wallets of a month: those of one organisation, or of all organisations that existed then. */
interface MonthScope {
  readonly month: string;
  readonly env: Environment;
  readonly organisationId: string | undefined;
}

export interface WalletMonthStatus {
  readonly organisation: Organisation;
  readonly closing: Closing | undefined;
}

/** Closed months. */
export function monthsOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables: names, money } = deployment;
  const organisations = organisationsIn(place);
  const tables = {
    closings: closingTable(client, names.payments),
    lots: lotTable(client, names.payments),
    documents: documentTable(client, names.payments),
    billing: billingTable(client, names.payments, recorder),
    statement: statementTable(client, names.wallets, MONTH_PAGE_ROWS),
    shards: shardTable(client, names.wallets),
    clock,
    recorder,
  };
  async function organisationsOf({ month, organisationId }: MonthScope): Promise<Organisation[]> {
    if (organisationId !== undefined) return [await requireOrganisation(organisations, organisationId)];
    const end = new Date(monthEndMs(month)).toISOString();
    const all = await organisations.listOrganisations();
    return all.filter(({ createdAt }) => createdAt < end).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }
  return {
    /**
     * Closes a month. Wallets that are already closed do not change. Returns the closed wallets, and those that could
     * not be closed, each with a sentence that says why.
     */
    async closeMonths(
      scope: MonthScope,
      actor: string,
      onProgress: (done: number, total: number) => void = () => undefined,
    ): Promise<MonthsClosed> {
      const settings = requireMoney(money);
      const wallets = (await organisationsOf(scope)).map(
        ({ id, walletShards, createdAt }): StatementScope => ({
          wallet: { env: scope.env, organisationId: id },
          shards: walletShards,
          createdAt,
        }),
      );
      const { month } = scope;
      return closeMonths({ month, wallets, actor, onProgress }, { ...tables, settings });
    },
    /** Returns the closing of each wallet for a month, sorted by the names of organisations. */
    async monthStatus(scope: MonthScope): Promise<WalletMonthStatus[]> {
      const rows: WalletMonthStatus[] = [];
      for (const organisation of await organisationsOf(scope)) {
        const wallet = { env: scope.env, organisationId: organisation.id };
        rows.push({ organisation, closing: await tables.closings.getClosing(wallet, scope.month) });
      }
      return rows;
    },
    /** Throws if the month cannot be reopened now, so that no approval is requested for it. */
    checkReopening: (request: ReopeningRequest) => checkReopening(request, tables.closings),
    reopenMonth: (request: ReopeningRequest) => reopenMonth(request, tables),
  };
}

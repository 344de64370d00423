import type { Organisation } from '../../accounts/organisation.ts';
import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import { monthEndMs } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import type { StatementScope } from '../../ledger/statement/read-statement.ts';
import type { ClosingDependencies } from '../../payments/months/begin-closing.ts';
import { closeMonths, type MonthsClosed } from '../../payments/months/close-months.ts';
import type { Closing } from '../../payments/months/closing.ts';
import { checkReopening, type ReopeningRequest, reopenMonth } from '../../payments/months/reopen-month.ts';
import type { MoneySettings } from '../../payments/settings.ts';
import { requireMoney } from './money-settings.ts';
import { requireOrganisation } from './organisations.ts';

/** The wallets of a month: those of one organisation, or of all organisations that existed then. */
interface MonthScope {
  readonly month: string;
  readonly env: Environment;
  readonly organisationId: string | undefined;
}

export interface WalletMonthStatus {
  readonly organisation: Organisation;
  /** Undefined if the month has never been closed. */
  readonly closing: Closing | undefined;
}

type MonthTables = Omit<ClosingDependencies, 'settings'>;

/** Returns the operations on closed months. */
export function monthOperations(
  organisations: OrganisationTable,
  tables: MonthTables,
  money: MoneySettings | undefined,
) {
  /** Returns the organisations of the wallets, sorted by name. */
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
    /** Reopens the last closed month of a wallet. */
    reopenMonth: (request: ReopeningRequest) => reopenMonth(request, tables),
  };
}

import { DAY_MS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import type { CreditRow, Difference } from './rows.ts';

/** The money rows belong to payments, which the ledger does not import, so the reconciliation receives a source. */
export interface MoneySource {
  checkMoney(
    wallet: WalletId,
    options: MoneyOptions & {
      /** Those that the run has read. */
      readonly credits: readonly CreditRow[];
      /** Of the wallet. */
      readonly shards: number;
      readonly prices?: ReconciledWallet['prices'];
    },
  ): Promise<readonly Difference[]>;
  /** The numbers of documents, the stage's prices, and rows that belong to none of these wallets. */
  checkShared(wallets: readonly WalletId[], options: MoneyOptions): Promise<readonly Difference[]>;
}

export interface ReconciledWallet extends StatementScope {
  /** The organisation's own, of services, in whole credits. */
  readonly prices?: Readonly<Record<string, number>> | undefined;
}

export interface MoneyOptions {
  readonly nowMs: number;
  /** ISO time. Nothing of the wallets is older. */
  readonly createdAt: string;
  /** If false, what is older than the last month takes turns where its rows must be read one by one. */
  readonly isWhole: boolean;
}

/** For all wallets. A new stage has none. */
export async function checkShared(
  money: MoneySource,
  list: () => Promise<readonly StatementScope[]>,
  options: Omit<MoneyOptions, 'createdAt'>,
): Promise<readonly Difference[]> {
  const check = async () => {
    const scopes = await list();
    const [createdAt] = scopes.map((scope) => scope.createdAt).sort();
    if (createdAt === undefined) return [];
    const wallets = scopes.map(({ wallet }) => wallet);
    return money.checkShared(wallets, { ...options, createdAt });
  };
  // An organisation may have been created after the list was read.
  return (await check()).length === 0 ? [] : check();
}

/** Everything old is read again within this time. */
const TURN_DAYS = 28;

/** The part of a table to which the day belongs, of `segments` equal parts. */
export function partOfDay(nowMs: number): { readonly segment: number; readonly segments: number } {
  return { segment: Math.floor(nowMs / DAY_MS) % TURN_DAYS, segments: TURN_DAYS };
}

/** Whether it is the turn of an ID or a month today. */
export function inTurn(id: string, nowMs: number): boolean {
  const offset = [...id].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return (Math.floor(nowMs / DAY_MS) + offset) % TURN_DAYS === 0;
}

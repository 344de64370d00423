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
    },
  ): Promise<readonly Difference[]>;
  /** The numbers of documents and the stage's prices, which all wallets share. */
  checkShared(wallets: readonly WalletId[], options: MoneyOptions): Promise<readonly Difference[]>;
}

export interface MoneyOptions {
  readonly nowMs: number;
  /** ISO time. Nothing of the wallets is older. */
  readonly createdAt: string;
  /** If false, what is older than the last month takes turns where its rows must be read one by one. */
  readonly isWhole: boolean;
}

/** For the wallets of a run. A new stage has none. */
export async function checkShared(
  money: MoneySource,
  scopes: readonly StatementScope[],
  options: Omit<MoneyOptions, 'createdAt'>,
): Promise<readonly Difference[]> {
  const [createdAt] = scopes.map((scope) => scope.createdAt).sort();
  if (createdAt === undefined) return [];
  return money.checkShared(
    scopes.map(({ wallet }) => wallet),
    { ...options, createdAt },
  );
}

/** Everything old is read again within this time. */
const TURN_DAYS = 28;

/** Whether it is the turn of an ID or a month today. */
export function inTurn(id: string, nowMs: number): boolean {
  const offset = [...id].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return (Math.floor(nowMs / DAY_MS) + offset) % TURN_DAYS === 0;
}

import { DAY_MS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import type { Credit } from '../rows/credit.ts';
import type { Difference } from './rows.ts';

/** The money rows belong to payments, which the ledger does not import, so the reconciliation receives a source. */
export interface MoneySource {
  checkMoney(wallet: WalletId, options: MoneyOptions): Promise<readonly Difference[]>;
  /** The numbers of documents, which all wallets share. */
  checkNumbers(wallets: readonly WalletId[]): Promise<readonly Difference[]>;
}

interface MoneyOptions {
  /** Those that the run has read. */
  readonly credits: readonly Credit[];
  readonly nowMs: number;
  /** If false, what is older than the last month takes turns where its rows must be read one by one. */
  readonly isWhole: boolean;
}

/** Everything old is read again within this time. */
const TURN_DAYS = 28;

/** Whether it is the turn of an ID or a month today. */
export function inTurn(id: string, nowMs: number): boolean {
  const offset = [...id].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return (Math.floor(nowMs / DAY_MS) + offset) % TURN_DAYS === 0;
}

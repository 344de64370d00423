import { accountingMonthOf, monthBefore, monthEndMs } from '../../core/accounting-month.ts';
import { isTableFailure } from '../../core/database.ts';
import type { WalletId } from '../../core/keys.ts';
import type { FindBalance, KnownBalance } from '../../ledger/statement/read-statement.ts';
import type { ClosingTable } from './closing-table.ts';

type Closings = Pick<ClosingTable, 'latestClosings'>;

/**
 * Returns a function that finds the balance that the latest closed month carried forward. If the closings cannot be
 * read, it calls `onFailure` and returns undefined. A statement then adds up more lines, so that it does not depend on
 * payments.
 */
export function carriedForward(closings: Closings, onFailure: (error: unknown) => void): FindBalance {
  return async (wallet, before) => {
    try {
      return await latestBalance(wallet, before, closings);
    } catch (error) {
      if (!isTableFailure(error)) throw error;
      onFailure(error);
      return undefined;
    }
  };
}

/** Returns the closing balance of the latest closed month before a time. A reopened month does not count. */
async function latestBalance(
  wallet: WalletId,
  before: string,
  closings: Closings,
): Promise<KnownBalance | undefined> {
  const upTo = monthBefore(accountingMonthOf(Date.parse(before)));
  for await (const { month, state, figures } of closings.latestClosings(wallet, upTo))
    if (state === 'CLOSED' && figures)
      return { at: new Date(monthEndMs(month)).toISOString(), balance: figures.credits.closing };
  return undefined;
}

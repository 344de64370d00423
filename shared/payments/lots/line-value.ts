import type { StatementLine } from '../../ledger/statement/read-statement.ts';
import type { Amounts } from '../naira.ts';
import { lotBefore } from './consume-lots.ts';
import { estimateLots } from './estimate-lots.ts';
import type { Lot } from './lot.ts';
import { worthOf } from './lot-value.ts';

type LineValue = Omit<Amounts, 'totalKobo'>;

/**
 * What the lines of a month's statement are worth: top-ups what was paid, and charges their share of the lots that they
 * used, estimated from the balance in the order of contract P1. Undefined for other lines, and where the lots do not
 * explain the balance, as before a refund or an expiry of the same month. `lots` are in chronological order.
 */
export function valueLines(
  lines: readonly StatementLine[],
  month: string,
  lots: readonly Lot[],
): (LineValue | undefined)[] {
  const atStart = lots.map((lot) => {
    const withdrawals = lot.withdrawals.filter((one) => one.month <= month);
    return lotBefore({ ...lot, withdrawals }, month);
  });
  return lines.map(({ id, amount, balanceAfter, createdAt, debit }) => {
    if (!debit) return amount > 0 ? lots.find(({ reference }) => reference === id) : undefined;
    const known = atStart.filter((lot) => lot.createdAt <= createdAt);
    const before = balanceAfter - amount;
    if (known.reduce((sum, { remaining }) => sum + remaining, 0) < before) return undefined;
    const [unused, used] = [usedOf(known, before), usedOf(known, balanceAfter)];
    return { netKobo: used.netKobo - unused.netKobo, vatKobo: used.vatKobo - unused.vatKobo };
  });
}

/** The worth of all credits that have left the lots. */
function usedOf(lots: readonly Lot[], balance: number): LineValue {
  const value = { netKobo: 0, vatKobo: 0 };
  for (const { lot, left } of estimateLots(lots, balance)) {
    value.netKobo += worthOf(lot, lot.credits - left);
    value.vatKobo += worthOf({ credits: lot.credits, netKobo: lot.vatKobo }, lot.credits - left);
  }
  return value;
}

import { accountingMonthOf, lagosDay, monthBefore } from '../core/accounting-month.ts';
import type { UsageSource } from '../ledger/reconcile/usage-months.ts';
import type { UsageTable } from './usage-table.ts';

/** Returns a reader of the usage of the current month and the two before it, for the reconciliation. */
export function usageSource(table: Pick<UsageTable, 'readState' | 'readMonth'>): UsageSource {
  return {
    async readUsage(wallet, nowMs) {
      const state = await table.readState(wallet);
      if (!state) return undefined;
      const month = accountingMonthOf(nowMs);
      const months = [monthBefore(monthBefore(month)), monthBefore(month), month];
      const from = [state.countedFrom, `${months[0]}-01`].sort().at(-1) ?? '';
      // Requests of this day and of later ones may still be counted.
      const before = lagosDay(Date.parse(state.countedUntil));
      const rows = (await Promise.all(months.map((one) => table.readMonth(wallet, one)))).flat();
      return { from, before, rows };
    },
  };
}

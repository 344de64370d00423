import * as v from 'valibot';
import { accountingMonthOf, isAccountingMonth, monthBefore } from '../../core/accounting-month.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { koboPerCreditAt } from '../../payments/prices/price.ts';
import { priceTable } from '../../payments/prices/price-table.ts';
import { usageTable } from '../usage-table.ts';
import { usageView } from './usage-view.ts';
import type { UsageView } from './views.ts';

/** The query string of GET /usage. */
export const usageQuery = v.strictObject({
  env: v.optional(v.picklist(ENVIRONMENTS, `Enter ${ENVIRONMENTS.join(' or ')}.`), 'live'),
  month: v.optional(v.pipe(v.string(), v.check(isAccountingMonth, 'Enter a month such as 2026-01.'))),
});

/** GET /usage: a month's usage of the wallet, by service, outcome and key. All reads run in parallel. */
export function showUsage(): ConsoleRun<ConsoleRequest, typeof usageQuery, undefined> {
  const [client, payments] = [database(), setting('PAYMENTS_TABLE')];
  const usage = usageTable(client, setting('CONSOLE_TABLE'));
  const closings = closingTable(client, payments);
  const lots = lotTable(client, payments);
  const prices = priceTable(client, payments);
  return async ({ organisation: { id }, nowMs }, { env, month = accountingMonthOf(nowMs) }) => {
    const wallet = { env, organisationId: id };
    const previous = monthBefore(month);
    const [rows, previousRows, balances, state, closing, previousClosing, ownLots, stagePrices, ownPrices] =
      await Promise.all([
        usage.readMonth(wallet, month),
        usage.readMonth(wallet, previous),
        usage.readBalances(wallet, [previous, monthBefore(previous)]),
        usage.readState(wallet),
        closings.getClosing(wallet, month),
        closings.getClosing(wallet, previous),
        lots.listLots(wallet),
        prices.listPrices(undefined),
        prices.listPrices(id),
      ]);
    const lists = { stage: stagePrices, organisation: ownPrices };
    const koboPerCredit = koboPerCreditAt(lists, new Date(nowMs).toISOString());
    const read = { rows, previousRows, balances, state, closing, previousClosing, lots: ownLots };
    return { data: usageView(env, month, { ...read, koboPerCredit }, nowMs) satisfies UsageView };
  };
}

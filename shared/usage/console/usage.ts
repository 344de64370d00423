import * as v from 'valibot';
import { isAccountingMonth, monthBefore, monthsOf } from '../../core/accounting-month.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { day } from '../../http/console/day-query.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { koboPerCreditAt } from '../../payments/prices/price.ts';
import { priceTable } from '../../payments/prices/price-table.ts';
import { usageTable } from '../usage-table.ts';
import { periodOf, previousOf } from './period.ts';
import { usageView } from './usage-view.ts';
import type { UsageView } from './views.ts';

/** The query string of GET /usage. Days take the place of a month. */
export const usageQuery = v.strictObject({
  env: v.optional(v.picklist(ENVIRONMENTS, `Enter ${ENVIRONMENTS.join(' or ')}.`), 'live'),
  month: v.optional(v.pipe(v.string(), v.check(isAccountingMonth, 'Enter a month such as 2026-01.'))),
  from: day,
  to: day,
});

/** GET /usage: the wallet's usage in a month or on some days, by service, outcome and key. All reads run in parallel. */
export function showUsage(): ConsoleRun<ConsoleRequest, typeof usageQuery, undefined> {
  const [client, payments] = [database(), setting('PAYMENTS_TABLE')];
  const usage = usageTable(client, setting('CONSOLE_TABLE'));
  const closings = closingTable(client, payments);
  const lots = lotTable(client, payments);
  const prices = priceTable(client, payments);
  return async ({ organisation: { id }, nowMs }, { env, ...asked }) => {
    const wallet = { env, organisationId: id };
    const period = periodOf(asked, nowMs);
    const previous = previousOf(period);
    const months = monthsOf(previous.from, period.to);
    const [rows, previousRows, balances, state, ownClosings, ownLots, stagePrices, ownPrices] =
      await Promise.all([
        usage.readPeriod(wallet, period.from, period.to),
        usage.readPeriod(wallet, previous.from, previous.to),
        usage.readBalances(wallet, months.map(monthBefore)),
        usage.readState(wallet),
        Promise.all(months.map((month) => closings.getClosing(wallet, month))),
        lots.listLots(wallet),
        prices.listPrices(undefined),
        prices.listPrices(id),
      ]);
    const lists = { stage: stagePrices, organisation: ownPrices };
    const koboPerCredit = koboPerCreditAt(lists, new Date(nowMs).toISOString());
    const found = new Map(months.map((month, index) => [month, ownClosings[index]]));
    const read = { rows, previousRows, balances, state, closings: found, lots: ownLots, koboPerCredit };
    return { data: usageView(env, period, read, nowMs) satisfies UsageView };
  };
}

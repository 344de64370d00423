import * as v from 'valibot';
import { OUTCOMES } from '../../core/outcome.ts';
import type { Charge } from '../../ledger/rows/charge.ts';
import { allCustomers, type Columns, type Report, report, sum, WHOSE } from './report.ts';
import { figuresOf, type WalletMonth } from './wallet-month.ts';

/**
 * The cost of providers in a month, compared with their bills and with the revenue of each service. Live environment
 * only.
 */

/** The prices of each provider: kobo for one call, by service (`*`: any other), and the outcomes that it bills. */
export const providerPrices = v.record(
  v.string(),
  v.object({
    koboPerCall: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))),
    billed: v.optional(v.array(v.picklist(OUTCOMES)), ['FOUND', 'NOT_FOUND']),
  }),
);
export type ProviderPrices = v.InferOutput<typeof providerPrices>;

/** The number of calls to one provider for one service with the same outcome. */
export interface CallCount extends Pick<Charge, 'provider' | 'service' | 'outcome'> {
  readonly calls: number;
}

/**
 * Counts charge rows, including VOID rows, by provider, service and outcome. Requests that called no provider are left
 * out.
 */
export async function countCalls(
  rows: AsyncIterable<Pick<Charge, 'provider' | 'service' | 'outcome'>>,
): Promise<CallCount[]> {
  const counts = new Map<string, CallCount>();
  for await (const { provider, service, outcome } of rows) {
    if (provider === '') continue;
    const key = `${provider} ${service} ${outcome}`;
    counts.set(key, { provider, service, outcome, calls: (counts.get(key)?.calls ?? 0) + 1 });
  }
  return [...counts.keys()].sort().flatMap((key) => counts.get(key) ?? []);
}

const PROVIDER_COST = {
  ...WHOSE,
  month: 'text',
  provider: 'text',
  service: 'text',
  calls: 'count',
  billed_calls: 'count',
  price_kobo: 'price',
  cost_kobo: 'kobo',
} as const satisfies Columns;

/**
 * Returns a report with one row for each provider and service. Price and cost are empty if the price file contains no
 * price.
 */
export function providerCostReport(
  month: string,
  counts: readonly CallCount[],
  prices: ProviderPrices,
): Report {
  return report('provider-cost', PROVIDER_COST, costRows(month, counts, prices));
}

const PROVIDER_BILLS = {
  ...WHOSE,
  month: 'text',
  provider: 'text',
  expected_kobo: 'kobo',
  billed_kobo: 'kobo',
  difference_kobo: 'kobo',
} as const satisfies Columns;

/**
 * Returns a report with one row for each provider: the cost computed from our calls, and the total of its bill, if it
 * is known.
 */
export function providerBillsReport(
  month: string,
  counts: readonly CallCount[],
  prices: ProviderPrices,
  bills: Readonly<Record<string, number>>,
): Report {
  const costs = costRows(month, counts, prices);
  const providers = new Set([...costs.map(({ provider }) => provider), ...Object.keys(bills)]);
  const rows = [...providers].sort().map((provider) => {
    const expected = sum(costs, (row) => (row.provider === provider ? row.cost_kobo || 0 : 0));
    const billed = bills[provider];
    return {
      ...allCustomers('live'),
      month,
      provider,
      expected_kobo: expected,
      billed_kobo: billed ?? ('' as const),
      difference_kobo: billed === undefined ? ('' as const) : billed - expected,
    };
  });
  return report('provider-bills', PROVIDER_BILLS, rows);
}

const MARGINS = {
  ...WHOSE,
  month: 'text',
  service: 'text',
  requests: 'count',
  credits: 'count',
  earned_kobo: 'kobo',
  provider_calls: 'count',
  provider_cost_kobo: 'kobo',
  margin_kobo: 'kobo',
} as const satisfies Columns;

/**
 * Returns a report with one row for each service: the revenue of wallets whose month is closed, minus the cost of all
 * billed calls, whether or not customers were charged for them.
 */
export function marginsReport(
  months: readonly WalletMonth[],
  month: string,
  counts: readonly CallCount[],
  prices: ProviderPrices,
): Report {
  const costs = costRows(month, counts, prices);
  const used = months
    .filter(({ wallet }) => wallet.env === 'live')
    .flatMap((one) => figuresOf(one)?.services ?? []);
  const services = new Set([...used, ...costs].map(({ service }) => service));
  const rows = [...services].sort().map((service) => {
    const ofService = used.filter((one) => one.service === service);
    const costsOfService = costs.filter((one) => one.service === service);
    const earned = sum(ofService, ({ earnedKobo }) => earnedKobo);
    const cost = sum(costsOfService, (row) => row.cost_kobo || 0);
    return {
      ...allCustomers('live'),
      month,
      service,
      requests: sum(ofService, ({ requests }) => requests),
      credits: sum(ofService, ({ credits }) => credits),
      earned_kobo: earned,
      provider_calls: sum(costsOfService, ({ calls }) => calls),
      provider_cost_kobo: cost,
      margin_kobo: earned - cost,
    };
  });
  return report('margins', MARGINS, rows);
}

function costRows(month: string, counts: readonly CallCount[], prices: ProviderPrices) {
  return [...Map.groupBy(counts, ({ provider, service }) => `${provider} ${service}`).values()].flatMap(
    (same) => {
      const [first] = same;
      if (!first) return [];
      const { provider, service } = first;
      const list = prices[provider];
      const price = list?.koboPerCall[service] ?? list?.koboPerCall['*'];
      const billed = sum(same, ({ outcome, calls }) => (list?.billed.includes(outcome) ? calls : 0));
      return {
        ...allCustomers('live'),
        month,
        provider,
        service,
        calls: sum(same, ({ calls }) => calls),
        billed_calls: billed,
        price_kobo: price ?? ('' as const),
        cost_kobo: price === undefined ? ('' as const) : price * billed,
      };
    },
  );
}

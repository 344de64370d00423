import { allCustomers, type Columns, type Report, report, sum, WHOSE } from './report.ts';
import { figuresOf, type WalletMonth, whose } from './wallet-month.ts';

const USAGE = {
  ...WHOSE,
  month: 'text',
  service: 'text',
  requests: 'count',
  credits: 'count',
  earned_kobo: 'kobo',
} as const satisfies Columns;

/** One row for each wallet and service. */
export function usageReport(months: readonly WalletMonth[]): Report {
  return report('usage', USAGE, usageRows(months));
}

/** All customers: one row for each environment and service. */
export function servicesReport(months: readonly WalletMonth[]): Report {
  const used = Map.groupBy(usageRows(months), (row) => `${row.environment} ${row.service}`);
  const rows = [...used.keys()].sort().flatMap((key) => {
    const same = used.get(key) ?? [];
    return same.slice(0, 1).map((first) => ({
      ...first,
      ...allCustomers(first.environment),
      requests: sum(same, ({ requests }) => requests),
      credits: sum(same, ({ credits }) => credits),
      earned_kobo: sum(same, (row) => row.earned_kobo),
    }));
  });
  return report('services', USAGE, rows);
}

function usageRows(months: readonly WalletMonth[]) {
  return months.flatMap((one) =>
    (figuresOf(one)?.services ?? []).map(({ service, requests, credits, earnedKobo }) => ({
      ...whose(one),
      month: one.month,
      service,
      requests,
      credits,
      earned_kobo: earnedKobo,
    })),
  );
}

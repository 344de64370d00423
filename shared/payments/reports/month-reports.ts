import { agedBalancesReport } from './aged-balances.ts';
import { lotsReport } from './lots.ts';
import {
  type CallCount,
  marginsReport,
  type ProviderPrices,
  providerBillsReport,
  providerCostReport,
} from './provider-cost.ts';
import type { Report } from './report.ts';
import { customersReport, revenueReport } from './revenue.ts';
import { reversalsReport } from './reversals.ts';
import { servicesReport, usageReport } from './usage.ts';
import { vatReturnReport } from './vat-return.ts';
import type { WalletMonth } from './wallet-month.ts';

/** The reports of a month by name. */
export const MONTH_REPORTS = {
  customers: customersReport,
  revenue: revenueReport,
  services: servicesReport,
  usage: usageReport,
  'vat-return': vatReturnReport,
  'aged-balances': agedBalancesReport,
  lots: lotsReport,
  reversals: reversalsReport,
} as const satisfies Readonly<Record<string, (months: readonly WalletMonth[]) => Report>>;

export type MonthReportName = keyof typeof MONTH_REPORTS;
export const MONTH_REPORT_NAMES = Object.keys(MONTH_REPORTS) as MonthReportName[];

interface ProviderFacts {
  readonly month: string;
  readonly months: readonly WalletMonth[];
  readonly calls: readonly CallCount[];
  readonly prices: ProviderPrices;
  /** In kobo, by provider. */
  readonly bills: Readonly<Record<string, number>>;
}

/** The reports on providers by name. */
export const PROVIDER_REPORTS = {
  'provider-cost': ({ month, calls, prices }) => providerCostReport(month, calls, prices),
  'provider-bills': ({ month, calls, prices, bills }) => providerBillsReport(month, calls, prices, bills),
  margins: ({ months, month, calls, prices }) => marginsReport(months, month, calls, prices),
} as const satisfies Readonly<Record<string, (facts: ProviderFacts) => Report>>;

export type ProviderReportName = keyof typeof PROVIDER_REPORTS;
export const PROVIDER_REPORT_NAMES = Object.keys(PROVIDER_REPORTS) as ProviderReportName[];

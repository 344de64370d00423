import type { Environment } from '../../core/environment.ts';
import type { IdType } from '../../core/id-types.ts';

/** GET /usage?env=&month= or &from=&to= Months and days are in Africa/Lagos. */
export interface UsageView {
  readonly env: Environment;
  /** Null for other days. */
  readonly month: string | null;
  /** Both inclusive. */
  readonly from: string;
  readonly to: string;
  /** The first month that can be shown. */
  readonly first_month: string;
  /** Up to today (Africa/Lagos). */
  readonly days: readonly string[];
  /** All breakdowns have the same totals. A series has one number for each of `days`. */
  readonly by: Readonly<Record<'service' | 'outcome' | 'key', readonly UsageSeries[]>>;
  readonly totals: UsageTotals;
  /** Of the same number of days: the first of the previous month, or those before `from`. Null without requests. */
  readonly previous: UsageTotals | null;
  /** By ID type, of requests that asked a registry. Null if there were none. */
  readonly latency: readonly {
    readonly id_type: IdType;
    readonly requests: number;
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
    readonly p99_ms: number | null;
  }[];
  /** Of the last purchase. 750 is 7.5%. Null if nothing was bought. */
  readonly vat_basis_points: number | null;
  /** Null before the first count. */
  readonly counted_until: string | null;
}

export interface UsageSeries {
  readonly name: string;
  readonly requests: readonly number[];
  readonly credits: readonly number[];
}

export interface UsageTotals {
  readonly requests: number;
  readonly found: number;
  /** Of the service or a registry. */
  readonly errors: number;
  readonly credits: number;
  /**
   * Without VAT. For a closed month, the revenue or a share of it; otherwise an estimate from the lots and today's
   * price. Null for test credits, or without a price.
   */
  readonly cost_kobo: number | null;
  /** Whether the cost is the revenue of whole, closed months. */
  readonly is_closed: boolean;
}

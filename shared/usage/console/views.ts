import type { Environment } from '../../core/environment.ts';
import type { IdType } from '../../core/id-types.ts';

/** GET /usage?env=&month= One month (`yyyy-mm`, Africa/Lagos), the current one by default. */
export interface UsageView {
  readonly env: Environment;
  readonly month: string;
  /** The first month that can be shown. */
  readonly first_month: string;
  /** The days of the month up to today (Africa/Lagos). */
  readonly days: readonly string[];
  /** All breakdowns have the same totals. Each list in a series contains one number for each of `days`. */
  readonly by: Readonly<Record<'service' | 'outcome' | 'key', readonly UsageSeries[]>>;
  readonly totals: UsageTotals;
  /** The totals of the same number of days at the start of the previous month. Null if they had no requests. */
  readonly previous: UsageTotals | null;
  /** The latency of requests that asked a registry, by ID type. Percentiles are null if there were none. */
  readonly latency: readonly {
    readonly id_type: IdType;
    readonly requests: number;
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
    readonly p99_ms: number | null;
  }[];
  /** ISO time up to which requests have been counted. Null before the first count. */
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
  /** Requests that ended in an error of the service or of a registry. */
  readonly errors: number;
  readonly credits: number;
  /**
   * Without VAT. For a whole closed month, the revenue; for part of one, a share of it in proportion to the credits.
   * Otherwise, an estimate: credits are taken from the wallet's lots in the order in which they are used, and credits
   * without a lot have today's price. Null for test credits, or if no price is known.
   */
  readonly cost_kobo: number | null;
  readonly is_closed: boolean;
}

/**
 * GET /wallet/statement?env=&month=&from=&cursor=&limit= One month (`yyyy-mm`, Africa/Lagos), or its lines from a time
 * on, oldest line first.
 */
export interface StatementView {
  /** The balance before the first line of this page, and the balance after its last line. */
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly lines: readonly StatementLineView[];
  readonly next_cursor: string | null;
}

export interface StatementLineView {
  /** The operation ID of a charge, or the reference of a credit. */
  readonly id: string;
  readonly at: string;
  readonly kind: 'CHARGE' | 'TOP_UP' | 'CORRECTION';
  /** In credits. Positive if credits were added. */
  readonly amount: number;
  readonly balance_after: number;
  /**
   * The price of a top-up, or the share of it that a charge used: an estimate. Null for other lines, in the test
   * environment, and where the credits are in no known purchase.
   */
  readonly net_kobo: number | null;
  readonly vat_kobo: number | null;
  /** Null unless the line is a charge. */
  readonly request_id: string | null;
  readonly service: string | null;
  readonly key_label: string | null;
  /** Null unless the line is a correction. */
  readonly reason: string | null;
}

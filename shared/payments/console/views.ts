import type { Environment } from '../../core/environment.ts';
import type { StopReason } from '../../events/event.ts';
import type { BalanceDay } from '../../usage/run-out.ts';

/** POST /test-credits has the body `{}`. */
export interface TestCreditsView {
  readonly added: number;
  readonly available: number;
}

/** GET /wallet?env= */
export interface WalletView {
  readonly env: Environment;
  /** In credits. */
  readonly available: number;
  readonly held: number;
  /** Today is last, with the current balance. Days before the first credit are missing. */
  readonly days: readonly BalanceDay[];
  /** The average of up to 14 days before today. Null until 7 days after the first use. */
  readonly daily_use: number | null;
  /** At this rate. Null if not known, or more than a year away. */
  readonly runs_out_on: string | null;
  /** Sent when fewer than `below` credits are left. `is_default`: the stage's threshold. */
  readonly alert: { readonly below: number; readonly is_default: boolean };
  /** Null in the test environment, and until a member has set it up. */
  readonly automatic: AutomaticTopUpView | null;
  /** Null without `money` settings or a price. */
  readonly price: PriceView | null;
  /** Null until they are entered: credits cannot be bought without them. */
  readonly billing: BillingFields | null;
  /** What the profile of the organisation already says, for the first entry. */
  readonly suggested_billing: BillingFields | null;
  /** All lots with credits left, oldest first. */
  readonly lots: readonly LotView[];
  /** The last 10 orders, newest first. */
  readonly top_ups: readonly TopUpView[];
  /** The last 10 documents, newest first. */
  readonly invoices: readonly InvoiceView[];
}

/** PUT /wallet/automatic-top-up also returns this. */
export interface AutomaticTopUpView {
  readonly state: 'ON' | 'STOPPED' | 'OFF';
  readonly stop_reason: StopReason | null;
  readonly below: number;
  readonly credits: number;
  /** With VAT, like what was charged this month (Africa/Lagos). */
  readonly monthly_limit_kobo: number;
  readonly charged_kobo: number;
  /** The top-up whose card is saved. */
  readonly card_order: string | null;
  /** Null if it was saved by an earlier version. A part that Paystack does not state is empty. */
  readonly card: {
    readonly brand: string;
    readonly last_four: string;
    /** `mm/yyyy`. */
    readonly expires: string;
    readonly bank: string;
  } | null;
}

export interface PriceView {
  readonly kobo_per_credit: number;
  /** Today's VAT rate. 750 is 7.5%. */
  readonly vat_basis_points: number;
  readonly least_credits: number;
  readonly most_credits: number;
}

/** PUT /wallet/billing also returns this. */
export interface BillingFields {
  readonly name: string;
  /** One to five lines. */
  readonly address: readonly string[];
  readonly tax_number: string;
  readonly email: string;
}

export interface LotView {
  readonly id: string;
  readonly kind: 'paid' | 'promotional' | 'refund' | 'correction';
  readonly credits: number;
  /** An estimate until the month is closed. */
  readonly remaining: number;
  /** Null for free credits. */
  readonly kobo_per_credit: number | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

/** POST /wallet/top-ups; GET /wallet/top-ups/{reference} */
export interface TopUpView {
  readonly env: Environment;
  readonly reference: string;
  /** TRANSFER: an operator recorded a bank transfer. */
  readonly method: 'PAYSTACK' | 'TRANSFER';
  readonly state: 'OPENED' | 'PAID' | 'CREDITED' | 'FAILED' | 'EXPIRED' | 'MISMATCH' | 'REFUNDED';
  readonly credits: number;
  readonly vat_kobo: number;
  readonly total_kobo: number;
  /** Null if the order cannot be paid now. */
  readonly checkout_url: string | null;
  readonly opened_at: string;
  readonly credited_at: string | null;
  readonly invoice: string | null;
  readonly receipt: string | null;
  /** Opened in the console. Cards of other payments cannot be saved. */
  readonly is_by_member: boolean;
}

/** GET /invoices?env=&cursor=&limit= Newest first. GET /invoices/{number}?env= returns the PDF. */
export interface InvoicesView {
  readonly invoices: readonly InvoiceView[];
  readonly next_cursor: string | null;
}

export interface InvoiceView {
  readonly number: string;
  readonly kind: 'invoice' | 'receipt' | 'credit-note' | 'statement';
  readonly issued_at: string;
  /** `yyyy-mm`: the month that a statement covers; otherwise that of `issued_at`. */
  readonly month: string;
  readonly vat_kobo: number;
  readonly total_kobo: number;
}

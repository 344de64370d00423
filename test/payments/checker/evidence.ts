import type { Difference } from '../../../shared/ledger/reconcile/rows.ts';
import type { Json, JsonRow } from '../../ledger/checker/evidence.ts';

/**
 * The checker's input as plain JSON: rows in the order in which they became durable, and what happened outside: money
 * that Paystack took and returned, messages, and requests for refunds. The checker follows decision 14 alone. No file
 * in this folder imports code from the service.
 */

export type { Json, JsonRow };

export interface Commit {
  readonly atMs: number;
  readonly versions: readonly { readonly pk: string; readonly sk: string; readonly row: JsonRow | null }[];
}

/** An order as the customer knows it. */
export interface SeenOrder {
  readonly reference: string;
  /** `<env>#<org>` */
  readonly wallet: string;
  readonly credits: number;
  readonly totalKobo: number;
}

export interface TakenMoney {
  readonly id: string;
  readonly atMs: number;
  readonly amountKobo: number;
  readonly currency: string;
  /** The order had expired more than a day before, and its price had risen. */
  readonly isOutdated?: boolean;
  /** When the payment was reversed, if it was. */
  readonly reversedAtMs?: number;
}

export interface SentWebhook {
  readonly isForged: boolean;
  /** Undefined if no response arrived. */
  status?: number;
}

export interface AskedRefund {
  readonly wallet: string;
  readonly reference: string;
  /** The number of commits when the request began. */
  readonly startedAfter: number;
}

/** What Paystack was asked to take from the saved card of the first wallet. */
export interface SavedCardCharge {
  readonly reference: string;
  readonly atMs: number;
}

export interface PaymentEvidence {
  readonly wallets: readonly string[];
  readonly commits: readonly Commit[];
  readonly orders: readonly SeenOrder[];
  readonly taken: ReadonlyMap<string, TakenMoney>;
  /** The kobo that Paystack refunded at our request, by order reference. */
  readonly returned: ReadonlyMap<string, number>;
  readonly webhooks: readonly SentWebhook[];
  readonly refunds: readonly AskedRefund[];
  readonly charges: readonly SavedCardCharge[];
  /** What the service's own control reports, if it ended. */
  readonly control: readonly Difference[] | undefined;
}

import type { Environment } from '../../core/environment.ts';

/**
 * Takes customers' payments, without rules of its own: `settleTopUp` decides. Every call has a deadline, and throws
 * SERVICE_UNAVAILABLE if the provider does not respond in time, rejects the request or sends an undocumented response.
 * The cause says which, without secrets or personal data.
 */
export interface PaymentProvider {
  /** The provider rejects a reference that it has seen before. */
  initialise(request: InitialiseRequest): Promise<Checkout>;
  /** Only the result proves a payment (decision 14). */
  verify(reference: string): Promise<VerifiedPayment>;
  /** The card that paid this reference. Undefined unless it can be charged again. */
  findCard(reference: string): Promise<FoundCard | undefined>;
  /**
   * Charges a saved card. The provider rejects a reference that it has seen before. If it throws, the card may have been
   * charged.
   */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /**
   * The provider does not recognise a repeated request, so a caller that may repeat one must first search the result of
   * `listRefunds` for its `note`.
   */
  refund(request: RefundRequest): Promise<ProviderRefund>;
  /** In any order. `providerReference` comes from the verified payment. */
  listRefunds(providerReference: string): Promise<readonly ProviderRefund[]>;
}

/** `live` moves money, `test` does not. */
export type PaymentProviders = Readonly<Record<Environment, PaymentProvider>>;

interface InitialiseRequest {
  /** The reference of our order. */
  readonly reference: string;
  readonly totalKobo: number;
  /** The provider sends its own receipt to it. */
  readonly email: string;
  readonly callbackUrl: string;
}

interface Checkout {
  readonly checkoutUrl: string;
}

/** What charges a card. It is stored encrypted. */
export interface SavedCard {
  readonly authorisationCode: string;
  /** Of the payment that saved the card. The provider charges a code only together with it. */
  readonly email: string;
}

/** What people know a card by. A part that the provider does not state is empty. */
export interface CardDetails {
  readonly brand: string;
  readonly lastFour: string;
  /** `mm/yyyy`. */
  readonly expires: string;
  readonly bank: string;
}

export interface FoundCard extends SavedCard {
  readonly details: CardDetails;
}

interface ChargeRequest {
  /** The reference of our order. */
  readonly reference: string;
  readonly totalKobo: number;
  readonly card: SavedCard;
}

/**
 * `attempted`: only `verify` says whether it was paid. `refused`: nothing was charged. `paused`: the bank asks the
 * cardholder to confirm the charge on the page `checkoutUrl`.
 */
type ChargeResult =
  | { readonly kind: 'attempted' | 'refused' }
  | { readonly kind: 'paused'; readonly checkoutUrl: string };

/**
 * `failed`, `abandoned`: the customer may still pay on the same page. `reversed`: by a full refund or a chargeback.
 * `missing`: the provider does not know the reference.
 */
const PAYMENT_STATUSES = ['success', 'failed', 'abandoned', 'pending', 'reversed', 'missing'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** None of it has been compared with the order yet. */
export type VerifiedPayment =
  | { readonly status: 'missing' }
  | {
      readonly status: Exclude<PaymentStatus, 'missing'>;
      readonly reference: string;
      /** In hundredths of `currency`: kobo only if that is NGN. */
      readonly amountKobo: number;
      readonly currency: string;
      /** Undefined unless the payment was made. */
      readonly paidAt: string | undefined;
      /** Such as `card`; empty if the customer has not chosen one. */
      readonly channel: string;
      /** The provider's own number for the payment. */
      readonly providerReference: string;
    };

interface RefundRequest {
  /** The provider's number for the payment. */
  readonly providerReference: string;
  readonly amountKobo: number;
  /** The number of our credit note. Only we see it. */
  readonly note: string;
  /** Shown to the customer. */
  readonly customerNote: string;
}

/**
 * `needs-attention`: a person enters the customer's bank details in the provider's dashboard. `failed`: nothing was
 * returned.
 */
export const REFUND_STATUSES = ['pending', 'processing', 'needs-attention', 'failed', 'processed'] as const;
type RefundStatus = (typeof REFUND_STATUSES)[number];

export interface ProviderRefund {
  /** The provider's number for the refund. */
  readonly refundReference: string;
  readonly status: RefundStatus;
  readonly amountKobo: number;
  readonly currency: string;
  readonly note: string;
}

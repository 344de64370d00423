import type { Environment } from '../../core/environment.ts';

/**
 * The company that takes customers' payments. An implementation has no rules of its own: it passes on what the provider
 * says, and `settleTopUp` decides. Every call has a deadline. It throws SERVICE_UNAVAILABLE if the provider does not
 * respond in time, rejects the request, or sends an undocumented response. The cause says which, without secrets or
 * personal data.
 */
export interface PaymentProvider {
  /** Opens the hosted checkout of one payment. The provider rejects a reference that it has seen before. */
  initialise(request: InitialiseRequest): Promise<Checkout>;
  /** Asks the provider about a payment, by our reference. Only the result proves a payment (decision 14). */
  verify(reference: string): Promise<VerifiedPayment>;
  /**
   * Asks the provider to return money. The provider does not recognise a repeated request, so a caller that may repeat
   * one must first search the result of `listRefunds` for its `note`.
   */
  refund(request: RefundRequest): Promise<ProviderRefund>;
  /** Returns all refunds of a payment, in any order. `providerReference` comes from the verified payment. */
  listRefunds(providerReference: string): Promise<readonly ProviderRefund[]>;
}

/** The provider of an environment: `live` moves money, `test` does not. */
export type PaymentProviders = Readonly<Record<Environment, PaymentProvider>>;

interface InitialiseRequest {
  /** The reference of our order. */
  readonly reference: string;
  readonly totalKobo: number;
  /** The customer's email address, to which the provider sends its own receipt. */
  readonly email: string;
  /** The page to which the provider sends the browser after the payment. */
  readonly callbackUrl: string;
}

interface Checkout {
  /** The provider's page on which the customer pays. */
  readonly checkoutUrl: string;
}

/**
 * `success`: the money was taken. `failed`: the last attempt failed; the customer may try again on the same page.
 * `abandoned`: the customer left the checkout or has not paid yet, and still may. `pending`: the payment is in
 * progress.
 * `reversed`: the money was returned, by a full refund or a chargeback. `missing`: the provider does not know the
 * reference.
 */
const PAYMENT_STATUSES = ['success', 'failed', 'abandoned', 'pending', 'reversed', 'missing'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What the provider says about a payment. None of it has been compared with the order yet. */
export type VerifiedPayment =
  | { readonly status: 'missing' }
  | {
      readonly status: Exclude<PaymentStatus, 'missing'>;
      readonly reference: string;
      /** In hundredths of `currency`: kobo only if that is NGN. */
      readonly amountKobo: number;
      readonly currency: string;
      /** ISO time. Undefined unless the payment was made. */
      readonly paidAt: string | undefined;
      /** Such as `card` or `bank_transfer`; empty if the customer has not chosen one. */
      readonly channel: string;
      /** The provider's own number for the payment. */
      readonly providerReference: string;
    };

interface RefundRequest {
  /** The provider's number for the payment. */
  readonly providerReference: string;
  readonly amountKobo: number;
  /** Identifies this refund among those of the payment: the number of our credit note. Only we see it. */
  readonly note: string;
  /** Shown to the customer. */
  readonly customerNote: string;
}

/**
 * `pending`, `processing`: under way. `needs-attention`: the provider needs the customer's bank details, which a person
 * enters in its dashboard. `failed`: nothing was returned. `processed`: the money was returned.
 */
export const REFUND_STATUSES = ['pending', 'processing', 'needs-attention', 'failed', 'processed'] as const;
type RefundStatus = (typeof REFUND_STATUSES)[number];

export interface ProviderRefund {
  /** The provider's number for the refund. */
  readonly refundReference: string;
  readonly status: RefundStatus;
  readonly amountKobo: number;
  readonly currency: string;
  /** The note that was sent with the request. */
  readonly note: string;
}

import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { isPageAddress } from '../page-address.ts';
import { REFUND_STATUSES } from './payment-provider.ts';

/**
 * Sources: PaystackOSS/doc-code-snippets and PaystackOSS/openapi; test/fixtures/paystack has samples. They disagree
 * about types: an amount, or a transaction's number, is a number in one and a string in another.
 */

const MAX_CHARACTERS = 600;
const shortText = v.pipe(v.string(), v.maxLength(MAX_CHARACTERS));
const digits = v.pipe(v.string(), v.regex(/^[0-9]{1,18}$/));

const wholeNumber = v.pipe(
  v.union([v.number(), v.pipe(digits, v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
);

/** As a string: an unsigned integer of 64 bits. */
const rowNumber = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger()), v.string()]),
  v.transform(String),
  v.regex(/^[0-9]{1,20}$/),
);

/** ISO time in UTC, or undefined. */
const time = v.pipe(
  v.nullish(v.pipe(v.string(), v.isoTimestamp())),
  v.transform((text) => (text ? new Date(text).toISOString() : undefined)),
);

/** Paystack's guide "Verify Payments". */
const TRANSACTION_STATUSES = {
  success: 'success',
  failed: 'failed',
  abandoned: 'abandoned',
  ongoing: 'pending',
  pending: 'pending',
  processing: 'pending',
  queued: 'pending',
  reversed: 'reversed',
} as const;

const transactionStatus = v.pipe(
  v.picklist(Object.keys(TRANSACTION_STATUSES) as (keyof typeof TRANSACTION_STATUSES)[]),
  v.transform((status) => TRANSACTION_STATUSES[status]),
);

export const initialiseBody = v.object({
  status: v.literal(true),
  data: v.object({ authorization_url: v.pipe(shortText, v.check(isPageAddress)), reference: shortText }),
});

export const verifyBody = v.object({
  status: v.literal(true),
  data: v.object({
    id: rowNumber,
    /** The mode of the key. */
    domain: v.picklist(ENVIRONMENTS),
    status: transactionStatus,
    reference: shortText,
    amount: wholeNumber,
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    channel: v.nullish(shortText, ''),
    paid_at: time,
  }),
});

const cardText = v.pipe(v.string(), v.regex(/^[\p{L}\p{M} .&'()-]{1,60}$/u));

/** The card of a paid transaction, in the response of `verify`. */
export const cardBody = v.object({
  status: v.literal(true),
  data: v.object({
    domain: v.picklist(ENVIRONMENTS),
    status: transactionStatus,
    reference: shortText,
    authorization: v.nullish(
      v.object({
        authorization_code: v.nullish(shortText),
        channel: v.nullish(shortText),
        reusable: v.nullish(v.boolean()),
        // For people only, so an undocumented value does not prevent that a card is saved.
        last4: v.fallback(v.pipe(v.string(), v.regex(/^\d{4}$/)), ''),
        exp_month: v.fallback(v.pipe(v.string(), v.regex(/^(0?[1-9]|1[0-2])$/)), ''),
        exp_year: v.fallback(v.pipe(v.string(), v.regex(/^20\d\d$/)), ''),
        brand: v.fallback(cardText, ''),
        bank: v.fallback(cardText, ''),
      }),
    ),
    customer: v.nullish(v.object({ email: v.nullish(shortText) })),
  }),
});

/** `paused`: the guide "Recurring Charges" calls it a challenge of the cardholder. */
export const chargeBody = v.object({
  status: v.literal(true),
  data: v.variant('paused', [
    v.object({
      paused: v.literal(true),
      reference: shortText,
      authorization_url: v.pipe(shortText, v.check(isPageAddress)),
    }),
    v.object({ paused: v.optional(v.literal(false)), reference: shortText }),
  ]),
});

/** `transaction` is the number or, in the response to a new refund, an object with it. */
const refund = v.object({
  id: rowNumber,
  transaction: v.union([
    rowNumber,
    v.pipe(
      v.object({ id: rowNumber }),
      v.transform(({ id }) => id),
    ),
  ]),
  status: v.picklist(REFUND_STATUSES),
  amount: wholeNumber,
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  merchant_note: v.nullish(shortText, ''),
});
export type PaystackRefund = v.InferOutput<typeof refund>;

export const refundBody = v.object({ status: v.literal(true), data: refund });

export const refundListBody = v.object({
  status: v.literal(true),
  data: v.array(refund),
  meta: v.optional(v.object({ pageCount: v.optional(wholeNumber) })),
});

/** The guide "Errors" also shows `status` as the string "false". */
export const errorBody = v.object({
  status: v.union([v.literal(false), v.literal('false')]),
  message: v.nullish(shortText, ''),
  code: v.nullish(shortText, ''),
});

/** Only the kind and the reference are used: `verify` alone proves a payment. */
export const webhookBody = v.object({
  event: shortText,
  data: v.object({
    reference: v.nullish(shortText),
    /** Events of refunds. */
    transaction_reference: v.nullish(shortText),
    /** Events of disputes. */
    transaction: v.nullish(v.object({ reference: v.nullish(shortText) })),
  }),
});

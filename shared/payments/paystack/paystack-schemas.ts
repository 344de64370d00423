import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { isPageAddress } from '../page-address.ts';
import { REFUND_STATUSES } from './payment-provider.ts';

/**
 * The parts of Paystack's responses that we use. Sources: the responses in PaystackOSS/doc-code-snippets and the API
 * description in PaystackOSS/openapi; test/fixtures/paystack has a sample of each. Paystack's samples disagree about
 * types: an amount, or the number of a transaction, is a JSON number in one sample and a string in another.
 */

const MAX_CHARACTERS = 600;
const shortText = v.pipe(v.string(), v.maxLength(MAX_CHARACTERS));
const digits = v.pipe(v.string(), v.regex(/^[0-9]{1,18}$/));

/** A whole number of 0 or more, such as an amount in kobo. */
const wholeNumber = v.pipe(
  v.union([v.number(), v.pipe(digits, v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
);

/** Paystack's own number for a transaction or refund, as a string: an unsigned integer of 64 bits. */
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

/** Statuses of a transaction (Paystack's guide "Verify Payments"), and what they mean for an order. */
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
    /** The mode of the key that created the transaction. */
    domain: v.picklist(ENVIRONMENTS),
    status: transactionStatus,
    reference: shortText,
    amount: wholeNumber,
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    channel: v.nullish(shortText, ''),
    paid_at: time,
  }),
});

/** `transaction` is the number of the transaction or, in the response to a new refund, an object that contains it. */
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

/** A webhook event. Only the kind and the reference are used: `verify` alone proves a payment. */
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

import * as v from 'valibot';

/** What a Nigerian tax invoice must show of the buyer. Without them, no order can be opened. */
export const billingDetails = v.object({
  /** The registered name of the business. */
  name: v.string(),
  /** Up to five lines. */
  address: v.array(v.string()),
  /** The tax number, such as 12345678-0001. */
  taxNumber: v.string(),
  /** Paystack sends its receipts to it. */
  email: v.string(),
  changedAt: v.string(),
  changedBy: v.string(),
});
export type BillingDetails = v.InferOutput<typeof billingDetails>;

/** Frozen when the invoice was written. */
export const party = v.pick(billingDetails, ['name', 'address', 'taxNumber', 'email']);
export type Party = v.InferOutput<typeof party>;

import * as v from 'valibot';

/** The buyer: the details that a Nigerian tax invoice must show. Without them, no order can be opened. */
export const billingDetails = v.object({
  /** The registered name of the business. */
  name: v.string(),
  /** Up to five lines. */
  address: v.array(v.string()),
  /** The tax number, such as 12345678-0001. */
  taxNumber: v.string(),
  /** The email address that invoices show, and to which Paystack sends its receipts. */
  email: v.string(),
  /** ISO time and author of the last change. */
  changedAt: v.string(),
  changedBy: v.string(),
});
export type BillingDetails = v.InferOutput<typeof billingDetails>;

/** A party of an invoice, frozen when the invoice was written. */
export const party = v.pick(billingDetails, ['name', 'address', 'taxNumber', 'email']);
export type Party = v.InferOutput<typeof party>;

import * as v from 'valibot';

/** The faults of the test double for one reference. The empty object means normal behaviour. */
export const paymentFault = v.strictObject({
  /** `late`: the message waits until the control API sends it. @default once */
  webhook: v.optional(v.picklist(['once', 'twice', 'late', 'never'])),
  /** `bad`: signed with the wrong key. `none`: without the header. @default good */
  signature: v.optional(v.picklist(['good', 'bad', 'none'])),
  /** `verify` and the webhook show this amount instead of the order's. */
  amount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** `verify` and the webhook show this currency instead of the order's. */
  currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))),
  /** `verify` and the webhook show this status. `reversed` is the status after a full refund or a chargeback. */
  status: v.optional(
    v.picklist(['abandoned', 'failed', 'ongoing', 'pending', 'processing', 'queued', 'reversed', 'success']),
  ),
  /** `hangs`: `verify` does not respond until this fault ends. `fails`: it responds with 500. @default normal */
  verify: v.optional(v.picklist(['normal', 'hangs', 'fails'])),
  /** The status that a new refund ends with. @default processed */
  refund: v.optional(v.picklist(['pending', 'processing', 'needs-attention', 'failed', 'processed'])),
});
export type PaymentFault = v.InferOutput<typeof paymentFault>;

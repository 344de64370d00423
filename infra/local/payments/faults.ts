import * as v from 'valibot';

/** For one reference. Empty: normal behaviour. */
export const paymentFault = v.strictObject({
  /** `late`: the message waits until the control API sends it. @default once */
  webhook: v.optional(v.picklist(['once', 'twice', 'late', 'never'])),
  /** `bad`: signed with the wrong key. `none`: without the header. @default good */
  signature: v.optional(v.picklist(['good', 'bad', 'none'])),
  /** In `verify` and the webhook. */
  amount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** In `verify` and the webhook. */
  currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))),
  /** In `verify` and the webhook. `reversed`: after a full refund or a chargeback. */
  status: v.optional(
    v.picklist(['abandoned', 'failed', 'ongoing', 'pending', 'processing', 'queued', 'reversed', 'success']),
  ),
  /** `hangs`: `verify` does not respond until this fault ends. `fails`: it responds with 500. @default normal */
  verify: v.optional(v.picklist(['normal', 'hangs', 'fails'])),
  /**
   * Of the next charges of a saved card. Its name is the authorisation code instead of a reference. `paused`: the bank
   * asks for a confirmation. `lost`: the card is charged, but the response is not sent. @default paid
   */
  charge: v.optional(v.picklist(['paid', 'declined', 'paused', 'lost'])),
  /** The status that a new refund ends with. @default processed */
  refund: v.optional(v.picklist(['pending', 'processing', 'needs-attention', 'failed', 'processed'])),
});
export type PaymentFault = v.InferOutput<typeof paymentFault>;

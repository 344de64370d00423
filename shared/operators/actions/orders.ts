import * as v from 'valibot';
import { notPossible } from '../../core/not-possible.ts';
import { REVERSAL_BOOKINGS, type TopUpOrder } from '../../payments/orders/order.ts';
import { type ActionOutcome, accepted, action, done } from '../action.ts';
import * as field from '../fields.ts';
import type { MadeChange } from '../make-change.ts';
import type { OrderOf, OrderTarget } from '../operations/approved-order.ts';
import { documentsOf } from '../operations/credit-notes.ts';
import { ordersOf } from '../operations/orders.ts';
import { isRequestNeeded, makeAlone, makeOrRequest, request } from '../second-person.ts';

const httpsAddress = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && new URL(text).protocol === 'https:', 'Use an https address.'),
);

export const openOrder = action({
  body: v.strictObject({
    organisation: field.organisationId,
    env: field.environment,
    credits: field.count,
    method: v.picklist(['PAYSTACK', 'TRANSFER']),
    /** Needed for Paystack only. */
    returnUrl: v.optional(httpsAddress),
  }),
  run: async ({ organisation, env, ...what }, context) =>
    done(
      await ordersOf(context).openOrder(
        { ...what, wallet: { env, organisationId: organisation } },
        context.actor,
      ),
    ),
});

const order = { env: field.environment, reference: field.orderReference };

export const settleOrder = action({
  body: v.strictObject(order),
  run: async ({ env, reference }, context) =>
    done(await ordersOf(context).settleOrder(env, reference, context.actor)),
});

export const resolveOrder = action({
  body: v.strictObject({
    ...order,
    reason: field.reason,
    /** How to book the open part of a reversed payment, and the open amount that the operator confirmed. */
    as: v.optional(v.picklist(REVERSAL_BOOKINGS)),
    totalKobo: v.optional(field.kobo),
  }),
  async run({ env, reference, reason, as, totalKobo }, context): Promise<ActionOutcome<TopUpOrder>> {
    const { resolveOrder: resolve, requireOrder, requireOpenReversal } = ordersOf(context);
    if (as === undefined) return done(await resolve(env, reference, reason, context.actor));
    const found = await requireOrder(env, reference);
    const open = await requireOpenReversal(found);
    if (totalKobo !== open.totalKobo)
      throw notPossible('The open amount has changed. Nothing was changed. Run the same command again.');
    const { credits } = open;
    const { organisationId } = found;
    return makeOrRequest(
      { work: 'reversal', reference, as, reason, credits, totalKobo },
      { organisationId, env },
      context,
    );
  },
});

interface CreditNoteWork {
  readonly order: OrderOf<'credit-note'>;
  readonly target: OrderTarget;
}

export const createCreditNote = action({
  body: v.strictObject({
    organisation: field.organisationId,
    invoice: field.documentNumber,
    credits: field.count,
    reference: field.line,
    reason: field.reason,
    /** Whether the customer already has the money. */
    isPaidBack: v.boolean(),
    /** The total that the operator confirmed, with VAT. */
    totalKobo: field.kobo,
  }),
  async run(
    { organisation: organisationId, ...what },
    context,
  ): Promise<ActionOutcome<MadeChange<'credit-note'>, CreditNoteWork>> {
    const documents = documentsOf(context);
    const { env } = await documents.requireDocument(organisationId, what.invoice);
    const target = { env, organisationId };
    const wanted = { ...what, wallet: target, actor: context.actor };
    const creditNote = { work: 'credit-note', ...what } as const;
    const isRepeated = await documents.refundedEarlier(wanted);
    if (isRepeated || !(await isRequestNeeded(creditNote, target, context)))
      return accepted({ order: creditNote, target });
    await documents.planRefund(wanted);
    return { kind: 'requested', requested: await request(creditNote, target, context) };
  },
  inBackground: ({ order: creditNote, target }, context) => makeAlone(creditNote, target, context),
});

export const recordPaidBack = action({
  body: v.strictObject({
    organisation: field.organisationId,
    creditNote: field.documentNumber,
    bankReference: field.line,
  }),
  run: async ({ organisation, creditNote, bankReference }, context) =>
    done(await documentsOf(context).recordPaidBack(organisation, creditNote, bankReference)),
});

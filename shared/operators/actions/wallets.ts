import * as v from 'valibot';
import { MAX_WALLET_SHARDS } from '../../accounts/organisation.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { type ActionContext, type ActionOutcome, accepted, action, done } from '../action.ts';
import * as field from '../fields.ts';
import { type MadeChange, makeChange } from '../make-change.ts';
import type { OrderOf } from '../operations/approved-order.ts';
import { ordersOf } from '../operations/orders.ts';
import { walletsOf } from '../operations/wallets.ts';
import { makeOrRequest } from '../second-person.ts';

/** What top-ups and corrections share. The ledger checks amount, reference and reason. */
const credit = {
  organisation: field.organisationId,
  env: field.environment,
  credits: v.number(),
  reference: v.string(),
  reason: v.string(),
  effectiveAt: v.optional(field.time),
};

export const topUp = action({
  body: v.strictObject({
    ...credit,
    /** The total of a bank transfer that the operator confirmed, with VAT. Absent for free credits. */
    totalKobo: v.optional(field.kobo),
    bankReference: v.optional(field.line),
    /** When free credits expire. */
    expiresAt: v.optional(field.time),
  }),
  async run({ organisation, env, credits: amount, ...what }, context) {
    const wallet = { env, organisationId: organisation };
    const { totalKobo, expiresAt, bankReference, reference, effectiveAt: paidAt } = what;
    if (totalKobo !== undefined && env === 'test') throw notPossible('Credits of the test wallet are free.');
    if (totalKobo !== undefined && expiresAt !== undefined) throw notPossible('Paid credits do not expire.');
    if (totalKobo === undefined && bankReference !== undefined)
      throw notPossible('Free credits have no bank transfer.');
    field.requireFuture(expiresAt, context.clock.nowMs());
    if (totalKobo !== undefined) {
      const transfer = { wallet, credits: amount, reference, paidAt };
      const { order } = await ordersOf(context).priceTransfer(transfer);
      if (order.totalKobo !== totalKobo)
        throw notPossible('The price has changed. Nothing was changed. Run the same command again.');
    }
    return book({ work: 'credit', kind: 'TOP_UP', amount, ...what }, wallet, context);
  },
});

export const correct = action({
  body: v.strictObject(credit),
  run: ({ organisation, env, credits: amount, ...what }, context) =>
    book(
      { work: 'credit', kind: 'CORRECTION', amount, ...what },
      { env, organisationId: organisation },
      context,
    ),
});

/** Books a credit. Repeating a reference needs no second person, because it changes nothing. */
async function book(
  order: OrderOf<'credit'>,
  wallet: WalletId,
  context: ActionContext,
): Promise<ActionOutcome<MadeChange<'credit'>>> {
  const { problemOfCredit, findCredit, checkCredit } = walletsOf(context);
  const problem = problemOfCredit(order, order.totalKobo !== undefined);
  if (problem) throw notPossible(problem);
  const isRepeated = (await findCredit(wallet, order.reference)) !== undefined;
  return isRepeated
    ? done(await makeChange(order, wallet, context, context.actor))
    : makeOrRequest(order, wallet, context, () => checkCredit(wallet, order));
}

export const setShards = action({
  body: v.strictObject({
    organisation: field.organisationId,
    shards: v.pipe(field.count, v.maxValue(MAX_WALLET_SHARDS)),
  }),
  run: async (input) => accepted(input),
  async inBackground({ organisation, shards }, context, report) {
    const { name, walletShards } = await walletsOf(context).setShards(organisation, shards, (waitMs) =>
      report({ waitMs }),
    );
    return { name, walletShards };
  },
});

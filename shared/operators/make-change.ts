import type { ApiKey } from '../accounts/api-key.ts';
import { type CreatedKey, type EditedKey, editText } from '../accounts/manage-api-key.ts';
import type { Organisation } from '../accounts/organisation.ts';
import type { WalletId } from '../core/keys.ts';
import type { ErasureStep } from '../ledger/erase.ts';
import type { Credit } from '../ledger/rows/credit.ts';
import type { Closing } from '../payments/months/closing.ts';
import type { TopUpOrder } from '../payments/orders/order.ts';
import type { CreditPrice } from '../payments/prices/price.ts';
import type { RefundedCredits } from '../payments/refunds/refund-credits.ts';
import type { ActionContext } from './action.ts';
import { type InvitedMember, inviteByMail } from './invite-by-mail.ts';
import { notifyOwners } from './notify-owners.ts';
import type { ApprovedOrder, OrderOf, OrderTarget } from './operations/approved-order.ts';
import { documentsOf } from './operations/credit-notes.ts';
import { keysOf } from './operations/keys.ts';
import { membersOf, ownersOf } from './operations/members.ts';
import { monthsOf } from './operations/months.ts';
import { ordersOf } from './operations/orders.ts';
import { organisationsOf } from './operations/organisations.ts';
import { pricesOf } from './operations/prices.ts';
import type { Erasure } from './operations/privacy.ts';
import { privacyOf } from './operations/privacy.ts';
import { walletsOf } from './operations/wallets.ts';

/** A credit that was recorded, now or earlier (`existed`). Credits that were paid for have an order. */
export interface BookedCredit {
  readonly row: Credit;
  readonly existed: boolean;
  readonly order?: TopUpOrder;
}

/** A live key that replaces `old`. */
export interface RotatedKey extends CreatedKey {
  readonly old: ApiKey;
}

/** The results of changes that may need a second person. */
interface Results {
  readonly credit: BookedCredit;
  readonly erasure: Erasure;
  readonly price: CreditPrice;
  readonly 'service-price': Organisation;
  readonly reopen: Closing;
  readonly 'credit-note': RefundedCredits;
  readonly reversal: TopUpOrder;
  readonly key: CreatedKey;
  readonly 'key-rotation': RotatedKey;
  readonly 'key-update': EditedKey;
  readonly invitation: InvitedMember;
  readonly removal: { readonly personId: string; readonly email: string };
}
export type MadeChange<W extends ApprovedOrder['work'] = ApprovedOrder['work']> = Results[W];

type Make<W extends ApprovedOrder['work']> = (
  order: OrderOf<W>,
  target: OrderTarget,
  context: ActionContext,
  requestedBy: string,
  onStep: (step: ErasureStep) => void,
) => Promise<Results[W]>;

const MAKE: { readonly [W in ApprovedOrder['work']]: Make<W> } = {
  async credit(order, target, context, requestedBy) {
    const wallet = walletOf(target);
    const { kind, work: _, totalKobo, bankReference, expiresAt, ...credit } = order;
    const { topUp, correct, requireSameCredit } = walletsOf(context);
    const request = { ...credit, actor: requestedBy };
    const pay = (total: number): Promise<BookedCredit> => {
      const { amount: credits, effectiveAt: paidAt, reference, reason } = credit;
      const transfer = { wallet, credits, reference, reason, paidAt, bankReference, totalKobo: total };
      return ordersOf(context).creditTransfer(transfer, requestedBy);
    };
    const give = () => (kind === 'TOP_UP' ? topUp(wallet, request, expiresAt) : correct(wallet, request));
    const booked = totalKobo === undefined ? await give() : await pay(totalKobo);
    if (booked.existed) await requireSameCredit(wallet, order, booked);
    return booked;
  },
  erasure: ({ idType, numberTags }, target, context, _, onStep) =>
    privacyOf(context).eraseTags(walletOf(target), idType, numberTags, onStep),
  async price({ koboPerCredit, from, reason }, { organisationId }, context, requestedBy) {
    const prices = pricesOf(context);
    const change = { organisationId, koboPerCredit, from, reason };
    await prices.checkPriceChange(change);
    return prices.setCreditPrice(change, requestedBy);
  },
  async 'service-price'({ service, credits }, { organisationId = '' }, context) {
    const { changesPrice, setPrice } = organisationsOf(context);
    const isChange = await changesPrice(organisationId, service, credits);
    const row = await setPrice(organisationId, service, credits);
    const what = `the price of ${service} was set to ${credits} credit${credits === 1 ? '' : 's'} for each charged request`;
    if (isChange) await notifyOwners(organisationId, what, context);
    return row;
  },
  reopen: ({ month, reason }, target, context) =>
    monthsOf(context).reopenMonth({ wallet: walletOf(target), month, reason }),
  'credit-note'({ work: _, totalKobo, ...what }, target, context, requestedBy) {
    const request = { ...what, wallet: walletOf(target), actor: requestedBy };
    return documentsOf(context).refundCredits(request, totalKobo);
  },
  reversal({ work: _, credits: __, reference, ...what }, target, context, requestedBy) {
    const { env } = walletOf(target);
    return ordersOf(context).resolveReversal(env, reference, { ...what, actor: requestedBy });
  },
  async key({ work: _, ...wanted }, target, context) {
    const { env, organisationId } = walletOf(target);
    const created = await keysOf(context).createKey({ ...wanted, env, organisationId });
    await notifyOwners(organisationId, `the live API key "${wanted.label}" was created`, context);
    return created;
  },
  async 'key-rotation'({ hash, label, graceSeconds }, target, context) {
    const { env, organisationId } = walletOf(target);
    const { findKey, rotateKey } = keysOf(context);
    const old = await findKey(organisationId, hash, env);
    const created = await rotateKey(old, graceSeconds);
    await notifyOwners(organisationId, `the live API key "${label}" was replaced`, context);
    return { ...created, old };
  },
  async 'key-update'({ hash, change }, target, context) {
    const { env, organisationId } = walletOf(target);
    const { findKey, editKey } = keysOf(context);
    const edited = await editKey(await findKey(organisationId, hash, env), change);
    if (edited.after) await notifyOwners(organisationId, editText(edited.before, edited.after), context);
    return edited;
  },
  async invitation({ email, role }, { organisationId = '' }, context) {
    const invited = await inviteByMail(organisationId, email, role, context);
    await notifyOwners(organisationId, `${email} was invited as ${role}`, context);
    return invited;
  },
  async removal({ personId }, { organisationId = '' }, context) {
    const { findMember, removeMember } = membersOf(context);
    const member = await findMember(organisationId, personId);
    // The removed owner receives the email too.
    const owners = await ownersOf(organisationId, context);
    await removeMember(member);
    await notifyOwners(organisationId, `${member.email} was removed as ${member.role}`, context, { owners });
    return { personId, email: member.email };
  },
};

/** Makes a change in the name of the person who requested it. Throws if it is not possible. */
export function makeChange<W extends ApprovedOrder['work']>(
  order: OrderOf<W>,
  target: OrderTarget,
  context: ActionContext,
  requestedBy: string,
  onStep: (step: ErasureStep) => void = () => undefined,
): Promise<Results[W]> {
  return MAKE[order.work as W](order, target, context, requestedBy, onStep);
}

function walletOf({ organisationId, env }: OrderTarget): WalletId {
  if (organisationId === undefined || env === undefined) throw new Error('The request names no wallet.');
  return { organisationId, env };
}

import type { ErasureStep } from '../../../shared/ledger/erase.ts';
import type { ApprovedChange } from '../../../shared/operators/actions/approve.ts';
import type { MadeChange } from '../../../shared/operators/make-change.ts';
import type { OpenRequest } from '../../../shared/operators/operations/approvals.ts';
import type { ApprovedOrder, OrderOf } from '../../../shared/operators/operations/approved-order.ts';
import type { CommandContext } from '../command-context.ts';
import { creditNoteText, creditNoteView } from './credit-note-text.ts';
import { creditText, creditView, type People, peopleText } from './credit-text.ts';
import { erasedText, progressOf } from './erasure-text.ts';
import {
  editedKeyText,
  editedKeyView,
  newKeyText,
  newKeyView,
  rotatedKeyText,
  rotatedKeyView,
} from './keys.ts';
import { printInvitation, removedText, removedView } from './members.ts';
import { reopenedText, reopenedView } from './month-text.ts';
import { isPaid, orderText, paidText, paidView } from './order-text.ts';
import { organisationView, servicesText } from './organisations.ts';
import { priceText, priceView } from './prices.ts';

interface Approved<W extends ApprovedOrder['work']> {
  readonly order: OrderOf<W>;
  readonly result: MadeChange<W>;
  readonly organisationId: string;
  readonly env: NonNullable<OpenRequest['env']>;
  readonly people: People;
}
type Print<W extends ApprovedOrder['work']> = (
  approved: Approved<W>,
  context: CommandContext,
) => void | Promise<void>;

const nameOf = async (id: string, { operator }: CommandContext) => (await operator.getOrganisation(id)).name;

/** Prints an approved change, with the people who requested and approved it. */
const PRINT: { readonly [W in ApprovedOrder['work']]: Print<W> } = {
  credit({ result, organisationId, env, people }, { print }) {
    const added = !result.existed && people;
    if (isPaid(result)) print({ ...paidView(result), ...added }, paidText(result, people));
    else
      print(
        { ...creditView(organisationId, env, result), ...added },
        creditText(organisationId, env, result, people),
      );
  },
  erasure({ order: { idType }, result, organisationId, env, people }, { print }) {
    print({ organisation: organisationId, env, idType, ...result, ...people }, erasedText(result, people));
  },
  price({ result, organisationId, people }, { print }) {
    const organisation = organisationId || undefined;
    const text = priceText(organisation, result).replace(/\.$/, `, ${peopleText(people)}.`);
    print({ ...priceView(organisation, result), ...people }, text);
  },
  'service-price'({ result, people }, { print }) {
    const text = `${servicesText(result)}\n\nThe price was ${peopleText(people)}.`;
    print({ ...organisationView(result), ...people }, text);
  },
  async reopen({ result, organisationId, env, people }, context) {
    const text = reopenedText(await nameOf(organisationId, context), result);
    const view = reopenedView({ organisationId, env }, result);
    context.print({ ...view, ...people }, `${text} The reopening was ${peopleText(people)}.`);
  },
  'credit-note'({ result, people }, { print }) {
    print({ ...creditNoteView(result), ...(!result.existed && people) }, creditNoteText(result, people));
  },
  async reversal({ result, organisationId, people }, context) {
    const text = orderText(result, await nameOf(organisationId, context));
    context.print({ ...result, ...people }, `${text}\n\nThe booking was ${peopleText(people)}.`);
  },
  key({ result, people }, { print }) {
    print({ ...newKeyView(result), ...people }, `${newKeyText(result)}\nThe key was ${peopleText(people)}.`);
  },
  'key-rotation'({ order: { graceSeconds }, result, people }, { print }) {
    const text = `${rotatedKeyText(result, graceSeconds)}\nThe rotation was ${peopleText(people)}.`;
    print({ ...rotatedKeyView(result), ...people }, text);
  },
  'key-update'({ result, people }, { print }) {
    const text = `${editedKeyText(result)}\nThe change was ${peopleText(people)}.`;
    print({ ...editedKeyView(result), ...people }, text);
  },
  invitation({ order, result, organisationId }, context) {
    printInvitation(organisationId, order, result, context);
  },
  removal({ result, organisationId, people }, { print }) {
    print({ ...removedView(organisationId, result), ...people }, removedText(result));
  },
};

export async function printApproved(
  { request, approvedBy, result }: ApprovedChange,
  context: CommandContext,
): Promise<void> {
  const { order, requestedBy, organisationId = '', env = 'live' } = request;
  const people = { requestedBy, approvedBy };
  const print = PRINT[order.work] as Print<ApprovedOrder['work']>;
  await print({ order, result, organisationId, env, people }, context);
}

/** Prints how far an erasure has progressed. Other approved changes report no progress. */
export function printProgress({ order }: OpenRequest, step: unknown, { notify }: CommandContext): void {
  if (order.work === 'erasure') notify(progressOf(step as ErasureStep));
}

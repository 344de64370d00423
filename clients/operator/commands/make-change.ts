import { approvalTable } from '../../../shared/audit/approval-table.ts';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { approvingRecorder } from '../../../shared/audit/recorder.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import type { ChangeContext } from '../command-context.ts';
import type { OpenRequest } from '../operations/approvals.ts';
import type { OrderOf } from '../operations/approved-order.ts';
import { type Operator, operator } from '../operator.ts';
import { creditNoteText, creditNoteView } from './credit-note-text.ts';
import { creditText, creditView, type People, peopleText } from './credit-text.ts';
import { erasedText, progressOf } from './erasure-text.ts';
import { reopenedText, reopenedView } from './month-text.ts';
import { orderText, paidText, paidView } from './order-text.ts';
import { priceText, priceView } from './prices.ts';

interface Approving {
  readonly request: OpenRequest;
  readonly people: People;
  /** Records the approval in the transaction of the change, so that the request is used only once. */
  readonly operator: Operator;
  readonly context: ChangeContext;
}

/** Makes the change that was approved, and prints what was done. */
export async function makeChange(request: OpenRequest, context: ChangeContext): Promise<void> {
  const { deployment, tools, run, actor: approvedBy } = context;
  const { client, tables } = deployment;
  const recorder = approvingRecorder(
    auditTable(client, tables.auditTrail),
    approvalTable(client, tables.approvals),
    request,
    run,
    tools.nowMs,
  );
  const people = { requestedBy: request.requestedBy, approvedBy };
  const approving = { request, people, operator: operator(deployment, { recorder, tools }), context };
  const { order } = request;
  switch (order.work) {
    case 'credit':
      return bookCredit(order, approving);
    case 'erasure':
      return erase(order, approving);
    case 'price':
      return setPrice(order, approving);
    case 'reopen':
      return reopen(order, approving);
    case 'credit-note':
      return writeCreditNote(order, approving);
    case 'reversal':
      return resolveReversal(order, approving);
  }
}

async function bookCredit(order: OrderOf<'credit'>, approving: Approving): Promise<void> {
  const { people, operator: booking, context } = approving;
  const wallet = walletOf(approving);
  const { kind, work: _, totalKobo, bankReference, expiresAt, ...credit } = order;
  if (totalKobo !== undefined) {
    const { amount: credits, effectiveAt: paidAt, reference, reason } = credit;
    const transfer = { wallet, credits, reference, reason, paidAt, bankReference, totalKobo };
    const result = await booking.creditTransfer(transfer, people.requestedBy);
    context.print({ ...paidView(result), ...(!result.existed && people) }, paidText(result, people));
    return;
  }
  const request = { ...credit, actor: people.requestedBy };
  const result = await (kind === 'TOP_UP'
    ? booking.topUp(wallet, request, expiresAt)
    : booking.correct(wallet, request));
  const view = creditView(wallet.organisationId, wallet.env, result);
  context.print(
    { ...view, ...(!result.existed && people) },
    creditText(wallet.organisationId, wallet.env, result, people),
  );
}

async function erase({ idType, numberTags }: OrderOf<'erasure'>, approving: Approving): Promise<void> {
  const { people, operator: erasing, context } = approving;
  const { env, organisationId } = walletOf(approving);
  const result = await erasing.eraseTags({ env, organisationId }, idType, numberTags, (step) =>
    context.notify(progressOf(step)),
  );
  context.print(
    { organisation: organisationId, env, idType, ...result, ...people },
    erasedText(result, people),
  );
}

async function setPrice({ koboPerCredit, from, reason }: OrderOf<'price'>, approving: Approving) {
  const { request, people, operator: pricing, context } = approving;
  const { organisationId } = request;
  const change = { organisationId, koboPerCredit, from, reason };
  await pricing.checkPriceChange(change);
  const row = await pricing.setCreditPrice(change, people.requestedBy);
  const text = priceText(organisationId, row).replace(/\.$/, `, ${peopleText(people)}.`);
  context.print({ ...priceView(organisationId, row), ...people }, text);
}

async function reopen({ month, reason }: OrderOf<'reopen'>, approving: Approving): Promise<void> {
  const { people, operator: reopening, context } = approving;
  const wallet = walletOf(approving);
  const { name } = await reopening.getOrganisation(wallet.organisationId);
  const closing = await reopening.reopenMonth({ wallet, month, reason });
  const text = `${reopenedText(name, closing)} The reopening was ${peopleText(people)}.`;
  context.print({ ...reopenedView(wallet, closing), ...people }, text);
}

async function writeCreditNote(order: OrderOf<'credit-note'>, approving: Approving): Promise<void> {
  const { people, operator: refunding, context } = approving;
  const { work: _, totalKobo, ...what } = order;
  const request = { ...what, wallet: walletOf(approving), actor: people.requestedBy };
  const result = await refunding.refundCredits(request, totalKobo);
  context.print(
    { ...creditNoteView(result), ...(!result.existed && people) },
    creditNoteText(result, people),
  );
}

async function resolveReversal(order: OrderOf<'reversal'>, approving: Approving): Promise<void> {
  const { people, operator: booking, context } = approving;
  const { work: _, credits: __, reference, ...what } = order;
  const { env, organisationId } = walletOf(approving);
  const { name } = await booking.getOrganisation(organisationId);
  const booked = await booking.resolveReversal(env, reference, { ...what, actor: people.requestedBy });
  const text = `${orderText(booked, name)}\n\nThe booking was ${peopleText(people)}.`;
  context.print({ ...booked, ...people }, text);
}

/** Returns the wallet that a request is about. */
function walletOf({ request: { organisationId, env } }: Approving): WalletId {
  if (organisationId === undefined || env === undefined) throw new Error('The request names no wallet.');
  return { organisationId, env };
}

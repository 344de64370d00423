import type { Recorder } from '../audit/recorder.ts';
import { cancellationCodes } from '../core/database.ts';
import { notPossible } from '../core/not-possible.ts';
import type { ActionContext, ActionOutcome, RequestedChange } from './action.ts';
import { type MadeChange, makeChange } from './make-change.ts';
import { needsSecondPerson } from './needs-second-person.ts';
import { approvalsOf } from './operations/approvals.ts';
import type { ApprovedOrder, OrderOf, OrderTarget } from './operations/approved-order.ts';
import { ownersOf } from './operations/members.ts';
import { limitedCredits, unapprovedCredits } from './unapproved-credits.ts';

/**
 * Makes a change, or stores a request for a second person. `check` throws if the change is not possible now, so that no
 * approval is requested for it.
 */
export async function makeOrRequest<W extends ApprovedOrder['work']>(
  order: OrderOf<W>,
  target: OrderTarget,
  context: ActionContext,
  check: () => Promise<unknown> = async () => undefined,
): Promise<ActionOutcome<MadeChange<W>>> {
  if (!(await isRequestNeeded(order, target, context)))
    return { kind: 'done', result: await makeAlone<W>(order, target, context) };
  await check();
  return { kind: 'requested', requested: await request(order, target, context) };
}

/** Makes a change that needs no second person. Its credits count for the limit of the caller. */
export async function makeAlone<W extends ApprovedOrder['work']>(
  order: OrderOf<W>,
  target: OrderTarget,
  context: ActionContext,
): Promise<MadeChange<W>> {
  const limit = context.deployment.secondPersonAbove;
  const credits = limitedCredits(order);
  if (limit === undefined || credits === undefined)
    return makeChange<W>(order, target, context, context.actor);
  const { countItem } = unapprovedCredits(context);
  const recorder: Recorder = {
    record: (...changes) => [...context.recorder.record(...changes), countItem(credits, limit)],
  };
  try {
    return await makeChange<W>(order, target, { ...context, recorder }, context.actor);
  } catch (error) {
    // The count is the last item of its transaction.
    if (cancellationCodes(error)?.at(-1) !== 'ConditionalCheckFailed') throw error;
    throw notPossible(
      'You booked other credits at the same time. Nothing was changed. Run the same command again: a second person must then approve it.',
    );
  }
}

/** Whether the change needs a second person. */
export function isRequestNeeded(
  order: ApprovedOrder,
  { organisationId }: OrderTarget,
  context: ActionContext,
): Promise<boolean> {
  const hasOwner = async () =>
    organisationId !== undefined && (await ownersOf(organisationId, context)).length > 0;
  const { secondPersonAbove } = context.deployment;
  return needsSecondPerson(order, secondPersonAbove, hasOwner, () => unapprovedCredits(context).today());
}

/** Stores a request, unless the same person has an open one for the same change. */
export async function request(
  order: ApprovedOrder,
  target: OrderTarget,
  context: ActionContext,
): Promise<RequestedChange> {
  const approvals = approvalsOf(context);
  const asked = { ...target, action: context.run.action, requestedBy: context.actor };
  const earlier = await approvals.findEqualRequest(asked, order);
  const { id, expiresAtMs } = earlier ?? (await approvals.requestApproval(asked, order));
  return { id, expiresAt: new Date(expiresAtMs).toISOString(), existed: earlier !== undefined };
}

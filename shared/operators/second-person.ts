import type { ActionContext, ActionOutcome, RequestedChange } from './action.ts';
import { type MadeChange, makeChange } from './make-change.ts';
import { needsSecondPerson } from './needs-second-person.ts';
import { approvalsOf } from './operations/approvals.ts';
import type { ApprovedOrder, OrderOf, OrderTarget } from './operations/approved-order.ts';
import { ownersOf } from './operations/members.ts';

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
    return { kind: 'done', result: await makeChange<W>(order, target, context, context.actor) };
  await check();
  return { kind: 'requested', requested: await request(order, target, context) };
}

/** Whether the change needs a second person. */
export function isRequestNeeded(
  order: ApprovedOrder,
  { organisationId }: OrderTarget,
  context: ActionContext,
): Promise<boolean> {
  const hasOwner = async () =>
    organisationId !== undefined && (await ownersOf(organisationId, context)).length > 0;
  return needsSecondPerson(order, context.deployment.secondPersonAbove, hasOwner);
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

import type { ApprovalRequest } from '../../shared/audit/approval.ts';
import type { ChangeContext } from './command-context.ts';
import type { ApprovedOrder } from './operations/approved-order.ts';
import { time } from './output.ts';

/** Whether a change needs a second person, according to the stage's setting `secondPerson`. */
export function needsSecondPerson(order: ApprovedOrder, creditsAbove: number | undefined): boolean {
  if (creditsAbove === undefined) return false;
  switch (order.work) {
    case 'credit':
      return order.kind === 'CORRECTION' || order.amount > creditsAbove;
    case 'credit-note':
    case 'reversal':
      return order.credits > creditsAbove;
    default:
      return true;
  }
}

/** Stores the request, unless the same person has an open one for the same change, and says how to approve it. */
export async function askSecondPerson(
  wanted: Pick<ApprovalRequest, 'organisationId' | 'env'>,
  order: ApprovedOrder,
  { operator, actor, action, print }: ChangeContext,
): Promise<void> {
  const asked = { ...wanted, action, requestedBy: actor };
  const earlier = await operator.findEqualRequest(asked, order);
  const { id, expiresAtMs } = earlier ?? (await operator.requestApproval(asked, order));
  const expiresAt = new Date(expiresAtMs).toISOString();
  print(
    { approval: { id, expiresAt } },
    `${earlier ? 'You have already requested this change. ' : ''}Nothing has been changed yet. Another person must run \`admin approve ${id}\` before ${time(expiresAt)}.`,
  );
}

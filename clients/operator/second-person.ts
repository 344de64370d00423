import type { ApprovalRequest } from '../../shared/audit/approval.ts';
import type { ChangeContext } from './command-context.ts';
import type { ApprovedOrder } from './operations/approvals.ts';
import { time } from './output.ts';

/** Which changes need a second person, according to the stage's setting `secondPerson`. */
export function needsSecondPerson(order: ApprovedOrder, creditsAbove: number | undefined): boolean {
  if (creditsAbove === undefined) return false;
  return order.work === 'erasure' || order.kind === 'CORRECTION' || order.amount > creditsAbove;
}

/** Stores the request and says how to approve it. */
export async function askSecondPerson(
  wanted: Pick<ApprovalRequest, 'organisationId' | 'env'>,
  order: ApprovedOrder,
  { operator, actor, action, print }: ChangeContext,
): Promise<void> {
  const { id, expiresAtMs } = await operator.requestApproval(
    { ...wanted, action, requestedBy: actor },
    order,
  );
  const expiresAt = new Date(expiresAtMs).toISOString();
  print(
    { approval: { id, expiresAt } },
    `Nothing has been changed yet. Another person must run \`admin approve ${id}\` before ${time(expiresAt)}.`,
  );
}

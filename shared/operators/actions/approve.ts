import * as v from 'valibot';
import { approvalTable } from '../../audit/approval-table.ts';
import { auditTable } from '../../audit/audit-table.ts';
import { approvingRecorder } from '../../audit/recorder.ts';
import { cancellationCodes } from '../../core/database.ts';
import { notPossible } from '../../core/not-possible.ts';
import { type ActionContext, type ActionOutcome, accepted, action, done, type Report } from '../action.ts';
import { approvalPath } from '../actions.ts';
import { type MadeChange, makeChange } from '../make-change.ts';
import type { OpenRequest } from '../operations/approvals.ts';
import { approvalsOf } from '../operations/approvals.ts';
import type { ApprovedOrder } from '../operations/approved-order.ts';

/** A change that was requested by one person and made by another. */
export interface ApprovedChange {
  readonly request: OpenRequest;
  readonly approvedBy: string;
  readonly result: MadeChange;
}

/** The changes that take longer than a request may. */
const LONG: ReadonlySet<ApprovedOrder['work']> = new Set(['erasure', 'credit-note']);

export const approve = action({
  body: v.strictObject({ request: v.string() }),
  async run({ request: id }, context): Promise<ActionOutcome<ApprovedChange, OpenRequest>> {
    const request = await approvalsOf(context).requestToApprove(id, context.actor);
    // The caller's role permits this path only.
    if (approvalPath(request.action) !== `/approve/${context.path['action']}`)
      throw notPossible(`The request ${id} is for \`${request.action}\`. Nothing was changed.`);
    return LONG.has(request.order.work) ? accepted(request) : done(await makeApproved(request, context));
  },
  inBackground: makeApproved,
});

/** Makes the change. The approval is written in its transaction, so that a request is used only once. */
async function makeApproved(
  request: OpenRequest,
  context: ActionContext,
  report?: Report,
): Promise<ApprovedChange> {
  const { deployment, clock, run, actor: approvedBy } = context;
  const { client, tables } = deployment;
  const recorder = approvingRecorder(
    auditTable(client, tables.auditTrail),
    approvalTable(client, tables.approvals),
    request,
    run,
    clock.nowMs,
  );
  const { order, requestedBy } = request;
  try {
    const result = await makeChange(order, request, { ...context, recorder }, requestedBy, report);
    return { request: withoutTags(request), approvedBy, result };
  } catch (error) {
    // The approval is the last item of its transaction (`approvingRecorder`).
    if (cancellationCodes(error)?.at(-1) !== 'ConditionalCheckFailed') throw error;
    throw notPossible(
      'Another run of `admin approve` has already approved this request. This run changed nothing. ' +
        '`admin approvals` lists the open requests.',
    );
  }
}

/** A person's number tags leave the service nowhere. */
function withoutTags(request: OpenRequest): OpenRequest {
  const { order } = request;
  return order.work === 'erasure' ? { ...request, order: { ...order, numberTags: [] } } : request;
}

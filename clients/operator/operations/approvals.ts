import * as v from 'valibot';
import {
  type ApprovalRequest,
  approvalProblem,
  newApprovalRequest,
  personOf,
} from '../../../shared/audit/approval.ts';
import type { ApprovalTable } from '../../../shared/audit/approval-table.ts';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import type { LedgerTools } from '../../../shared/ledger/dependencies.ts';
import { credit } from '../../../shared/ledger/rows/credit.ts';

const { reference, kind, amount, reason, effectiveAt } = credit.entries;

/** What an approved request does. */
const approvedOrder = v.variant('work', [
  v.object({ work: v.literal('credit'), reference, kind, amount, reason, effectiveAt }),
  v.object({
    work: v.literal('erasure'),
    idType: v.picklist(ID_TYPES),
    /** The number itself is not stored. */
    numberTags: v.array(v.string()),
  }),
]);
export type ApprovedOrder = v.InferOutput<typeof approvedOrder>;

/** A request that can be approved now, with what it asks for. */
export interface OpenRequest extends Omit<ApprovalRequest, 'order'> {
  readonly order: ApprovedOrder;
}

/** Changes that need a second person: one requests them, another approves them. */
export function approvalOperations(table: ApprovalTable, recorder: Recorder, tools: LedgerTools) {
  /** Returns the requests that wait for a second person, newest first. */
  async function openRequests(): Promise<OpenRequest[]> {
    const nowMs = tools.nowMs();
    const all = await table.listRequests();
    const recorded = new Set(
      all.filter(({ approval }) => approval).flatMap(({ request }) => creditOf(request)),
    );
    return all
      .filter(({ request, approval }) => !approval && request.expiresAtMs > nowMs)
      .map(({ request }) => request)
      .filter((request) => !creditOf(request).some((one) => recorded.has(one)))
      .map(opened);
  }
  return {
    openRequests,
    /** Returns the open request of this person for the same change, if there is one. */
    async findEqualRequest(
      wanted: Pick<ApprovalRequest, 'action' | 'requestedBy' | 'organisationId' | 'env'>,
      order: ApprovedOrder,
    ): Promise<OpenRequest | undefined> {
      const all = await openRequests();
      const identity = ({ action, requestedBy, organisationId, env }: typeof wanted, what: ApprovedOrder) =>
        JSON.stringify([action, personOf(requestedBy), organisationId, env, v.parse(approvedOrder, what)]);
      return all.find((request) => identity(request, request.order) === identity(wanted, order));
    },
    /** Stores a request for another person to approve. Changes nothing else. */
    async requestApproval(
      wanted: Pick<ApprovalRequest, 'action' | 'requestedBy' | 'organisationId' | 'env'>,
      order: ApprovedOrder,
    ): Promise<ApprovalRequest> {
      const nowMs = tools.nowMs();
      const request = newApprovalRequest({ ...wanted, id: newOperationId(nowMs), order }, nowMs);
      const { id, organisationId, env } = request;
      const target = `request ${id} for ${targetOf(order)} (${env})`;
      await table.insertRequest(
        request,
        recorder.record({ organisationId, target, after: summaryOf(order) }),
      );
      return request;
    },
    /** Returns a request that this person can approve now. Throws if there is none. */
    async requestToApprove(id: string, identity: string): Promise<OpenRequest> {
      const all = await table.listRequests();
      const found = all.find(({ request }) => request.id === id);
      if (!found) throw new Error(`There is no request ${id}. \`admin approvals\` lists the open requests.`);
      const problem = approvalProblem(found.request, found.approval, identity, tools.nowMs());
      if (problem) throw new Error(`${problem} Nothing was changed.`);
      return opened(found.request);
    },
  };
}

/**
 * Returns the name of the credit that a request books, or an empty list. A credit is booked once, so a request for a
 * credit that is already recorded changes nothing.
 */
function creditOf(request: ApprovalRequest): string[] {
  const { order, organisationId, env } = opened(request);
  return order.work === 'credit' ? [`${env} ${organisationId} ${order.reference}`] : [];
}

function opened(request: ApprovalRequest): OpenRequest {
  return { ...request, order: v.parse(approvedOrder, request.order) };
}

/** Names what a request changes, without a person's number or its tags. */
export function targetOf(order: ApprovedOrder): string {
  return order.work === 'credit' ? `credit ${order.reference}` : `log rows about one ${order.idType}`;
}

function summaryOf(order: ApprovedOrder): Record<string, unknown> {
  if (order.work === 'erasure') return { idType: order.idType };
  const { kind: creditKind, amount: credits, reason: why } = order;
  return { kind: creditKind, amount: credits, reason: why };
}

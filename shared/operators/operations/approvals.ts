import * as v from 'valibot';
import { type ApprovalRequest, approvalProblem, newApprovalRequest, personOf } from '../../audit/approval.ts';
import { approvalTable } from '../../audit/approval-table.ts';
import { newOperationId } from '../../core/ids.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { Workplace } from '../deployment.ts';
import { type ApprovedOrder, approvedOrder, summaryOf, targetOf } from './approved-order.ts';

export interface OpenRequest extends Omit<ApprovalRequest, 'order'> {
  readonly order: ApprovedOrder;
}

type WantedRequest = Pick<ApprovalRequest, 'action' | 'requestedBy' | 'organisationId' | 'env'>;

/** One person requests, and another approves. */
export function approvalsOf({ deployment: { client, tables }, recorder, clock }: Workplace) {
  const table = approvalTable(client, tables.approvals);
  /** Newest first. */
  async function openRequests(): Promise<OpenRequest[]> {
    const nowMs = clock.nowMs();
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
    async findEqualRequest(wanted: WantedRequest, order: ApprovedOrder): Promise<OpenRequest | undefined> {
      const all = await openRequests();
      const identity = ({ action, requestedBy, organisationId, env }: WantedRequest, what: ApprovedOrder) =>
        JSON.stringify([action, personOf(requestedBy), organisationId, env, v.parse(approvedOrder, what)]);
      return all.find((request) => identity(request, request.order) === identity(wanted, order));
    },
    async requestApproval(wanted: WantedRequest, order: ApprovedOrder): Promise<ApprovalRequest> {
      const nowMs = clock.nowMs();
      const request = newApprovalRequest({ ...wanted, id: newOperationId(nowMs), order }, nowMs);
      const { id, organisationId, env } = request;
      const target = `request ${id} for ${targetOf(order)}${env ? ` (${env})` : ''}`;
      const change = { target, after: summaryOf(order), ...(organisationId && { organisationId }) };
      await table.insertRequest(request, recorder.record(change));
      return request;
    },
    /** Throws if there is none. Without an identity, the person is not checked. */
    async requestToApprove(id: string, identity?: string): Promise<OpenRequest> {
      const all = await table.listRequests();
      const found = all.find(({ request }) => request.id === id);
      if (!found)
        throw notPossible(`There is no request ${id}. \`admin approvals\` lists the open requests.`);
      const problem = approvalProblem(found.request, found.approval, identity, clock.nowMs());
      if (problem) throw notPossible(`${problem} Nothing was changed.`);
      return opened(found.request);
    },
  };
}

/** Empty if the request books none. A request for a recorded credit would change nothing. */
function creditOf(request: ApprovalRequest): string[] {
  const { order, organisationId, env } = opened(request);
  return order.work === 'credit' ? [`${env} ${organisationId} ${order.reference}`] : [];
}

function opened(request: ApprovalRequest): OpenRequest {
  return { ...request, order: v.parse(approvedOrder, request.order) };
}

import * as v from 'valibot';
import { type ApprovalRequest, approvalProblem, newApprovalRequest, personOf } from '../../audit/approval.ts';
import { approvalTable } from '../../audit/approval-table.ts';
import { newOperationId } from '../../core/ids.ts';
import type { Workplace } from '../deployment.ts';
import { type ApprovedOrder, approvedOrder, summaryOf, targetOf } from './approved-order.ts';

/** A request that can be approved now, with the requested change. */
export interface OpenRequest extends Omit<ApprovalRequest, 'order'> {
  readonly order: ApprovedOrder;
}

/** The command and the wallet that a request is for, and the person who makes it. */
type WantedRequest = Pick<ApprovalRequest, 'action' | 'requestedBy' | 'organisationId' | 'env'>;

/** Operations on changes that need a second person: one person requests them, and another approves them. */
export function approvalsOf({ deployment: { client, tables }, recorder, clock }: Workplace) {
  const table = approvalTable(client, tables.approvals);
  /** Returns the requests that are waiting for a second person, newest first. */
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
    /** Returns the open request of this person for the same change, if there is one. */
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
    /**
     * Returns a request that this person can approve now. Throws if there is none. Without an identity, does not check
     * that it is another person's.
     */
    async requestToApprove(id: string, identity?: string): Promise<OpenRequest> {
      const all = await table.listRequests();
      const found = all.find(({ request }) => request.id === id);
      if (!found) throw new Error(`There is no request ${id}. \`admin approvals\` lists the open requests.`);
      const problem = approvalProblem(found.request, found.approval, identity, clock.nowMs());
      if (problem) throw new Error(`${problem} Nothing was changed.`);
      return opened(found.request);
    },
  };
}

/**
 * Returns a list with the credit that a request would book, identified by its wallet and reference. The list is empty
 * if the request books none. A credit is booked only once, so a request for a recorded credit would change nothing.
 */
function creditOf(request: ApprovalRequest): string[] {
  const { order, organisationId, env } = opened(request);
  return order.work === 'credit' ? [`${env} ${organisationId} ${order.reference}`] : [];
}

function opened(request: ApprovalRequest): OpenRequest {
  return { ...request, order: v.parse(approvedOrder, request.order) };
}

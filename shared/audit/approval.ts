import * as v from 'valibot';
import { DAY_MS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';

/** A change that one operator requests and another approves. */

/** How long a request can be approved. */
const LIFE_MS = DAY_MS;
/**
 * The time after which the row of an expired request is deleted. Approvals are kept much longer, because they prevent a
 * second use.
 */
const KEPT_MS = 7 * DAY_MS;
const APPROVAL_KEPT_MS = 60 * DAY_MS;

export const approvalRequest = v.object({
  /** A ULID. */
  id: v.string(),
  /** The command that made the request, such as `wallet correct`. */
  action: v.string(),
  requestedBy: v.string(),
  requestedAt: v.string(),
  expiresAtMs: v.number(),
  /** Absent if the change concerns the whole stage, such as its price list. */
  organisationId: v.optional(v.string()),
  /** Absent if the change concerns both wallets or neither. */
  env: v.optional(v.picklist(ENVIRONMENTS)),
  /**
   * The change that is requested. It contains no identity numbers and no names of people: an erasure contains tags
   * instead of the number.
   */
  order: v.record(v.string(), v.unknown()),
});
export type ApprovalRequest = v.InferOutput<typeof approvalRequest>;

export const approval = v.object({
  /** The ID of the request. */
  id: v.string(),
  approvedBy: v.string(),
  approvedAt: v.string(),
  commandId: v.string(),
});
export type Approval = v.InferOutput<typeof approval>;

/** Returns a new request, which can be approved for 24 hours. */
export function newApprovalRequest(
  wanted: Pick<ApprovalRequest, 'id' | 'action' | 'requestedBy' | 'organisationId' | 'env' | 'order'>,
  nowMs: number,
): ApprovalRequest {
  return { ...wanted, requestedAt: new Date(nowMs).toISOString(), expiresAtMs: nowMs + LIFE_MS };
}

/** Returns when the row of a request may be deleted, in epoch seconds. */
export function requestKeptUntil({ expiresAtMs }: ApprovalRequest): number {
  return Math.ceil((expiresAtMs + KEPT_MS) / 1000);
}

/** Returns when the row of an approval may be deleted, in epoch seconds. */
export function approvalKeptUntil({ approvedAt }: Approval): number {
  return Math.ceil((Date.parse(approvedAt) + APPROVAL_KEPT_MS) / 1000);
}

/**
 * Returns the person behind an identity: the name of the IAM user or of the role session, in lower case. Operator roles
 * require a session to have the name of its user, so a person has the same name in every role.
 */
export function personOf(identity: string): string {
  return identity.slice(identity.lastIndexOf('/') + 1).toLowerCase();
}

/** Returns a sentence that explains why this person cannot approve the request. Undefined if they can. */
export function approvalProblem(
  request: ApprovalRequest,
  earlier: Approval | undefined,
  identity: string | undefined,
  nowMs: number,
): string | undefined {
  if (earlier) return `${earlier.approvedBy} already approved this request at ${earlier.approvedAt}.`;
  if (nowMs >= request.expiresAtMs)
    return 'This request has expired, because it is more than 24 hours old. Request the change again.';
  if (identity !== undefined && personOf(request.requestedBy) === personOf(identity))
    return 'You requested this change, so another person must approve it.';
  return undefined;
}

import * as v from 'valibot';
import { DAY_MS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';

/** How long a request can be approved. */
const LIFE_MS = DAY_MS;
/** Approvals are kept much longer, because they prevent a second use. */
const KEPT_MS = 7 * DAY_MS;
const APPROVAL_KEPT_MS = 60 * DAY_MS;

export const approvalRequest = v.object({
  /** A ULID. */
  id: v.string(),
  /** Such as `wallet correct`. */
  action: v.string(),
  requestedBy: v.string(),
  requestedAt: v.string(),
  expiresAtMs: v.number(),
  /** Absent for the whole stage. */
  organisationId: v.optional(v.string()),
  /** Absent for both wallets or neither. */
  env: v.optional(v.picklist(ENVIRONMENTS)),
  /** No identity numbers and names: an erasure contains tags. */
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

/** Can be approved for 24 hours. */
export function newApprovalRequest(
  wanted: Pick<ApprovalRequest, 'id' | 'action' | 'requestedBy' | 'organisationId' | 'env' | 'order'>,
  nowMs: number,
): ApprovalRequest {
  return { ...wanted, requestedAt: new Date(nowMs).toISOString(), expiresAtMs: nowMs + LIFE_MS };
}

/** Epoch seconds. */
export function requestKeptUntil({ expiresAtMs }: ApprovalRequest): number {
  return Math.ceil((expiresAtMs + KEPT_MS) / 1000);
}

/** Epoch seconds. */
export function approvalKeptUntil({ approvedAt }: Approval): number {
  return Math.ceil((Date.parse(approvedAt) + APPROVAL_KEPT_MS) / 1000);
}

/**
 * The IAM user or role session, in lower case and without the domain of an email address, which sessions of a single
 * sign-on have. Roles require the user's name, so a person has one name in all. Two people may have one name, too: then
 * neither can approve what the other requested.
 */
export function personOf(identity: string): string {
  return identity
    .slice(identity.lastIndexOf('/') + 1)
    .replace(/@.*$/, '')
    .toLowerCase();
}

/** As a sentence. Undefined if they can. */
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

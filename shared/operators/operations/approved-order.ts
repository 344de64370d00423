import * as v from 'valibot';
import { SHORT_HASH } from '../../accounts/api-key-table.ts';
import type { ApprovalRequest } from '../../audit/approval.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { ROLES } from '../../core/member-role.ts';
import { credit } from '../../ledger/rows/credit.ts';
import { REVERSAL_BOOKINGS } from '../../payments/orders/order.ts';

const { reference, kind, amount, reason, effectiveAt } = credit.entries;

/** The change that an approved request makes. */
export const approvedOrder = v.variant('work', [
  v.object({
    work: v.literal('credit'),
    reference,
    kind,
    amount,
    reason,
    effectiveAt,
    /** In kobo with VAT. Absent if not paid for. */
    totalKobo: v.optional(v.number()),
    /** The bank's reference for the transfer. */
    bankReference: v.optional(v.string()),
    /** ISO time at which free credits expire. */
    expiresAt: v.optional(v.string()),
  }),
  v.object({
    work: v.literal('erasure'),
    idType: v.picklist(ID_TYPES),
    /** The number itself is not stored. */
    numberTags: v.array(v.string()),
  }),
  v.object({
    work: v.literal('price'),
    /** Null ends the organisation's own price. */
    koboPerCredit: v.nullable(v.number()),
    /** ISO time. Absent: from the approval. */
    from: v.optional(v.string()),
    reason,
  }),
  /** What a charged request costs, in credits. */
  v.object({ work: v.literal('service-price'), service: v.string(), credits: v.number() }),
  v.object({ work: v.literal('reopen'), month: v.string(), reason }),
  /** Takes back unspent credits on an invoice. */
  v.object({
    work: v.literal('credit-note'),
    invoice: v.string(),
    credits: v.number(),
    reference: v.string(),
    reason,
    isPaidBack: v.boolean(),
    /** In kobo with VAT. */
    totalKobo: v.number(),
  }),
  /** Creates a live key. */
  v.object({
    work: v.literal('key'),
    label: v.string(),
    /** ISO time. */
    notAfter: v.optional(v.string()),
    scopes: v.optional(v.array(v.string())),
    addressRanges: v.optional(v.array(v.string())),
  }),
  /** Replaces a live key. */
  v.object({
    work: v.literal('key-rotation'),
    hash: v.string(),
    label: v.string(),
    graceSeconds: v.number(),
  }),
  /** Changes the label and the limits of a live key. Null removes a limit. */
  v.object({
    work: v.literal('key-update'),
    hash: v.string(),
    /** The label until now. */
    label: v.string(),
    change: v.object({
      label: v.optional(v.string()),
      scopes: v.optional(v.nullable(v.array(v.string()))),
      addressRanges: v.optional(v.nullable(v.array(v.string()))),
    }),
  }),
  /** Invites a person. */
  v.object({ work: v.literal('invitation'), email: v.string(), role: v.picklist(ROLES) }),
  /** Removes an owner. */
  v.object({ work: v.literal('removal'), personId: v.string() }),
  v.object({
    work: v.literal('reversal'),
    /** The reference of the order. */
    reference: v.string(),
    as: v.picklist(REVERSAL_BOOKINGS),
    reason,
    credits: v.number(),
    /** The open part, in kobo with VAT. */
    totalKobo: v.number(),
  }),
]);
export type ApprovedOrder = v.InferOutput<typeof approvedOrder>;
/** Absent if it concerns the whole stage, or both wallets. */
export type OrderTarget = Pick<ApprovalRequest, 'organisationId' | 'env'>;
export type OrderOf<W extends ApprovedOrder['work']> = Extract<ApprovedOrder, { work: W }>;

/** Without a person's number or its tags. */
export function targetOf(order: ApprovedOrder): string {
  switch (order.work) {
    case 'credit':
      return `credit ${order.reference}`;
    case 'erasure':
      return `log rows about one ${order.idType}`;
    case 'price':
      return order.from === undefined ? 'price from the time of approval' : `price from ${order.from}`;
    case 'service-price':
      return `price of ${order.service}`;
    case 'reopen':
      return `month ${order.month}`;
    case 'credit-note':
      return `invoice ${order.invoice}`;
    case 'reversal':
      return `order ${order.reference}`;
    case 'key':
      return `new live key "${order.label}"`;
    case 'key-rotation':
    case 'key-update':
      return `live key ${order.hash.slice(0, SHORT_HASH)}`;
    case 'invitation':
      return `invitation of a new ${order.role}`;
    case 'removal':
      return `owner ${order.personId}`;
  }
}

/** For the audit trail. */
export function summaryOf(order: ApprovedOrder): Record<string, unknown> {
  switch (order.work) {
    case 'credit': {
      const { kind: creditKind, amount: credits, reason: why, totalKobo, expiresAt } = order;
      const money = { ...(totalKobo !== undefined && { totalKobo }), ...(expiresAt && { expiresAt }) };
      return { kind: creditKind, amount: credits, reason: why, ...money };
    }
    case 'erasure':
      return { idType: order.idType };
    case 'price':
      return { koboPerCredit: order.koboPerCredit, reason: order.reason };
    case 'service-price':
      return { credits: order.credits };
    case 'reopen':
      return { state: 'REOPENED', reason: order.reason };
    case 'credit-note': {
      const { credits, totalKobo, reference: own, reason: why } = order;
      return { credits: -credits, totalKobo, reference: own, reason: why };
    }
    case 'reversal':
      return { bookedAs: order.as, totalKobo: order.totalKobo, resolution: order.reason };
    case 'key': {
      const { label, notAfter, scopes, addressRanges } = order;
      return { label, notAfter, scopes, addressRanges };
    }
    case 'key-rotation':
      return { graceSeconds: order.graceSeconds };
    case 'key-update':
      return order.change;
    case 'invitation':
      return { role: order.role };
    case 'removal':
      return { status: 'REMOVED' };
  }
}

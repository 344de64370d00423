import type { Organisation } from '../../accounts/organisation.ts';
import type { WalletId } from '../../core/keys.ts';
import type { Charge } from '../../ledger/rows/charge.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { type ChargeUse, storedUse } from '../lots/consume-lots.ts';
import type { Lot } from '../lots/lot.ts';
import type { Closing } from '../months/closing.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { openReversal } from '../orders/reversal.ts';
import type { Refund } from '../refunds/refund.ts';
import { monthOf } from './accounts-source.ts';
import type { ExportRow } from './export-columns.ts';
import { sum, type WHOSE } from './report.ts';

export type Whose = Readonly<Record<keyof typeof WHOSE, string>>;

/** Returns the row of an organisation. */
export const organisationRow = (whose: Whose, row: Organisation): ExportRow<'organisations'> => ({
  ...whose,
  status: row.status,
  created_at: row.createdAt,
});

/** A top-up or correction. */
export const creditRow = (whose: Whose, row: Credit): ExportRow<'credits'> => ({
  ...whose,
  month: monthOf(row.createdAt),
  reference: row.reference,
  kind: row.kind,
  cause: row.cause,
  credits: row.amount,
  lot: row.lot,
  actor: row.actor,
  reason: row.reason,
  created_at: row.createdAt,
  effective_at: row.effectiveAt,
});

/** `use`: the lots that a charge of a closed month used, such as `A:3 B:1`. */
export const chargeRow = (whose: Whose, row: Charge, use: ChargeUse | undefined): ExportRow<'charges'> => ({
  ...whose,
  month: monthOf(row.decidedAt),
  operation: row.operationId,
  request_id: row.requestId,
  service: row.service,
  credits: row.cost,
  lots: use?.lots.map(({ lot, credits }) => `${lot}:${credits}`).join(' '),
  earned_kobo: use?.earnedKobo,
  key_label: row.keyLabel,
  provider: row.provider,
  requested_at: row.requestedAt,
  decided_at: row.decidedAt,
});

/** Returns the row of a lot. */
export const lotRow = (whose: Whose, row: Lot): ExportRow<'lots'> => ({
  ...whose,
  month: row.month,
  lot: row.id,
  kind: row.kind,
  credits: row.credits,
  price_kobo: row.koboPerCredit,
  net_kobo: row.netKobo,
  vat_kobo: row.vatKobo,
  vat_basis_points: row.vatBasisPoints,
  reference: row.reference,
  order_reference: row.order,
  invoice: row.invoice,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
});

/** An order with its lot, if it has one. */
export const orderRow = (
  whose: Whose,
  { payment, ...row }: TopUpOrder,
  lot: Lot | undefined,
): ExportRow<'orders'> => ({
  ...whose,
  reference: row.reference,
  method: row.method,
  state: row.state,
  credits: row.credits,
  price_kobo: row.koboPerCredit,
  net_kobo: row.netKobo,
  vat_kobo: row.vatKobo,
  total_kobo: row.totalKobo,
  opened_at: row.openedAt,
  opened_by: row.openedBy,
  expires_at: row.expiresAt,
  failed_at: row.failedAt,
  credited_at: row.creditedAt,
  lot: row.lot,
  invoice: row.invoice,
  receipt: row.receipt,
  paid_kobo: payment?.amountKobo,
  paid_at: payment?.paidAt,
  paid_currency: payment?.currency,
  channel: payment?.channel,
  payment_reference: payment?.providerReference,
  problem: row.problem,
  resolution: row.resolution,
  resolved_at: row.resolvedAt ?? row.bookedReversal?.at,
  resolved_by: row.resolvedBy ?? row.bookedReversal?.by,
  reversed_at: row.reversedAt,
  open_kobo: openReversal(row, lot)?.totalKobo,
  booked_as: row.bookedReversal?.as,
  booked_kobo: row.bookedReversal?.totalKobo,
  booked_month: row.bookedReversal?.month,
});

/** `refund_reference` is that of Paystack or the bank. */
export const refundRow = (whose: Whose, row: Refund): ExportRow<'refunds'> => ({
  ...whose,
  month: monthOf(row.requestedAt),
  credit_note: row.creditNote,
  order_reference: row.order,
  invoice: row.invoice,
  lot: row.lot,
  credits: row.credits,
  net_kobo: row.netKobo,
  vat_kobo: row.vatKobo,
  total_kobo: row.totalKobo,
  method: row.method,
  state: row.state,
  reason: row.reason,
  requested_at: row.requestedAt,
  requested_by: row.requestedBy,
  payment_reference: row.payment,
  refund_reference: row.paidBackBy,
  done_at: row.doneAt,
  problem: row.problem,
});

/** Returns the row of a document. */
export const documentRow = (whose: Whose, row: FinancialDocument): ExportRow<'documents'> => ({
  ...whose,
  month: row.month,
  number: row.number,
  kind: row.kind,
  issued_at: row.issuedAt,
  buyer: row.buyer.name,
  buyer_tax_number: row.buyer.taxNumber,
  credits: sum(row.lines, ({ quantity }) => quantity),
  net_kobo: row.netKobo,
  vat_kobo: row.vatKobo,
  total_kobo: row.totalKobo,
  order_reference: row.order,
  invoice: row.invoice,
  payment_reference: row.payment?.providerReference,
  replaces: row.replaces,
  content_sha256: row.contentSha256,
});

/** Returns the row of a closing. */
export const closingRow = (whose: Whose, { figures, ...row }: Closing): ExportRow<'closings'> => ({
  ...whose,
  month: row.month,
  state: row.state,
  closed_at: row.closedAt,
  statement: row.statement,
  opening_credits: figures?.credits.opening,
  topped_up_credits: figures?.credits.toppedUp,
  corrected_credits: figures?.credits.corrected,
  charged_credits: figures?.credits.charged,
  closing_credits: figures?.credits.closing,
  paid_kobo: figures?.value.paidKobo,
  earned_kobo: figures?.value.earnedKobo,
  refunded_kobo: figures?.value.refundedKobo,
  expired_kobo: figures?.value.expiredKobo,
  deferred_kobo: figures?.value.deferredKobo,
  lines: figures?.lines,
  lines_sha256: figures?.linesSha256,
});

/** For each lot that had credits. None if the month was never closed. */
export const lotUseRows = (
  whose: Whose,
  { figures, month }: Closing,
  lots: readonly Lot[],
): ExportRow<'lot_uses'>[] =>
  (figures ? lots.flatMap((lot) => storedUse(lot, month) ?? []) : []).map((use) => ({
    ...whose,
    month,
    lot: use.lot,
    kind: use.kind,
    price_kobo: use.koboPerCredit,
    opening_credits: use.opening,
    consumed_credits: use.consumed,
    refunded_credits: use.refunded,
    expired_credits: use.expired,
    closing_credits: use.closing,
  }));

/** For each service. None if the month was never closed. */
export const serviceUseRows = (whose: Whose, { figures, month }: Closing): ExportRow<'service_uses'>[] =>
  (figures?.services ?? []).map(({ service, requests, credits, earnedKobo }) => ({
    ...whose,
    month,
    service,
    requests,
    credits,
    earned_kobo: earnedKobo,
  }));

/** The columns that every row of a wallet begins with. */
export const walletColumns = ({ env, organisationId }: WalletId, name: string): Whose => ({
  organisation: organisationId,
  name,
  environment: env,
  currency: 'NGN',
});

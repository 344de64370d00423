import { personOfActor } from '../../members/member-actor.ts';
import type { DocumentKind, FinancialDocument } from '../documents/financial-document.ts';
import { isPriced } from '../lots/consume-lots.ts';
import type { LotNow } from '../lots/estimate-lots.ts';
import type { TopUpOrder } from '../orders/order.ts';
import type { Party } from '../prices/billing.ts';
import type { BillingFields, InvoiceView, LotView, TopUpView } from './views.ts';

/** The views of orders, lots, documents, billing details and statement lines that members see. */

/** Returns an order without its `problem` and without the person who opened it: both are for the operator. */
export function topUpView(order: TopUpOrder): TopUpView {
  return {
    env: order.env,
    reference: order.reference,
    method: order.method,
    state: order.state,
    credits: order.credits,
    vat_kobo: order.vatKobo,
    total_kobo: order.totalKobo,
    checkout_url: order.state === 'OPENED' ? (order.checkoutUrl ?? null) : null,
    opened_at: order.openedAt,
    credited_at: order.creditedAt ?? null,
    invoice: order.invoice ?? null,
    receipt: order.receipt ?? null,
    is_by_member: personOfActor(order.openedBy) !== undefined,
  };
}

/** Returns a lot with its remaining credits. Only a paid lot has a price. */
export function lotView({ lot, left }: LotNow): LotView {
  return {
    id: lot.id,
    kind: lot.kind,
    credits: lot.credits,
    remaining: left,
    kobo_per_credit: isPriced(lot) ? lot.koboPerCredit : null,
    created_at: lot.createdAt,
    expires_at: lot.expiresAt ?? null,
  };
}

const KINDS: Readonly<Record<DocumentKind, InvoiceView['kind']>> = {
  INVOICE: 'invoice',
  RECEIPT: 'receipt',
  CREDIT_NOTE: 'credit-note',
  STATEMENT: 'statement',
};

/** Returns a document as the list shows it. */
export function invoiceView(document: FinancialDocument): InvoiceView {
  return {
    number: document.number,
    kind: KINDS[document.kind],
    issued_at: document.issuedAt,
    month: (document.statement ?? document).month,
    vat_kobo: document.vatKobo,
    total_kobo: document.totalKobo,
  };
}

/** Returns the details that invoices show, without the author of the last change, who is in the audit trail. */
export function billingView({ name, address, taxNumber, email }: Party): BillingFields {
  return { name, address, tax_number: taxNumber, email };
}

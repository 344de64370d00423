import { caller } from '../../accounts/middleware/caller.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { prefersPdf } from '../../http/media-type.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { type DocumentTable, documentTable } from '../documents/document-table.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { pageOfDocuments } from '../documents/page-of-documents.ts';
import type { DrawDocument } from '../documents/pdf/draw-document.ts';
import type { Payment } from '../orders/order.ts';
import { DOCUMENT_NUMBER, documentCursorText, invoicesQuery } from './payment-query.ts';

type Documents = Pick<DocumentTable, 'getDocument' | 'listDocuments'>;

const realDocuments = () => documentTable(database(), setting('PAYMENTS_TABLE'));

/** GET /v1/wallet/invoices, newest first. */
export function listInvoices(documents: Pick<Documents, 'listDocuments'> = realDocuments()): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    const { cursor, limit, kind } = readQuery(event, invoicesQuery);
    const all = await documents.listDocuments({ env, organisationId: organisation.id }, kind);
    const { page, next } = pageOfDocuments(all, cursor, limit);
    return {
      kind: 'information',
      code: 'WALLET_INVOICES',
      message: 'Invoices and other documents.',
      data: {
        environment: env,
        invoices: page.map(summaryView),
        next_cursor: next ? documentCursorText(next) : null,
      },
    };
  };
}

/**
 * GET /v1/wallet/invoices/{number}: a PDF if the Accept header prefers it, otherwise JSON. The key includes the wallet,
 * so other organisations' documents cannot be reached.
 */
export function showInvoice(
  draw: DrawDocument,
  documents: Pick<Documents, 'getDocument'> = realDocuments(),
): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    readQuery(event, noQuery);
    const number = event.pathParameters?.['number'] ?? '';
    const wallet = { env, organisationId: organisation.id };
    const document = DOCUMENT_NUMBER.test(number) ? await documents.getDocument(wallet, number) : undefined;
    if (!document) throw new ServiceError('INVOICE_NOT_FOUND');
    if (prefersPdf(event))
      return { kind: 'pdf', fileName: `${document.number}.pdf`, bytes: await draw(document) };
    return {
      kind: 'information',
      code: 'WALLET_INVOICE',
      message: 'Document.',
      data: { environment: env, ...invoiceView(document) },
    };
  };
}

function summaryView(document: FinancialDocument) {
  return {
    number: document.number,
    kind: document.kind,
    issued_at: document.issuedAt,
    month: document.month,
    currency: document.currency,
    net_kobo: document.netKobo,
    vat_kobo: document.vatKobo,
    total_kobo: document.totalKobo,
    top_up: document.order ?? null,
    invoice: document.invoice ?? null,
  };
}

function invoiceView(document: FinancialDocument) {
  const { payment, statement } = document;
  return {
    ...summaryView(document),
    seller: partyView(document.seller),
    buyer: partyView(document.buyer),
    lines: document.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unit_kobo: line.unitKobo,
      net_kobo: line.netKobo,
      vat_basis_points: line.vatBasisPoints,
      vat_kobo: line.vatKobo,
      total_kobo: line.totalKobo,
    })),
    total_in_words: document.totalInWords,
    ...(payment && { payment: paymentView(payment, document.method) }),
    reason: document.reason ?? null,
    ...(statement && { statement: statementView(statement) }),
    content_sha256: document.contentSha256,
  };
}

function partyView({ name, address, taxNumber, email }: FinancialDocument['seller']) {
  return { name, address, tax_number: taxNumber, email };
}

function paymentView({ paidAt, channel, providerReference }: Payment, method: FinancialDocument['method']) {
  return { method: method ?? null, paid_at: paidAt, channel, reference: providerReference };
}

function statementView(statement: NonNullable<FinancialDocument['statement']>) {
  return {
    opening_credits: statement.openingCredits,
    bought_credits: statement.boughtCredits,
    other_credits: statement.otherCredits,
    used_credits: statement.usedCredits,
    closing_credits: statement.closingCredits,
    services: statement.services,
  };
}

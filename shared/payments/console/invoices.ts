import * as v from 'valibot';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { environment, environmentQuery, prefetchedQuery } from '../../http/console/environment-query.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { type DocumentTable, documentTable } from '../documents/document-table.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { pageOfDocuments } from '../documents/page-of-documents.ts';
import type { DrawDocument } from '../documents/pdf/draw-document.ts';
import { DOCUMENT_NUMBER, documentCursorText, invoicesQuery } from '../routes/payment-query.ts';
import { invoiceView } from './payment-views.ts';
import type { InvoicesView } from './views.ts';

/** Invoices, receipts, credit notes and monthly statements of a wallet. */

type Documents = Pick<DocumentTable, 'getDocument' | 'listDocuments'>;

/** Creates the table that the routes use. Called once per instance. */
export const walletDocuments = (): Documents => documentTable(database(), setting('PAYMENTS_TABLE'));

const { cursor, limit } = invoicesQuery.entries;

/** The query string of GET /invoices. */
export const listInvoicesQuery = v.strictObject({ env: environment, cursor, limit });

/** Reads the documents while the session is checked. */
export function readInvoices(
  documents: Pick<Documents, 'listDocuments'>,
): Prefetch<readonly FinancialDocument[]> {
  return async (organisationId, event) =>
    documents.listDocuments({ env: prefetchedQuery(event, listInvoicesQuery).env, organisationId });
}

/** GET /invoices: the documents of the wallet, newest first. */
export function listInvoices(): ConsoleRun<
  ConsoleRequest,
  typeof listInvoicesQuery,
  readonly FinancialDocument[]
> {
  return async (_, query, documents) => {
    const { page, next } = pageOfDocuments(documents, query.cursor, query.limit);
    const data: InvoicesView = {
      invoices: page.map(invoiceView),
      next_cursor: next ? documentCursorText(next) : null,
    };
    return { data };
  };
}

/**
 * Reads one document while the session is checked. The key of a document includes the wallet, so another organisation's
 * documents cannot be reached.
 */
export function readInvoice(
  documents: Pick<Documents, 'getDocument'>,
): Prefetch<FinancialDocument | undefined> {
  return async (organisationId, event) => {
    const number = event.pathParameters?.['number'] ?? '';
    const { env } = prefetchedQuery(event, environmentQuery);
    return DOCUMENT_NUMBER.test(number) ? documents.getDocument({ env, organisationId }, number) : undefined;
  };
}

/** GET /invoices/{number}: one document as a PDF. */
export function showInvoice(
  draw: DrawDocument,
): ConsoleRun<ConsoleRequest, typeof environmentQuery, FinancialDocument | undefined> {
  return async (_, __, document) => {
    if (!document) throw new ServiceError('INVOICE_NOT_FOUND');
    const name = `${document.number}.pdf`;
    return { file: { name, contentType: 'application/pdf', bytes: await draw(document) } };
  };
}

import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { readInvoice, showInvoice, walletDocuments } from '../../shared/payments/console/invoices.ts';
import { drawDocument } from '../../shared/payments/documents/pdf/draw-document.ts';

export const handler = consoleRoute('show-invoice', showInvoice(drawDocument), {
  query: environmentQuery,
  prefetch: readInvoice(walletDocuments()),
});

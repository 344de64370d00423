import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import {
  listInvoices,
  listInvoicesQuery,
  readInvoices,
  walletDocuments,
} from '../../shared/payments/console/invoices.ts';

/** GET /console/api/invoices: invoices, receipts, credit notes and statements. */
export const handler = consoleRoute('list-invoices', listInvoices(), {
  query: listInvoicesQuery,
  prefetch: readInvoices(walletDocuments()),
});

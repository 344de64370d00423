import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import {
  listInvoices,
  listInvoicesQuery,
  readInvoices,
  walletDocuments,
} from '../../shared/payments/console/invoices.ts';

export const handler = consoleRoute('list-invoices', listInvoices(), {
  query: listInvoicesQuery,
  prefetch: readInvoices(walletDocuments()),
});

import { keyedRoute } from '../shared/http/chains.ts';
import { listInvoices } from '../shared/http/routes/wallet-invoices.ts';

/** GET /v1/wallet/invoices: invoices, receipts, credit notes and statements. */
export const handler = keyedRoute('wallet-invoices', 'wallet:read', listInvoices());

import { keyedRoute } from '../shared/http/chains.ts';
import { showInvoice } from '../shared/http/routes/wallet-invoices.ts';
import { drawDocument } from '../shared/payments/documents/pdf/draw-document.ts';

/** GET /v1/wallet/invoices/{number}: one document, as a PDF or as JSON. */
export const handler = keyedRoute('wallet-invoice', 'wallet:read', showInvoice(drawDocument));

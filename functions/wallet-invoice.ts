import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { drawDocument } from '../shared/payments/documents/pdf/draw-document.ts';
import { showInvoice } from '../shared/payments/routes/wallet-invoices.ts';

const deps = callerDependencies();

/** GET /v1/wallet/invoices/{number}: one document, as a PDF or as JSON. */
export const handler = keyedRoute('wallet-invoice', 'wallet:read', showInvoice(drawDocument), deps);
export const warm = () => warmUpRoute(deps);

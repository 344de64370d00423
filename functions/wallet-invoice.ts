import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { drawDocument } from '../shared/payments/documents/pdf/draw-document.ts';
import { showInvoice } from '../shared/payments/routes/wallet-invoices.ts';

const deps = callerDependencies();

/** GET /v1/wallet/invoices/{number}: one document, as a PDF or as JSON. */
export const handler = keyedRoute('wallet-invoice', 'wallet:read', showInvoice(drawDocument), deps);
export const warm = () => warmUpRoute(deps);

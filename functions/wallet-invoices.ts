import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { listInvoices } from '../shared/payments/routes/wallet-invoices.ts';

const deps = callerDependencies();

/** GET /v1/wallet/invoices: invoices, receipts, credit notes and statements. */
export const handler = keyedRoute('wallet-invoices', 'wallet:read', listInvoices(), deps);
export const warm = () => warmUpRoute(deps);

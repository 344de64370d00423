import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { listInvoices } from '../shared/payments/routes/wallet-invoices.ts';

const deps = callerDependencies();

/** GET /v1/wallet/invoices: invoices, receipts, credit notes and statements. */
export const handler = keyedRoute('wallet-invoices', 'wallet:read', listInvoices(), deps);
export const warm = () => warmUpRoute(deps);

import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { listInvoices } from '../shared/http/routes/wallet-invoices.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';

const deps = callerDependencies();

/** GET /v1/wallet/invoices: invoices, receipts, credit notes and statements. */
export const handler = keyedRoute('wallet-invoices', 'wallet:read', listInvoices(), deps);
export const warm = () => warmUpRoute(deps);

import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { listTransactions } from '../shared/ledger/routes/wallet-transactions.ts';

const deps = callerDependencies();

/** GET /v1/wallet/transactions: every credit and debit, with its running balance. */
export const handler = keyedRoute('wallet-transactions', 'wallet:read', listTransactions(), deps);
export const warm = () => warmUpRoute(deps);

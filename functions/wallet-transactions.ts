import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { listTransactions } from '../shared/ledger/routes/wallet-transactions.ts';

const deps = callerDependencies();

/** GET /v1/wallet/transactions: every credit and debit, with its running balance. */
export const handler = keyedRoute('wallet-transactions', 'wallet:read', listTransactions(), deps);
export const warm = () => warmUpRoute(deps);

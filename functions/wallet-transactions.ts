import { keyedRoute } from '../shared/http/chains.ts';
import { listTransactions } from '../shared/http/routes/wallet-transactions.ts';

/** GET /v1/wallet/transactions: every credit and debit, with its running balance. */
export const handler = keyedRoute('wallet-transactions', 'wallet:read', listTransactions());

import { listTransactions } from '../shared/http/account-answers.ts';
import { keyedRoute } from '../shared/http/chains.ts';

/** GET /v1/wallet/transactions: every credit and debit, with its running balance. */
export const handler = keyedRoute('wallet-transactions', 'wallet:read', listTransactions());

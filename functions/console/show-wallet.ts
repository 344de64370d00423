import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { readWallet, showWallet } from '../../shared/payments/console/wallet.ts';

/** GET /console/api/wallet: balance, run-out date, price, lots, top-ups and documents. */
export const handler = consoleRoute('show-wallet', showWallet(), {
  query: environmentQuery,
  prefetch: readWallet(),
});

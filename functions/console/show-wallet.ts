import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { readWallet, showWallet, walletDependencies } from '../../shared/payments/console/wallet.ts';

const deps = walletDependencies();

/** GET /console/api/wallet: balance, run-out date, price, lots, top-ups and documents. */
export const handler = consoleRoute('show-wallet', showWallet(deps), {
  query: environmentQuery,
  prefetch: readWallet(deps),
});

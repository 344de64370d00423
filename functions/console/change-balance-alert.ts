import { consoleRoute } from '../../shared/http/console/chain.ts';
import { changeAlert, changeBalanceAlertBody } from '../../shared/http/console/wallet-changes.ts';

/** PUT /console/api/wallet/alert: the threshold of the alert about a low balance. */
export const handler = consoleRoute('change-balance-alert', changeAlert(), { body: changeBalanceAlertBody });

import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { changeBalanceAlertBody } from '../../shared/payments/console/bodies.ts';
import { changeAlert } from '../../shared/payments/console/wallet-changes.ts';

export const handler = consoleRoute('change-balance-alert', changeAlert(), { body: changeBalanceAlertBody });

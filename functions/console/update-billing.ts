import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { updateBillingBody } from '../../shared/payments/console/bodies.ts';
import { changeBilling } from '../../shared/payments/console/wallet-changes.ts';

export const handler = consoleRoute('update-billing', changeBilling(), { body: updateBillingBody });

import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { updateBillingBody } from '../../shared/payments/console/bodies.ts';
import { changeBilling } from '../../shared/payments/console/wallet-changes.ts';

/** PUT /console/api/wallet/billing: saves the billing details that invoices show. */
export const handler = consoleRoute('update-billing', changeBilling(), { body: updateBillingBody });

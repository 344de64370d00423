import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { changeBilling, updateBillingBody } from '../../shared/payments/console/wallet-changes.ts';

/** PUT /console/api/wallet/billing: saves the billing details that invoices show. */
export const handler = consoleRoute('update-billing', changeBilling(), { body: updateBillingBody });

import { publicRoute } from '../shared/http/public-route.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';
import { showPaymentReturn } from '../shared/payments/routes/payment-return.ts';

/** GET /v1/payments/return: the page to which Paystack sends the browser after a payment. */
export const handler = publicRoute('payment-return', showPaymentReturn(topUpDependencies()));

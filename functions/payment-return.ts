import { publicRoute } from '../shared/http/chains.ts';
import { showPaymentReturn } from '../shared/http/routes/payment-return.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';

/** GET /v1/payments/return: the page to which Paystack sends the browser after a payment. */
export const handler = publicRoute('payment-return', showPaymentReturn(topUpDependencies()));

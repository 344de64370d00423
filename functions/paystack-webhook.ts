import { publicRoute } from '../shared/http/public-route.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';
import { receivePaystackWebhook } from '../shared/payments/routes/paystack-webhook.ts';

/** POST /v1/payments/paystack: Paystack's messages about payments. */
export const handler = publicRoute('paystack-webhook', receivePaystackWebhook(topUpDependencies()));

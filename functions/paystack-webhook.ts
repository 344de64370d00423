import { publicRoute } from '../shared/http/chains.ts';
import { receivePaystackWebhook } from '../shared/http/routes/paystack-webhook.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';

/** POST /v1/payments/paystack: Paystack's messages about payments. */
export const handler = publicRoute('paystack-webhook', receivePaystackWebhook(topUpDependencies()));

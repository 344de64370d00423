import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import type { LambdaHandler } from '../../../shared/http/chain.ts';
import { publicRoute } from '../../../shared/http/public-route.ts';
import { drawDocument } from '../../../shared/payments/documents/pdf/draw-document.ts';
import { creditTransfer } from '../../../shared/payments/orders/credit-transfer.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import type { PaymentProvider, VerifiedPayment } from '../../../shared/payments/paystack/payment-provider.ts';
import { paystackSignature, SIGNATURE_HEADER } from '../../../shared/payments/paystack/webhook-signature.ts';
import { showPaymentReturn } from '../../../shared/payments/routes/payment-return.ts';
import { receivePaystackWebhook } from '../../../shared/payments/routes/paystack-webhook.ts';
import { startTopUp } from '../../../shared/payments/routes/start-top-up.ts';
import { showTopUp } from '../../../shared/payments/routes/top-up.ts';
import { listInvoices, showInvoice } from '../../../shared/payments/routes/wallet-invoices.ts';
import { listLots } from '../../../shared/payments/routes/wallet-lots.ts';
import type { Random } from '../../ledger/simulation/random.ts';
import type { Caller } from '../../security/in-process.ts';
import type { MemoryService } from '../../security/memory-service.ts';
import { fakeProvider, setUp, topUpDependencies } from '../../unit/payments/memory-payments.ts';
import type { Target } from './targets.ts';

/**
 * The payment routes. Paystack never confirms a payment in full, so no request may add a credit: the balances are
 * checked at the end of each round.
 */

const KEYS = { live: 'sk_live_of_the_fuzzer', test: 'sk_test_of_the_fuzzer' } as const;
const NUMBERS = ['IDV-2026-000001', 'IDVR-2026-000001', 'TEST-IDV-2026-000001', 'IDV-2026-000999'] as const;
const EVENTS = ['charge.success', 'charge.dispute.create', 'refund.processed', 'transfer.success'] as const;

const paymentsOf = ({ client, deps }: MemoryService, provider: PaymentProvider = fakeProvider()) =>
  topUpDependencies(client, provider, deps.clock);

/** Sets a price and billing details, and credits a bank transfer, which has a lot, an invoice and a receipt. */
export async function prepareBuyer(service: MemoryService, who: Caller, credits: number): Promise<void> {
  const { organisation, key } = who.account;
  if (!organisation || !key) throw new Error('The caller has no account.');
  const { prices, billing } = paymentsOf(service);
  // The wallet's shards exist already.
  await setUp({ prices, billing, shards: { createShard: async () => undefined } as never }, organisation.id);
  const wallet = { env: key.env, organisationId: organisation.id };
  const reference = `transfer-${organisation.id}`;
  const payments = { ...paymentsOf(service), walletShards: async () => organisation.walletShards };
  await creditTransfer({ wallet, credits, reference, reason: 'fuzz' }, payments);
}

export function paymentTargets(service: MemoryService): Target[] {
  const { deps } = service;
  const opened: string[] = [];
  const payments = paymentsOf(service, stingyProvider(opened));
  const lots = { lots: payments.lots, shards: deps.ledger.shards, clock: deps.clock };
  const webhook = publicRoute(
    'paystack-webhook',
    receivePaystackWebhook(payments, async () => ({ current: '', ...KEYS })),
  );
  const reference = (random: Random) => random.pick([opened.at(-1) ?? 'TOPUP-1', 'TOPUP-1', 'transfer-x']);
  const message = (random: Random) => ({
    event: random.pick(EVENTS),
    data: { [random.pick(['reference', 'transaction_reference'])]: reference(random), amount: 1 },
  });
  return [
    {
      name: 'start-top-up',
      handler: keyedRoute(
        'start-top-up',
        'wallet:pay',
        startTopUp(() => payments),
        deps,
      ),
      body: (random) => ({
        credits: random.between(1, 200_000),
        ...(random.chance(0.5) && { return_url: 'https://shop.example/paid' }),
      }),
    },
    {
      name: 'top-up',
      handler: keyedRoute('top-up', 'wallet:read', showTopUp(payments), deps),
      path: (random) => ({ reference: reference(random) }),
    },
    {
      name: 'wallet-lots',
      handler: keyedRoute('wallet-lots', 'wallet:read', listLots(lots), deps),
      query: (random) => ({ limit: [String(random.between(1, 99))] }),
    },
    {
      name: 'wallet-invoices',
      handler: keyedRoute('wallet-invoices', 'wallet:read', listInvoices(payments.documents), deps),
      query: (random) => ({ limit: ['1'], kind: [random.pick(['INVOICE', 'RECEIPT'])] }),
    },
    {
      name: 'wallet-invoice',
      handler: keyedRoute(
        'wallet-invoice',
        'wallet:read',
        showInvoice(drawDocument, payments.documents),
        deps,
      ),
      path: (random) => ({ number: random.pick(NUMBERS) }),
    },
    { name: 'paystack-webhook', handler: webhook, body: message },
    { name: 'paystack-webhook with a signature', handler: signing(webhook), body: message },
    {
      name: 'payment-return',
      handler: publicRoute('payment-return', showPaymentReturn(payments)),
      query: (random) => ({ [random.pick(['reference', 'trxref'])]: [reference(random)] }),
    },
  ];
}

/** Signs the body after the mutations, so that the code that reads signed bodies also receives malformed ones. */
function signing(handler: LambdaHandler): LambdaHandler {
  return (event, context) => {
    const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    const signature = [paystackSignature(body, KEYS.test)];
    const multiValueHeaders = { ...event.multiValueHeaders, [SIGNATURE_HEADER]: signature };
    return handler({ ...event, multiValueHeaders }, context);
  };
}

/**
 * Returns a payment provider through which nobody pays the full amount. Adds the references of opened orders to
 * `opened`.
 */
function stingyProvider(opened: TopUpOrder['reference'][]): PaymentProvider {
  const provider = fakeProvider();
  return {
    ...provider,
    async initialise(order) {
      opened.push(order.reference);
      return provider.initialise(order);
    },
    verify: async (reference) => outcomes(reference)[opened.length % 6] ?? { status: 'missing' },
  };
}

function outcomes(reference: string): VerifiedPayment[] {
  const payment = {
    reference,
    amountKobo: 1,
    currency: 'NGN',
    paidAt: '2026-11-01T00:00:00.000Z',
    channel: 'card',
    providerReference: '4099260516',
  };
  const states = ['pending', 'abandoned', 'failed', 'success', 'reversed'] as const;
  return states.map((status) => ({ status, ...payment }));
}

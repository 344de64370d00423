import { NO_RECORD } from '../../audit/recorder.ts';
import type { Environment } from '../../core/environment.ts';
import { newOperationId } from '../../core/ids.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { creditTable } from '../../ledger/tables/credit-table.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { automaticTable } from '../../payments/automatic/automatic-table.ts';
import type { CreditOrderDependencies } from '../../payments/dependencies.ts';
import { documentTable } from '../../payments/documents/document-table.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import {
  creditTransfer,
  type PaidTransfer,
  type PricedTransfer,
  priceTransfer,
} from '../../payments/orders/credit-transfer.ts';
import { newOrder, openTopUp, TRANSFER_MS } from '../../payments/orders/open-top-up.ts';
import type { TopUpOrder } from '../../payments/orders/order.ts';
import { generatedReference } from '../../payments/orders/order-reference.ts';
import { notQuoted, type Quote, type QuotedPrice, quoteTopUp } from '../../payments/orders/quote-top-up.ts';
import {
  findOpenReversal,
  type ReversalRequest,
  requireOpenReversal,
  resolveProblem,
  resolveReversal,
} from '../../payments/orders/resolve-reversal.ts';
import { reviewPayments } from '../../payments/orders/review-payments.ts';
import { reviewTable } from '../../payments/orders/review-table.ts';
import { settleTopUp } from '../../payments/orders/settle-top-up.ts';
import { billingTable } from '../../payments/prices/billing-table.ts';
import { priceTable } from '../../payments/prices/price-table.ts';
import { refundTable } from '../../payments/refunds/refund-table.ts';
import type { MoneySettings } from '../../payments/settings.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';
import { recordedOrders } from './recorded-orders.ts';

interface OrderRequest {
  readonly wallet: WalletId;
  /** Whole credits. */
  readonly credits: number;
  readonly method: TopUpOrder['method'];
  /** For Paystack only. */
  readonly returnUrl?: string | undefined;
}

/** The total in kobo with VAT, as the operator confirmed it. */
interface ExpectedTransfer extends PaidTransfer {
  readonly totalKobo: number;
}

/** The tables of payments. */
export function paymentsIn(place: Workplace) {
  const { client, tables: names, money } = place.deployment;
  const { recorder, clock } = place;
  return {
    organisations: organisationsIn(place),
    credits: creditTable(client, names, recorder),
    shards: shardTable(client, names.wallets),
    lots: lotTable(client, names.payments),
    orders: recordedOrders(client, names.payments, recorder),
    documents: documentTable(client, names.payments),
    refunds: refundTable(client, names.payments, recorder),
    prices: priceTable(client, names.payments, recorder),
    billing: billingTable(client, names.payments, recorder),
    automatic: automaticTable(client, names.payments),
    closings: closingTable(client, names.payments),
    money,
    clock,
  };
}

/** Orders and their payments. */
export function ordersOf(place: Workplace) {
  const { client, tables: names, paymentProviders } = place.deployment;
  const tables = { ...paymentsIn(place), review: reviewTable(client, names.payments) };
  const { organisations } = tables;
  const { orders, clock } = tables;
  const booking = (actor: string): CreditOrderDependencies => ({
    ...tables,
    settings: requireMoney(tables.money),
    walletShards: async (id) => (await requireOrganisation(organisations, id)).walletShards,
    actor,
    // An operator may not start functions: the scheduled run publishes it within a minute.
    publishSoon: async () => undefined,
  });
  const settling = (actor: string) => ({
    ...booking(actor),
    automatic: tables.automatic,
    providers: paymentProviders(),
    // The order table does.
    recorder: NO_RECORD,
  });
  async function quote({ organisationId }: WalletId, credits: number): Promise<QuotedPrice> {
    await requireOrganisation(organisations, organisationId);
    return requireQuoted(await quoteTopUp(organisationId, credits, booking('')), organisationId);
  }
  async function requireOrder(env: Environment, reference: string): Promise<TopUpOrder> {
    const order = await orders.getOrder(env, reference);
    if (!order)
      throw notPossible(
        `There is no ${env} order ${reference}. \`order list <org> --env ${env}\` shows the ${env} orders of an organisation.`,
      );
    return order;
  }
  async function openTransfer({ wallet, credits }: OrderRequest, actor: string): Promise<TopUpOrder> {
    const { buyer: _, ...price } = await quote(wallet, credits);
    const nowMs = clock.nowMs();
    const own = { reference: newReference(nowMs), method: 'TRANSFER' } as const;
    const opened = newOrder({ wallet, credits, openedBy: actor }, price, own, nowMs);
    const expiresAt = new Date(nowMs + TRANSFER_MS).toISOString();
    const order = { ...opened, expiresAt, dueAt: expiresAt };
    if (!(await orders.insertOrder(order)))
      throw notPossible('The reference already exists. Run the command again.');
    return order;
  }
  async function openCheckout(
    { wallet, credits, returnUrl }: OrderRequest,
    actor: string,
  ): Promise<TopUpOrder> {
    if (returnUrl === undefined) throw notPossible('An order with Paystack requires a return URL.');
    await requireOrganisation(organisations, wallet.organisationId);
    const request = { wallet, credits, callbackUrl: returnUrl, openedBy: actor };
    const deps = { ...booking(actor), providers: paymentProviders() };
    const opened = await openTopUp(request, newReference(clock.nowMs()), deps);
    if (opened.kind === 'opened') return opened.order;
    if (opened.kind === 'exists') throw notPossible('The reference already exists. Run the command again.');
    throw notQuoted(opened, wallet.organisationId);
  }
  return {
    /** Throws if something that an order needs is missing. */
    quote,
    requireOrder,
    openOrder: (request: OrderRequest, actor: string) =>
      request.method === 'PAYSTACK' ? openCheckout(request, actor) : openTransfer(request, actor),
    async listOrders(wallet: WalletId): Promise<TopUpOrder[]> {
      await requireOrganisation(organisations, wallet.organisationId);
      return orders.listOrders(wallet);
    },
    /** Faults first. */
    paymentsToReview: () => reviewPayments(tables),
    async settleOrder(env: Environment, reference: string, actor: string): Promise<TopUpOrder> {
      const { method } = await requireOrder(env, reference);
      if (method === 'TRANSFER')
        throw notPossible(
          `The order ${reference} is paid by bank transfer, not through Paystack. When the money has arrived, run \`wallet top-up\` with the reference ${reference}.`,
        );
      return (
        (await settleTopUp(env, reference, settling(actor), { recheck: true })) ??
        requireOrder(env, reference)
      );
    },
    /** It need not be reviewed again. */
    resolveOrder: async (env: Environment, reference: string, reason: string, actor: string) =>
      resolveProblem(await requireOrder(env, reference), { reason, actor }, tables),
    openReversal: (order: TopUpOrder) => findOpenReversal(order, tables),
    requireOpenReversal: (order: TopUpOrder) => requireOpenReversal(order, tables),
    /** It need not be reviewed again. */
    async resolveReversal(
      env: Environment,
      reference: string,
      request: ReversalRequest,
    ): Promise<TopUpOrder> {
      return resolveReversal(await requireOrder(env, reference), request, tables);
    },
    /**
     * Throws if the order does not match, or if the reference looks like an order's that does not exist: a typing error
     * would add the credits twice.
     */
    async priceTransfer(transfer: Omit<PaidTransfer, 'reason'>): Promise<PricedTransfer> {
      const { wallet, reference } = transfer;
      await requireOrganisation(organisations, wallet.organisationId);
      if (/^topup-/i.test(reference)) await requireOrder(wallet.env, reference);
      return priceTransfer(transfer, booking(''));
    },
    /** With an invoice and a receipt. Throws if the total differs from the confirmed one. */
    async creditTransfer({ totalKobo, ...transfer }: ExpectedTransfer, actor: string) {
      const { wallet } = transfer;
      await requireOrganisation(organisations, wallet.organisationId);
      return creditTransfer(transfer, booking(actor), async (priced) => {
        if (priced.totalKobo !== totalKobo)
          throw notPossible(
            'The price has changed since the top-up was requested. Nothing was changed. Request it again.',
          );
        await tables.shards.createShard(wallet, 0);
      });
    },
  };
}

const newReference = (nowMs: number) => generatedReference(newOperationId(nowMs));

function requireQuoted(quote: Quote, organisationId: string): QuotedPrice {
  if (quote.kind === 'quoted') return quote.price;
  throw notQuoted(quote, organisationId);
}

/** Throws if it has none. */
export function requireMoney(money: MoneySettings | undefined): MoneySettings {
  if (money) return money;
  throw notPossible(
    'The stage has no money settings, such as the seller and the rates of VAT. Add `money` to its file in infra/stages, and deploy. Nothing was changed.',
  );
}

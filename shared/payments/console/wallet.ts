import { lagosDay } from '../../core/accounting-month.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { environmentQuery, prefetchedQuery } from '../../http/console/environment-query.ts';
import { type BalanceTable, readBalance } from '../../ledger/read-balance.ts';
import { walletBusy } from '../../ledger/routes/wallet-busy.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { monthsShown } from '../../usage/run-out.ts';
import { type UsageTable, usageTable } from '../../usage/usage-table.ts';
import { stageMoneySettings } from '../dependencies.ts';
import { type DocumentTable, documentTable } from '../documents/document-table.ts';
import { type LotTable, lotTable } from '../lots/lot-table.ts';
import { type OrderTable, orderTable } from '../orders/order-table.ts';
import { type BillingTable, billingTable } from '../prices/billing-table.ts';
import { type PriceTable, priceTable } from '../prices/price-table.ts';
import type { WalletView } from './views.ts';
import { MOST_TOP_UPS, type WalletRows, type WalletSettings, walletView } from './wallet-view.ts';

export interface WalletDependencies {
  readonly shards: BalanceTable;
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly orders: Pick<OrderTable, 'listOrders'>;
  readonly documents: Pick<DocumentTable, 'listDocuments'>;
  readonly prices: Pick<PriceTable, 'listPrices'>;
  readonly billing: Pick<BillingTable, 'getBilling'>;
  /** Daily balances, which are computed hourly. */
  readonly usage: Pick<UsageTable, 'readBalances'>;
  readonly settings: WalletSettings;
  readonly clock: Clock;
}

/** Creates the dependencies of the route. Called once per instance. */
export function walletDependencies(): WalletDependencies {
  const client = database();
  const payments = setting('PAYMENTS_TABLE');
  return {
    shards: shardTable(client, setting('WALLETS_TABLE')),
    lots: lotTable(client, payments),
    orders: orderTable(client, payments),
    documents: documentTable(client, payments),
    prices: priceTable(client, payments),
    billing: billingTable(client, payments),
    usage: usageTable(client, setting('CONSOLE_TABLE')),
    settings: { money: stageMoneySettings(), lowBalanceCredits: setting('LOW_BALANCE_CREDITS') },
    clock: REAL_CLOCK,
  };
}

/**
 * Reads everything except the balance while the session is checked. The balance needs the number of shards, which is
 * in the organisation's row.
 */
export function readWallet({
  lots,
  orders,
  documents,
  prices,
  billing,
  usage,
  clock,
}: WalletDependencies): Prefetch<WalletRows> {
  return async (organisationId, event) => {
    const wallet = { env: prefetchedQuery(event, environmentQuery).env, organisationId };
    const today = lagosDay(clock.nowMs());
    const [lotRows, orderRows, documentRows, ofStage, ofOrganisation, buyer, days] = await Promise.all([
      lots.listLots(wallet),
      orders.listOrders(wallet, MOST_TOP_UPS),
      documents.listDocuments(wallet),
      prices.listPrices(undefined),
      prices.listPrices(organisationId),
      billing.getBilling(organisationId),
      usage.readBalances(wallet, monthsShown(today)),
    ]);
    return {
      lots: lotRows,
      orders: orderRows,
      documents: documentRows,
      prices: { stage: ofStage, organisation: ofOrganisation },
      billing: buyer,
      days,
    };
  };
}

/** GET /wallet: all that the Wallet page shows, such as the balance, the lots and the orders. */
export function showWallet({
  shards,
  settings,
  clock,
}: WalletDependencies): ConsoleRun<ConsoleRequest, typeof environmentQuery, WalletRows> {
  return async ({ organisation }, { env }, rows) => {
    const wallet = { env, organisationId: organisation.id };
    const balance = await readBalance(wallet, organisation.walletShards, shards, clock);
    if (!balance) throw walletBusy();
    const view = walletView(env, organisation, balance, rows, settings, clock.nowMs());
    return { data: view satisfies WalletView };
  };
}

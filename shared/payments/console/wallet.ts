import { lagosDay } from '../../core/accounting-month.ts';
import { REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { environmentQuery, prefetchedQuery } from '../../http/console/environment-query.ts';
import { readBalance } from '../../ledger/read-balance.ts';
import { walletBusy } from '../../ledger/routes/wallet-busy.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { profileTable } from '../../profiles/profile-table.ts';
import { monthsShown } from '../../usage/run-out.ts';
import { usageTable } from '../../usage/usage-table.ts';
import { automaticTable } from '../automatic/automatic-table.ts';
import { documentTable } from '../documents/document-table.ts';
import { lotTable } from '../lots/lot-table.ts';
import { orderTable } from '../orders/order-table.ts';
import { billingTable } from '../prices/billing-table.ts';
import { priceTable } from '../prices/price-table.ts';
import { stageMoneySettings } from '../settings.ts';
import type { WalletView } from './views.ts';
import { MOST_TOP_UPS, type WalletRows, walletView } from './wallet-view.ts';

/** While the session is checked. The balance needs the organisation's number of shards. */
export function readWallet(): Prefetch<WalletRows> {
  const [client, payments] = [database(), setting('PAYMENTS_TABLE')];
  const lots = lotTable(client, payments);
  const orders = orderTable(client, payments);
  const documents = documentTable(client, payments);
  const prices = priceTable(client, payments);
  const billing = billingTable(client, payments);
  const automaticTopUps = automaticTable(client, payments);
  const usage = usageTable(client, setting('CONSOLE_TABLE'));
  const profiles = profileTable(client, {
    console: setting('CONSOLE_TABLE'),
    apiKeys: setting('API_KEYS_TABLE'),
  });
  return async (organisationId, event) => {
    const wallet = { env: prefetchedQuery(event, environmentQuery).env, organisationId };
    const today = lagosDay(Date.now());
    const [lotRows, orderRows, documentRows, ofStage, ofOrganisation, buyer, profile, automatic, days] =
      await Promise.all([
        lots.listLots(wallet),
        orders.listOrders(wallet, MOST_TOP_UPS),
        documents.listDocuments(wallet),
        prices.listPrices(undefined),
        prices.listPrices(organisationId),
        billing.getBilling(organisationId),
        profiles.getProfile(organisationId),
        automaticTopUps.getAutomatic(organisationId),
        usage.readBalances(wallet, monthsShown(today)),
      ]);
    return {
      lots: lotRows,
      orders: orderRows,
      documents: documentRows,
      prices: { stage: ofStage, organisation: ofOrganisation },
      billing: buyer,
      profile,
      automatic,
      days,
    };
  };
}

/** GET /wallet. */
export function showWallet(): ConsoleRun<ConsoleRequest, typeof environmentQuery, WalletRows> {
  const shards = shardTable(database(), setting('WALLETS_TABLE'));
  const settings = { money: stageMoneySettings(), lowBalanceCredits: setting('LOW_BALANCE_CREDITS') };
  return async ({ organisation, nowMs }, { env }, rows) => {
    const wallet = { env, organisationId: organisation.id };
    const balance = await readBalance(wallet, organisation.walletShards, shards, REAL_CLOCK);
    if (!balance) throw walletBusy();
    const view = walletView(env, organisation, balance, rows, settings, nowMs);
    return { data: view satisfies WalletView };
  };
}

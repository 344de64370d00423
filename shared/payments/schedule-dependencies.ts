import { organisationTable } from '../accounts/organisation-table.ts';
import { REAL_CLOCK } from '../core/clock.ts';
import { setting } from '../core/config.ts';
import { database } from '../core/database.ts';
import { secret } from '../core/secrets.ts';
import { eventBus } from '../events/event-bus.ts';
import { sealTable } from '../ledger/reconcile/seal-table.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../ledger/statement/statement-table.ts';
import { creditTable } from '../ledger/tables/credit-table.ts';
import { shardTable } from '../ledger/tables/shard-table.ts';
import { automaticTable } from './automatic/automatic-table.ts';
import { functionRecorder, topUpDependencies } from './dependencies.ts';
import { lotTable } from './lots/lot-table.ts';
import { closingTable } from './months/closing-table.ts';
import { reviewTable } from './orders/review-table.ts';
import { refundTable } from './refunds/refund-table.ts';
import type { ScheduleDependencies } from './run-payments.ts';

/** Called once per instance. */
export function scheduleDependencies(): ScheduleDependencies {
  const client = database();
  const [payments, wallets] = [setting('PAYMENTS_TABLE'), setting('WALLETS_TABLE')];
  const topUps = topUpDependencies();
  const refunds = refundTable(client, payments, functionRecorder('paystack', 'send refund'));
  const lots = lotTable(client, payments);
  const clock = REAL_CLOCK;
  const organisations = organisationTable(client, setting('API_KEYS_TABLE'));
  return {
    expiry: {
      organisations,
      lots,
      closings: closingTable(client, payments),
      statement: statementTable(client, wallets, MONTH_PAGE_ROWS),
      seals: sealTable(client, wallets),
      credits: creditTable(client, { wallets, payments }, functionRecorder('expiry', 'expire lot')),
      shards: shardTable(client, wallets),
      clock,
    },
    payments: topUps && {
      topUps,
      automatic: {
        automatic: automaticTable(client, payments, functionRecorder('paystack', 'automatic top-up')),
        topUps,
        organisations,
        keys: () => secret('CARDS'),
        send: eventBus(setting('EVENT_BUS')),
      },
      refunds: { refunds, documents: topUps.documents, providers: topUps.providers, clock },
      review: { review: reviewTable(client, payments), orders: topUps.orders, refunds, lots, clock },
    },
  };
}

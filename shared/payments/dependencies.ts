import { type OrganisationTable, organisationTable } from '../accounts/organisation-table.ts';
import type { FunctionActor } from '../audit/audit-entry.ts';
import { auditTable } from '../audit/audit-table.ts';
import { auditRecorder, type CommandRun, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { type Clock, REAL_CLOCK } from '../core/clock.ts';
import { setting } from '../core/config.ts';
import { database } from '../core/database.ts';
import type { Environment } from '../core/environment.ts';
import { newOperationId } from '../core/ids.ts';
import { logger } from '../core/logger.ts';
import { notPossible } from '../core/not-possible.ts';
import { secret } from '../core/secrets.ts';
import { type PublishSoon, publishSoon } from '../events/publish-soon.ts';
import { creditTable } from '../ledger/tables/credit-table.ts';
import { shardTable } from '../ledger/tables/shard-table.ts';
import { type AutomaticTable, automaticTable } from './automatic/automatic-table.ts';
import { type DocumentTable, documentTable } from './documents/document-table.ts';
import type { BookingTables } from './lots/credit-with-lot.ts';
import { lotTable } from './lots/lot-table.ts';
import type { TopUpOrder } from './orders/order.ts';
import { type OrderTable, orderTable } from './orders/order-table.ts';
import type { PaymentProvider, PaymentProviders } from './paystack/payment-provider.ts';
import { paystackProviders } from './paystack/paystack.ts';
import { type BillingTable, billingTable } from './prices/billing-table.ts';
import { type PriceTable, priceTable } from './prices/price-table.ts';
import { type MoneySettings, stageMoneySettings } from './settings.ts';

export interface QuoteDependencies {
  readonly prices: Pick<PriceTable, 'listPrices'>;
  readonly billing: Pick<BillingTable, 'getBilling'>;
  readonly settings: MoneySettings;
  readonly clock: Clock;
}

/** The credit table records each credit in the audit trail. */
export interface CreditOrderDependencies extends QuoteDependencies, BookingTables {
  readonly orders: OrderTable;
  readonly documents: DocumentTable;
  readonly walletShards: (organisationId: string) => Promise<number>;
  /** As statements show it: `paystack`, or the operator. */
  readonly actor: string;
  readonly publishSoon: PublishSoon;
}

/** They cannot credit anything. */
export interface OpenDependencies extends QuoteDependencies {
  readonly orders: Pick<
    OrderTable,
    'getOrder' | 'insertOrder' | 'moveOrder' | 'listOrders' | 'getReference' | 'claimReference'
  >;
  readonly providers: Readonly<Record<Environment, Pick<PaymentProvider, 'initialise'>>>;
}

export interface TopUpDependencies extends CreditOrderDependencies {
  readonly providers: PaymentProviders;
  readonly automatic: Pick<AutomaticTable, 'paidBackItems' | 'stopCharges'>;
  /** Of payments that differ from their order, unless the order table records them. */
  readonly recorder: Recorder;
  /** Writes a log line. It must not throw. */
  readonly onChange?: (before: TopUpOrder, after: TopUpOrder) => void;
}

/** As statements and the audit trail show it. */
const ACTOR = 'paystack';

/** Undefined if the stage has no money settings. `recorder` records the openings. */
export function openDependencies(recorder = NO_RECORD) {
  const settings = stageMoneySettings();
  if (!settings) return undefined;
  const client = database();
  const payments = setting('PAYMENTS_TABLE');
  return {
    orders: orderTable(client, payments, recorder),
    prices: priceTable(client, payments),
    billing: billingTable(client, payments),
    providers: paystackProviders({
      credentials: () => secret('PAYMENTS'),
      baseUrl: settings.paystackUrl,
      allowLocal: setting('STAGE') === 'local',
    }),
    settings,
    clock: REAL_CLOCK,
  } satisfies OpenDependencies;
}

/** The author differs with each request. */
export function recordedOpening(): (recorder: Recorder) => OpenDependencies | undefined {
  const opening = openDependencies();
  return (recorder) =>
    opening && { ...opening, orders: orderTable(database(), setting('PAYMENTS_TABLE'), recorder) };
}

/** For requests with an API key. */
export function keyOpening(): (run: CommandRun) => OpenDependencies | undefined {
  const opening = recordedOpening();
  const table = auditTable(database(), setting('AUDIT_TRAIL_TABLE'));
  return (run) => opening(auditRecorder(table, run, REAL_CLOCK.nowMs));
}

/** Undefined if the stage has no money settings. */
export function topUpDependencies(): TopUpDependencies | undefined {
  // Of automatic top-ups.
  const opening = openDependencies(functionRecorder(ACTOR, 'top-up start'));
  if (!opening) return undefined;
  const client = database();
  const [payments, wallets] = [setting('PAYMENTS_TABLE'), setting('WALLETS_TABLE')];
  const organisations = organisationTable(client, setting('API_KEYS_TABLE'));
  const recorder = functionRecorder(ACTOR, 'settle top-up');
  return {
    ...opening,
    recorder,
    automatic: automaticTable(client, payments),
    documents: documentTable(client, payments),
    lots: lotTable(client, payments),
    credits: creditTable(client, { wallets, payments }, recorder),
    shards: shardTable(client, wallets),
    walletShards: (organisationId) => shardsOf(organisationId, organisations),
    actor: ACTOR,
    publishSoon: publishSoon(),
    onChange: logChange,
  };
}

async function shardsOf(
  organisationId: string,
  organisations: Pick<OrganisationTable, 'getOrganisation'>,
): Promise<number> {
  const organisation = await organisations.getOrganisation(organisationId);
  if (!organisation) throw notPossible(`There is no organisation ${organisationId}.`);
  return organisation.walletShards;
}

/** It records each credit as a separate run. */
export function functionRecorder(actor: FunctionActor, action: string): Recorder {
  const table = auditTable(database(), setting('AUDIT_TRAIL_TABLE'));
  return {
    record(...changes) {
      const run = { actor, action, commandId: newOperationId(REAL_CLOCK.nowMs()) };
      return auditRecorder(table, run, REAL_CLOCK.nowMs).record(...changes);
    },
  };
}

/** Orders and amounts are not personal data. The buyer and the payer are not logged. */
function logChange(before: TopUpOrder, after: TopUpOrder): void {
  const { env, organisationId, reference, credits, totalKobo, state, problem } = after;
  const fields = {
    env,
    organisation: organisationId,
    order: reference,
    from: before.state,
    to: state,
    credits,
    total_kobo: totalKobo,
  };
  if (problem === undefined) logger.info('top-up', fields);
  else logger.warn('A person must review a top-up.', { ...fields, problem });
}

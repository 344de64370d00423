import type { LedgerTools } from '../ledger/dependencies.ts';
import type { BillingTable } from './billing-table.ts';
import type { BookingTables } from './credit-with-lot.ts';
import type { DocumentTable } from './document-table.ts';
import type { TopUpOrder } from './order.ts';
import type { OrderTable } from './order-table.ts';
import type { PaymentProviders } from './payment-provider.ts';
import type { PriceTable } from './price-table.ts';
import type { MoneySettings } from './settings.ts';

/** What says how much credits cost an organisation. */
export interface QuoteDependencies {
  readonly prices: Pick<PriceTable, 'listPrices'>;
  readonly billing: Pick<BillingTable, 'getBilling'>;
  readonly settings: MoneySettings;
  readonly tools: LedgerTools;
}

/** What books the credit of a paid order. Its credit table records each credit in the audit trail. */
export interface CreditOrderDependencies extends QuoteDependencies, BookingTables {
  readonly orders: OrderTable;
  readonly documents: DocumentTable;
  /** Returns the number of shards of the organisation's wallets. */
  readonly walletShards: (organisationId: string) => Promise<number>;
  /** Who books it, as statements show it: `paystack`, or the operator. */
  readonly actor: string;
}

/** What opens orders at Paystack, and settles them. */
export interface TopUpDependencies extends CreditOrderDependencies {
  readonly providers: PaymentProviders;
  /** Called after each change of an order, for a line in the log. It must not throw. */
  readonly onChange?: (before: TopUpOrder, after: TopUpOrder) => void;
}

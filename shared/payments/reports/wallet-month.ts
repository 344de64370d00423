import type { WalletId } from '../../core/keys.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import type { Lot } from '../lots/lot.ts';
import type { Closing } from '../months/closing.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { CURRENCY } from './report.ts';

/** What reports need to know about one wallet and one accounting month. */
export interface WalletMonth {
  readonly wallet: WalletId;
  /** The name of the organisation. */
  readonly name: string;
  /** `yyyy-mm`, in Africa/Lagos. */
  readonly month: string;
  /** Undefined if the closing of the month has not begun. */
  readonly closing: Closing | undefined;
  /** All lots of the wallet. */
  readonly lots: readonly Lot[];
  /** All documents that were issued in the month. */
  readonly documents: readonly FinancialDocument[];
  /** All orders of the wallet. */
  readonly orders: readonly TopUpOrder[];
}

/** Returns the columns that every row of a report begins with. */
export function whose({ wallet, name }: Pick<WalletMonth, 'wallet' | 'name'>) {
  return { organisation: wallet.organisationId, name, environment: wallet.env, currency: CURRENCY };
}

/**
 * Returns the figures of a closed month. Undefined unless the month is closed now: figures of a reopened month are no
 * longer valid.
 */
export function figuresOf({ closing }: Pick<WalletMonth, 'closing'>) {
  return closing?.state === 'CLOSED' ? closing.figures : undefined;
}

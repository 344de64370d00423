import type { WalletId } from '../../core/keys.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { storedUse } from '../lots/consume-lots.ts';
import type { Lot } from '../lots/lot.ts';
import type { Closing, LotUse } from '../months/closing.ts';
import type { TopUpOrder } from '../orders/order.ts';
import type { Refund } from '../refunds/refund.ts';
import { CURRENCY } from './report.ts';

export interface WalletMonth {
  readonly wallet: WalletId;
  /** The name of the organisation. */
  readonly name: string;
  /** `yyyy-mm`, in Africa/Lagos. */
  readonly month: string;
  /** Undefined if it has not begun. */
  readonly closing: Closing | undefined;
  /** All lots of the wallet. */
  readonly lots: readonly Lot[];
  readonly documents: readonly FinancialDocument[];
  /** All orders of the wallet. */
  readonly orders: readonly TopUpOrder[];
  /** All refunds of the wallet. */
  readonly refunds: readonly Refund[];
}

export function whose({ wallet, name }: Pick<WalletMonth, 'wallet' | 'name'>) {
  return { organisation: wallet.organisationId, name, environment: wallet.env, currency: CURRENCY };
}

/** Undefined unless closed now: figures of a reopened month are no longer valid. */
export function figuresOf({ closing }: Pick<WalletMonth, 'closing'>) {
  return closing?.state === 'CLOSED' ? closing.figures : undefined;
}

/** How the month used each lot that had credits. None unless it is closed now. */
export function lotUsesOf(one: WalletMonth): { readonly lot: Lot; readonly use: LotUse }[] {
  if (!figuresOf(one)) return [];
  return one.lots.flatMap((lot) => {
    const use = storedUse(lot, one.month);
    return use ? [{ lot, use }] : [];
  });
}

import { accountingMonthOf } from '../../core/accounting-month.ts';
import type { Row } from '../../core/database.ts';
import type { WalletId } from '../../core/keys.ts';
import { sum } from '../../core/sum.ts';
import { type Difference, difference } from '../../ledger/reconcile/rows.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import type { Lot, Withdrawal } from '../lots/lot.ts';
import type { Closing } from '../months/closing.ts';
import type { TopUpOrder } from '../orders/order.ts';
import type { CreditPrice } from '../prices/price.ts';
import type { Refund } from '../refunds/refund.ts';

/** All that the tables say about the money of one wallet. The rows check each other. */
export interface MoneyRows {
  readonly wallet: WalletId;
  /** When the control began. */
  readonly nowMs: number;
  /** Unparsed, by their keys (`rowName`). */
  readonly items: ReadonlyMap<string, Row>;
  readonly lots: readonly Lot[];
  readonly orders: readonly TopUpOrder[];
  readonly documents: readonly FinancialDocument[];
  /** Oldest first. */
  readonly closings: readonly Closing[];
  /** By order. Orders whose refunds were not read are absent. */
  readonly refunds: ReadonlyMap<string, readonly Refund[]>;
  /** The credits that the lots name, and others that were read in passing, by reference. */
  readonly credits: ReadonlyMap<string, Credit>;
  /** The organisations to which the references of top-ups belong. */
  readonly owners: ReadonlyMap<string, string>;
  readonly prices: { readonly stage: readonly CreditPrice[]; readonly organisation: readonly CreditPrice[] };
}

type Facts = Readonly<Record<string, string | number | undefined>>;

/** Collects differences of one wallet. */
export class Findings {
  readonly all: Difference[] = [];
  readonly #wallet: WalletId;

  constructor(wallet: WalletId) {
    this.#wallet = wallet;
  }

  add(kind: Difference['kind'], row: RowName, expected: string, found: string): void {
    const { at, reference } = row;
    this.all.push(difference(kind, this.#wallet, { day: at.slice(0, 10), reference }, expected, found));
  }

  /** Adds the attributes in which the facts differ. */
  compare(kind: Difference['kind'], row: RowName, expected: Facts, found: Facts): void {
    const names = Object.keys(expected).filter((name) => expected[name] !== found[name]);
    const textOf = (facts: Facts) => names.map((name) => `${name} ${facts[name] ?? 'none'}`).join(', ');
    if (names.length > 0) this.add(kind, row, textOf(expected), textOf(found));
  }
}

export interface RowName {
  /** ISO time. */
  readonly at: string;
  readonly reference: string;
}

export const monthOf = (iso: string) => accountingMonthOf(Date.parse(iso));

export const dayOfMonth = (month: string) => `${month}-01`;

/** Whole credits. */
export function withdrawn(
  { withdrawals }: Pick<Lot, 'withdrawals'>,
  isWanted: (withdrawal: Withdrawal) => boolean,
): number {
  return sum(withdrawals.filter(isWanted).map(({ credits }) => credits));
}

import type { Clock } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { type Credit, monthOfCredit } from '../../ledger/rows/credit.ts';
import { type CreditOrder, type CreditTables, creditWallet } from '../../ledger/top-up.ts';
import type { Lot } from './lot.ts';
import type { LotTable } from './lot-table.ts';

export interface BookingTables extends CreditTables {
  readonly lots: Pick<LotTable, 'lotItem'>;
}

/** The kind of a lot, and the attributes that only some lots have. */
export type LotTerms = Pick<Lot, 'kind'> &
  Partial<
    Pick<Lot, 'koboPerCredit' | 'netKobo' | 'vatKobo' | 'vatBasisPoints' | 'order' | 'invoice' | 'expiresAt'>
  >;

/** Returns the lot of a positive credit row. */
export function lotOf(row: Credit, terms: LotTerms): Lot {
  if (row.lot === undefined) throw new Error('The credit names no lot.');
  return {
    id: row.lot,
    credits: row.amount,
    koboPerCredit: 0,
    netKobo: 0,
    vatKobo: 0,
    vatBasisPoints: 0,
    ...terms,
    reference: row.reference,
    createdAt: row.createdAt,
    month: monthOfCredit(row),
    consumed: {},
    withdrawals: [],
    remaining: row.amount,
  };
}

/**
 * Books a credit that was not paid for, as `creditWallet` does: free credits, credits given back, or a correction. A
 * positive one gets a lot without a price in the same transaction. By default, the lot of a top-up is promotional.
 */
export function creditWithLot(
  wallet: WalletId,
  shards: number,
  order: CreditOrder,
  tables: BookingTables,
  clock: Clock,
  terms: Pick<LotTerms, 'kind' | 'expiresAt'> = {
    kind: order.kind === 'TOP_UP' ? 'promotional' : 'correction',
  },
): Promise<{ row: Credit; existed: boolean }> {
  return creditWallet(wallet, shards, order, tables, clock, async (row) =>
    row.amount > 0 ? [tables.lots.lotItem(wallet, lotOf(row, terms))] : [],
  );
}

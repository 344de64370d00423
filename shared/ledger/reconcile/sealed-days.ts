import type { Row } from '../../core/database.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { LOG_ATTRIBUTES } from './day-rows.ts';
import type { ChargeRow, CreditRow, Difference, LogRow } from './rows.ts';
import { difference, walletOf } from './rows.ts';
import { compareWithSeal, type DaySums, emptySums, readSeal, type Seal } from './seal.ts';
import { addToTally, itemText } from './tally.ts';

/** Compares the rows of all sealed days with their seals. Rows and seals are added one by one in any order. */
export class SealedDays {
  readonly #days = new Map<string, DaySums>();
  readonly #seals: { readonly wallet: WalletId; readonly seal: Seal }[] = [];

  /** Adds an item of Wallets if it is the seal of a day. */
  addSeal(item: Row): void {
    const [wallet, seal] = [walletOf(item), readSeal(item)];
    if (wallet && seal) this.#seals.push({ wallet, seal });
  }

  /** Adds a row that the index `statement` shows. `item` is the row with all its attributes. */
  addLine(row: ChargeRow | CreditRow, item: Row): void {
    if (row.statementKey === undefined || row.statementSort === undefined) return;
    const sums = this.#sumsOf(row.wallet, row.statementSort);
    if (row.sk === 'CHARGE') addToTally(sums.charges, row.cost, itemText(item));
    else addToTally(sums.credits, row.amount, itemText(item));
  }

  /** Adds a row that the index `byTime` shows. */
  addLog(row: LogRow, item: Row): void {
    if (typeof item['timeSort'] !== 'string') return;
    const { logs } = this.#sumsOf(row.wallet, item['timeSort']);
    addToTally(logs, row.creditsCharged, itemText(item, LOG_ATTRIBUTES));
  }

  differences(nowMs: number): Difference[] {
    return this.#seals.flatMap(({ wallet, seal }) => {
      const sums = this.#days.get(dayName(wallet, seal.day)) ?? emptySums();
      const changed = compareWithSeal(seal, sums, nowMs);
      return changed
        ? [difference('sealed-day', wallet, { day: seal.day }, changed.expected, changed.found)]
        : [];
    });
  }

  #sumsOf(wallet: WalletId, time: string): DaySums {
    const name = dayName(wallet, time.slice(0, 10));
    const sums = this.#days.get(name) ?? emptySums();
    this.#days.set(name, sums);
    return sums;
  }
}

const dayName = (wallet: WalletId, day: string) => `${walletName(wallet)} ${day}`;

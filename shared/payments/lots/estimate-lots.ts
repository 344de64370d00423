import { expiresBefore, isPriced } from './consume-lots.ts';
import type { Lot } from './lot.ts';

/** A lot, and how many of its whole credits are left now. */
export interface LotNow {
  readonly lot: Lot;
  readonly left: number;
}

/**
 * Estimates what is left of each lot now, without reading charges. Lots contain what was left when the last month was
 * closed, and `balance` is what the wallet has now, including held credits. The difference has been used since then,
 * and is taken from the lots in the order of contract P1. The closing of the month decides which charge used which lot,
 * by their times. `lots` are in chronological order, and so is the result.
 */
export function estimateLots(lots: readonly Lot[], balance: number): LotNow[] {
  const total = lots.reduce((sum, { remaining }) => sum + remaining, 0);
  let used = Math.max(0, total - balance);
  const left = new Map<string, number>();
  for (const { id, remaining } of inOrderOfUse(lots)) {
    const taken = Math.min(remaining, used);
    used -= taken;
    left.set(id, remaining - taken);
  }
  return lots.map((lot) => ({ lot, left: left.get(lot.id) ?? 0 }));
}

/**
 * Returns the lots in the order in which they are used: paid lots, oldest first, each after the lots without a price
 * that expire before it. The others come last.
 */
function inOrderOfUse(lots: readonly Lot[]): Lot[] {
  // Empty lots are left out, because they must not affect the order of the others.
  const open = lots.filter(({ remaining }) => remaining > 0);
  const free = open.filter((lot) => !isPriced(lot));
  const ordered: Lot[] = [];
  for (const paid of open.filter(isPriced)) {
    for (let index = 0; index >= 0; ) {
      index = free.findIndex((lot) => expiresBefore(lot, paid));
      if (index >= 0) ordered.push(...free.splice(index, 1));
    }
    ordered.push(paid);
  }
  return [...ordered, ...free];
}

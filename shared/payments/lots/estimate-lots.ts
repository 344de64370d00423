import { expiresBefore, isPriced } from './consume-lots.ts';
import type { Lot } from './lot.ts';

export interface LotNow {
  readonly lot: Lot;
  readonly left: number;
}

/**
 * Estimates what is left of each lot, without reading charges: what was used since the last closing is taken in the
 * order of contract P1. `balance` includes held credits. `lots` are in chronological order.
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

/** Whether older lots are always used first, so that it does not matter when the charges were. */
export function isUsedByTime(lots: readonly Lot[]): boolean {
  const open = lots.filter(({ remaining }) => remaining > 0);
  return inOrderOfUse(open).every((lot, index) => lot === open[index]);
}

/** Paid lots, oldest first, each after the lots without a price that expire before it. */
function inOrderOfUse(lots: readonly Lot[]): Lot[] {
  // They must not affect the order of the others.
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

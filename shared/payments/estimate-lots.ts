import type { Lot } from './lot.ts';

/** A lot, and how many of its whole credits are left now. */
export interface LotNow {
  readonly lot: Lot;
  readonly left: number;
}

/**
 * Estimates what is left of each lot now, without reading a single charge. Lots hold what was left when the last month was
 * closed, and `balance` what the wallet has now, held credits included: the difference was used since then. It is taken
 * from the lots in the order of decision P1. The closing of the month decides which charge used which lot. Returns the
 * lots in the order in which they were given.
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

/** First in, first out. Lots that nobody paid for come after the paid ones, unless they expire earlier (decision P1). */
function inOrderOfUse(lots: readonly Lot[]): Lot[] {
  const paid = lots.filter(({ kind }) => kind === 'paid').sort(byTime);
  const free = lots.filter(({ kind }) => kind !== 'paid').sort((a, b) => byExpiry(a, b) || byTime(a, b));
  const ordered: Lot[] = [];
  for (const one of paid) {
    while (free[0] && byExpiry(free[0], one) < 0) ordered.push(...free.splice(0, 1));
    ordered.push(one);
  }
  return [...ordered, ...free];
}

const byTime = (a: Lot, b: Lot) => (a.id < b.id ? -1 : 1);

/** Lots that never expire come last. */
function byExpiry(a: Lot, b: Lot): number {
  if (a.expiresAt === b.expiresAt) return 0;
  if (a.expiresAt === undefined) return 1;
  return b.expiresAt === undefined || a.expiresAt < b.expiresAt ? -1 : 1;
}

import { monthStartMs } from '../../core/accounting-month.ts';
import type { StatementEntry } from '../../ledger/statement/statement.ts';
import type { Amounts } from '../naira.ts';
import { lotBefore, MonthConsumption } from './consume-lots.ts';
import { estimateLots, isUsedByTime } from './estimate-lots.ts';
import type { Lot } from './lot.ts';

type LineValue = Omit<Amounts, 'totalKobo'>;

/** What open months took from the lots before a line, by lot: credits of charges, and of corrections. */
export type LotsUsed = Readonly<Record<string, readonly [consumed: number, removed: number]>>;

/** Sorts before every month. */
const EARLIER = '';

/**
 * What earlier months that are still open took from the lots until the start of a month. Undefined if the balance alone
 * does not say it. `lots` are in chronological order.
 */
export function usedBefore(
  month: string,
  lots: readonly Lot[],
  openingBalance: number,
): LotsUsed | undefined {
  const start = new Date(monthStartMs(month)).toISOString();
  const atStart = lots
    .filter(({ createdAt }) => createdAt < start)
    .map((lot) => ({ ...lot, withdrawals: lot.withdrawals.filter((one) => one.month < month) }))
    .map((lot) => lotBefore(lot, month));
  const used = estimateLots(atStart, openingBalance).filter(({ lot, left }) => left < lot.remaining);
  if (used.length > 0 && !isUsedByTime(atStart)) return undefined;
  return Object.fromEntries(used.map(({ lot, left }) => [lot.id, [lot.remaining - left, 0]]));
}

/**
 * What consecutive lines of a month's statement are worth, and what was used after them: top-ups what was paid, and
 * charges their share of the lots that they used, as the closing of the month computes it. Undefined for other lines,
 * for charges of credits in no lot, and for all charges if it is not known what was used before them.
 */
export function valueLines(
  lines: readonly StatementEntry[],
  month: string,
  lots: readonly Lot[],
  used: LotsUsed | undefined,
): { readonly values: readonly (LineValue | undefined)[]; readonly used: LotsUsed | undefined } {
  const paidFor = ({ id, amount }: StatementEntry) =>
    amount > 0 ? lots.find(({ reference }) => reference === id) : undefined;
  if (!used) return { values: lines.map(paidFor), used };
  const start = lots.map((lot) => after(lotBefore(lot, month), used[lot.id]));
  const net = new MonthConsumption(month, start, 0);
  const vat = new MonthConsumption(
    month,
    start.map((lot) => ({ ...lot, netKobo: lot.vatKobo })),
    0,
  );
  const values = lines.map((line) => {
    const [ofNet, ofVat] = [net.add(line), vat.add(line)];
    if (!ofNet || !ofVat) return paidFor(line);
    const covered = ofNet.lots.reduce((sum, { credits }) => sum + credits, 0);
    return covered < -line.amount ? undefined : { netKobo: ofNet.earnedKobo, vatKobo: ofVat.earnedKobo };
  });
  return { values, used: usedAfter(used, net) };
}

function after(lot: Lot, [consumed, removed]: LotsUsed[string] = [0, 0]): Lot {
  const withdrawal = { kind: 'removed', credits: removed, month: EARLIER, reference: '' } as const;
  return {
    ...lot,
    consumed: { ...lot.consumed, [EARLIER]: consumed },
    withdrawals: [...lot.withdrawals, withdrawal],
  };
}

function usedAfter(used: LotsUsed, consumption: MonthConsumption): LotsUsed {
  const { lots, removed } = consumption.end();
  const sum = { ...used };
  const add = (id: string, consumed: number, taken: number) => {
    const [before, gone] = sum[id] ?? [0, 0];
    sum[id] = [before + consumed, gone + taken];
  };
  for (const { lot, consumed } of lots.values()) if (consumed > 0) add(lot, consumed, 0);
  for (const [id, withdrawals] of removed) for (const { credits } of withdrawals) add(id, 0, credits);
  return sum;
}

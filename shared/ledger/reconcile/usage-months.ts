import type { WalletId } from '../../core/keys.ts';
import { type Difference, difference } from './rows.ts';

/**
 * Usage belongs to the console, which the ledger does not import, so the reconciliation receives a source of usage.
 */

interface CountedUsage {
  /** Days in Africa/Lagos: `from` is inclusive, `before` exclusive. */
  readonly from: string;
  readonly before: string;
  /** Whole credits. Months without usage are absent. */
  readonly credits: ReadonlyMap<string, number>;
}

export interface UsageSource {
  /** The current month and the two before it. Undefined if never counted. */
  readUsage(wallet: WalletId, nowMs: number): Promise<CountedUsage | undefined>;
}

/**
 * `charged` has the credits by the day of the request (Africa/Lagos), as usage counts them, even if the charge was
 * decided on the next day.
 */
export function compareUsage(
  wallet: WalletId,
  { from, before, credits }: CountedUsage,
  charged: readonly Readonly<Record<string, number>>[],
): Difference[] {
  const expectedOf = new Map<string, number>();
  for (const [day, cost] of charged.flatMap((days) => Object.entries(days)))
    if (day >= from && day < before) {
      const month = day.slice(0, 7);
      expectedOf.set(month, (expectedOf.get(month) ?? 0) + cost);
    }
  const months = new Set([...credits.keys(), ...expectedOf.keys()]);
  return [...months].sort().flatMap((month) => {
    const [expected, found] = [expectedOf.get(month) ?? 0, credits.get(month) ?? 0];
    const day = `${month}-01`;
    return expected === found ? [] : [difference('usage-differs', wallet, { day }, expected, found)];
  });
}

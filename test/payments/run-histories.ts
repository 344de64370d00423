import { emptyCounts } from '../ledger/run-histories.ts';
import { checkAccounts, type Violation } from './checker/check-accounts.ts';
import { type Counts, runPaymentHistory } from './history.ts';
import { planOf } from './plan.ts';

/** The result of many histories of payments. Plain data, because it is sent between threads. */
export interface PaymentsResult {
  histories: number;
  readonly counts: Counts;
  /** What the histories reached, as evidence of coverage. */
  readonly reached: Record<string, number>;
  readonly failed: { readonly seed: number; readonly violations: readonly Violation[] }[];
}

export interface PaymentsOptions {
  readonly firstSeed: number;
  readonly histories: number;
  /** Stops at the first failed history. */
  readonly stopAtFailure?: boolean;
}

export function emptyPaymentsResult(): PaymentsResult {
  return { histories: 0, counts: emptyCounts(), reached: {}, failed: [] };
}

export async function runPaymentHistories({
  firstSeed,
  histories,
  stopAtFailure,
}: PaymentsOptions): Promise<PaymentsResult> {
  const result = emptyPaymentsResult();
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const { evidence, reached } = await runPaymentHistory(planOf(seed), result.counts);
    const violations = checkAccounts(evidence);
    result.histories += 1;
    for (const [name, count] of reached) result.reached[name] = (result.reached[name] ?? 0) + count;
    if (violations.length > 0) result.failed.push({ seed, violations });
    if (violations.length > 0 && stopAtFailure) break;
  }
  return result;
}

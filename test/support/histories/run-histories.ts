import type { Violation } from '../../ledger/checker/check.ts';
import type { Counts } from '../../ledger/history.ts';
import { emptyCounts } from '../../ledger/run-histories.ts';

/** Runs random histories of payments or of webhooks one after another. The ledger's histories have their own runner. */

/** The result of many histories. Plain data, because it is sent between threads. */
export interface HistoriesResult {
  histories: number;
  readonly counts: Counts;
  readonly reached: Record<string, number>;
  readonly failed: { readonly seed: number; readonly violations: readonly Violation[] }[];
}

export interface HistoriesOptions {
  readonly firstSeed: number;
  readonly histories: number;
  /** Whether to stop at the first failed history. @default false */
  readonly stopAtFailure?: boolean;
}

/** What one history reached, and the rules that it violated. */
export interface CheckedHistory {
  readonly reached: Iterable<readonly [name: string, count: number]>;
  readonly violations: readonly Violation[];
}

export function emptyHistories(): HistoriesResult {
  return { histories: 0, counts: emptyCounts(), reached: {}, failed: [] };
}

/** Runs one history for each seed. `runHistory` adds its calls and faults to the counts. */
export async function runHistories(
  { firstSeed, histories, stopAtFailure }: HistoriesOptions,
  runHistory: (seed: number, counts: Counts) => Promise<CheckedHistory>,
): Promise<HistoriesResult> {
  const result = emptyHistories();
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const { reached, violations } = await runHistory(seed, result.counts);
    result.histories += 1;
    for (const [name, count] of reached) result.reached[name] = (result.reached[name] ?? 0) + count;
    if (violations.length > 0) result.failed.push({ seed, violations });
    if (violations.length > 0 && stopAtFailure) break;
  }
  return result;
}

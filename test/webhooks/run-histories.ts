import { emptyCounts } from '../ledger/run-histories.ts';
import { checkDeliveries, type Violation } from './checker/check-deliveries.ts';
import { type Counts, runWebhookHistory } from './history.ts';
import { planOf } from './plan.ts';

/** The result of many histories of webhooks. Plain data, because it is sent between threads. */
export interface WebhooksResult {
  histories: number;
  readonly counts: Counts;
  /** What the histories reached, as evidence of coverage. */
  readonly reached: Record<string, number>;
  readonly failed: { readonly seed: number; readonly violations: readonly Violation[] }[];
}

export interface WebhooksOptions {
  readonly firstSeed: number;
  readonly histories: number;
  /** Stops at the first failed history. */
  readonly stopAtFailure?: boolean;
}

export function emptyWebhooksResult(): WebhooksResult {
  return { histories: 0, counts: emptyCounts(), reached: {}, failed: [] };
}

export async function runWebhookHistories({
  firstSeed,
  histories,
  stopAtFailure,
}: WebhooksOptions): Promise<WebhooksResult> {
  const result = emptyWebhooksResult();
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const { evidence, reached } = await runWebhookHistory(planOf(seed), result.counts);
    const violations = checkDeliveries(evidence);
    result.histories += 1;
    for (const [name, count] of reached) result.reached[name] = (result.reached[name] ?? 0) + count;
    if (violations.length > 0) result.failed.push({ seed, violations });
    if (violations.length > 0 && stopAtFailure) break;
  }
  return result;
}

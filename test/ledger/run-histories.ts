import type { BranchCounts } from './branches/count-branches.ts';
import { check, type Violation } from './checker/check.ts';
import type { Evidence } from './checker/evidence.ts';
import { type Counts, runHistory } from './history.ts';
import { type Plan, planOf, type Style } from './plan.ts';
import { shrink } from './shrink.ts';
import type { OpenDatabase } from './storage/database.ts';

/** The result of many histories. Plain data, because it is sent between threads. */
export interface RunResult {
  histories: number;
  readonly counts: Counts;
  /** Responses and decisions that the histories reached, as evidence of coverage. */
  readonly reached: Record<string, number>;
  readonly branches: BranchCounts;
  readonly failed: FailedHistory[];
}

export interface FailedHistory {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** The smallest part of the plan that was found to violate a rule. */
  readonly plan?: Plan;
}

export interface RunOptions {
  readonly firstSeed: number;
  readonly histories: number;
  readonly style?: Style;
  readonly maxCalls?: number;
  /** The maximum number of holds in a shard, in this variant of the service. */
  readonly maxHolds?: number;
  /** Stops after a failed history, once a number has been verified. Does not reduce plans. */
  readonly stopAtFailure?: boolean;
}

export function emptyCounts(): Counts {
  return {
    ...{ sends: 0, lost: 0, notApplied: 0, late: 0, conflict: 0, throttled: 0 },
    ...{ kill: 0, freeze: 0, blackout: 0 },
  };
}

export function emptyResult(): RunResult {
  return { histories: 0, counts: emptyCounts(), reached: {}, branches: {}, failed: [] };
}

/** The number of failed histories whose plan is reduced and kept. For further ones, only the seeds are printed. */
const MAX_SHRUNK = 3;

export async function runHistories(options: RunOptions, open: OpenDatabase): Promise<RunResult> {
  const result = emptyResult();
  const runAndCheck = async (plan: Plan, into: RunResult) => {
    const evidence = { ...(await runHistory(plan, open, into.counts)), maxHolds: options.maxHolds ?? 100 };
    countReached(evidence, into.reached);
    return check(evidence);
  };
  for (let index = 0; index < options.histories; index += 1) {
    const seed = options.firstSeed + index;
    const plan = planOf(seed, options.style, options.maxCalls);
    const violations = await runAndCheck(plan, result);
    result.histories += 1;
    if (violations.length === 0) continue;
    if (options.stopAtFailure || result.failed.length >= MAX_SHRUNK) result.failed.push({ seed, violations });
    else {
      const smaller = await shrink(plan, async (part) => (await runAndCheck(part, emptyResult())).length > 0);
      result.failed.push({ seed, violations, plan: smaller });
    }
    // If nothing has been verified yet, continue: the gate rejects a patch that makes all requests fail.
    if (options.stopAtFailure && result.reached['VERIFIED']) break;
  }
  return result;
}

function countReached({ calls, commits, erasures }: Evidence, reached: Record<string, number>): void {
  const count = (name: string) => {
    reached[name] = (reached[name] ?? 0) + 1;
  };
  for (const { response } of calls)
    count(
      response ? `${response.isReplay && response.hasData ? 'replay ' : ''}${response.code}` : 'no response',
    );
  for (const { completedAfter } of erasures)
    count(completedAfter === undefined ? 'erasure interrupted' : 'erasure completed');
  for (const { versions } of commits)
    for (const { sk, row } of versions)
      if (sk === 'CHARGE' && row?.['outcome'] === 'ABANDONED') count('decided by sweeper or take-over');
}

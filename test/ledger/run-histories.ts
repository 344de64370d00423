import { check, type Violation } from './checker/check.ts';
import type { Evidence } from './checker/evidence.ts';
import { type Counts, runHistory } from './history.ts';
import { type Plan, planOf, type Style } from './plan.ts';
import { cutDown } from './shrink.ts';
import type { OpenDatabase } from './storage/database.ts';

/** What a run of many histories came to. Plain data: it travels between threads. */
export interface Outcome {
  histories: number;
  readonly counts: Counts;
  /** What the histories reached: proof that the run was not idle. */
  readonly reached: Record<string, number>;
  readonly bad: BadHistory[];
}

export interface BadHistory {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** The smallest part of the plan found that still breaks a rule. */
  readonly plan?: Plan;
}

export interface Order {
  readonly firstSeed: number;
  readonly histories: number;
  readonly style?: Style;
  readonly maxCalls?: number;
  /** The bulkhead of the runner's variant: holds that a shard may have. */
  readonly maxHolds?: number;
  /** Ends at the first bad history, as it is. */
  readonly isHunt?: boolean;
}

export function emptyOutcome(): Outcome {
  const counts = { sends: 0, lost: 0, notApplied: 0, late: 0, conflict: 0, throttled: 0, kill: 0, freeze: 0 };
  return { histories: 0, counts, reached: {}, bad: [] };
}

/** Bad histories that are cut down and kept whole; of more there is only the seed to tell. */
const SHOWN = 3;

export async function runHistories(order: Order, open: OpenDatabase): Promise<Outcome> {
  const outcome = emptyOutcome();
  const judge = async (plan: Plan, into: Outcome) => {
    const evidence = { ...(await runHistory(plan, open, into.counts)), maxHolds: order.maxHolds ?? 100 };
    countReached(evidence, into.reached);
    return check(evidence);
  };
  for (let place = 0; place < order.histories; place += 1) {
    const seed = order.firstSeed + place;
    const plan = planOf(seed, order.style, order.maxCalls);
    const violations = await judge(plan, outcome);
    outcome.histories += 1;
    if (violations.length === 0) continue;
    if (order.isHunt || outcome.bad.length >= SHOWN) outcome.bad.push({ seed, violations });
    else {
      const smaller = await cutDown(plan, async (part) => (await judge(part, emptyOutcome())).length > 0);
      outcome.bad.push({ seed, violations, plan: smaller });
    }
    if (order.isHunt) break;
  }
  return outcome;
}

function countReached({ calls, commits }: Evidence, reached: Record<string, number>): void {
  const count = (name: string) => {
    reached[name] = (reached[name] ?? 0) + 1;
  };
  for (const { answer } of calls)
    count(answer ? `${answer.isReplay && answer.hasData ? 'replay ' : ''}${answer.code}` : 'no answer');
  for (const { versions } of commits)
    for (const { sk, row } of versions)
      if (sk === 'CHARGE' && row?.['outcome'] === 'ABANDONED') count('decided by sweeper or take-over');
}

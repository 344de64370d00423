import { check, type Violation } from './checker/check.ts';
import { type Counts, runHistory } from './history.ts';
import { type Plan, planOf, type Style } from './plan.ts';
import type { OpenDatabase } from './storage/database.ts';

/** What a run of many histories came to. */
export interface Outcome {
  histories: number;
  readonly counts: Counts;
  /** What the histories reached: proof that the run was not idle. */
  readonly reached: Record<string, number>;
  readonly bad: { readonly seed: number; readonly style?: Style; readonly violations: Violation[] }[];
}

export interface Order {
  readonly firstSeed: number;
  readonly histories: number;
  readonly style?: Style;
  /** Ends at the first bad history. */
  readonly stopsAtFirst?: boolean;
  /** A rule that does not count, so that a broken variant is caught by what it breaks. */
  readonly ignoredRule?: string;
}

export function emptyCounts(): Counts {
  return { sends: 0, lost: 0, notApplied: 0, late: 0, conflict: 0, throttled: 0, kill: 0, freeze: 0 };
}

export async function runHistories(order: Order, open: OpenDatabase): Promise<Outcome> {
  const outcome: Outcome = { histories: 0, counts: emptyCounts(), reached: {}, bad: [] };
  for (let place = 0; place < order.histories; place += 1) {
    const seed = order.firstSeed + place;
    const violations = await tryPlan(planOf(seed, order.style), open, outcome, order.ignoredRule);
    outcome.histories += 1;
    if (violations.length > 0) outcome.bad.push({ seed, ...(order.style && { style: order.style }), violations });
    if (order.stopsAtFirst && outcome.bad.length > 0) break;
  }
  return outcome;
}

async function tryPlan(plan: Plan, open: OpenDatabase, outcome: Outcome, ignored?: string): Promise<Violation[]> {
  const evidence = await runHistory(plan, open, outcome.counts);
  const count = (name: string) => {
    outcome.reached[name] = (outcome.reached[name] ?? 0) + 1;
  };
  count('histories');
  for (const { answer } of evidence.calls)
    count(answer ? `${answer.isReplay && answer.hasData ? 'replay ' : ''}${answer.code}` : 'no answer');
  for (const { versions } of evidence.commits)
    for (const { sk, row } of versions) if (row?.['outcome'] === 'ABANDONED' && sk === 'CHARGE') count('fenced');
  return check(evidence).filter(({ rule }) => rule !== ignored);
}
